import { type FileHandle, open, stat } from "node:fs/promises";
import type { Rejection } from "../company/rejection.ts";
import { SPREADSHEET_START, spreadsheetRow } from "../lib/spreadsheet.ts";
import { STDIN } from "./open/openInput.ts";
import { ImportRefused } from "./outcome.ts";

/** Cells of spreadsheets hold no more. */
const MAX_CELL_LENGTH = 32_000;
const WRITE_EVERY = 65_536;

/**
 * Writes skipped records as CSV: file, line, reason, detail, and the record itself, so that it can be corrected
 * and imported. It can contain personal data, so only its owner may read it.
 */
export class Rejects {
  readonly #path: string;
  #file: FileHandle | undefined;
  #pending = SPREADSHEET_START + spreadsheetRow(["file", "line", "reason", "detail", "record"]);

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Creates or empties the file. Only under the lock of the registry: another import may be writing to it.
   * @param inputs the imported files, which must not be overwritten
   * @throws {ImportRefused} when it is one of those, or cannot be written, here and in what follows
   */
  async open(inputs: readonly string[]): Promise<void> {
    const same = await sameFile(this.#path, inputs);
    if (same !== undefined) {
      throw new ImportRefused(
        `--rejects would overwrite ${same}, which is to be imported. Name another file; nothing has changed.`,
      );
    }
    this.#file = await explained(this.#path, open(this.#path, "w", 0o600));
  }

  async add(file: string, line: number, { reason, detail = "" }: Rejection, record: string): Promise<void> {
    this.#pending += spreadsheetRow([file, String(line), reason, detail, record.slice(0, MAX_CELL_LENGTH)]);
    if (this.#pending.length > WRITE_EVERY) await this.#write();
  }

  async close(): Promise<void> {
    try {
      await this.#write();
    } finally {
      await this.#file?.close();
    }
  }

  async #write(): Promise<void> {
    if (this.#file === undefined) return;
    const text = this.#pending;
    this.#pending = "";
    await explained(this.#path, this.#file.writeFile(text));
  }
}

async function explained<Value>(path: string, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw new ImportRefused(
      `${path} cannot be written (${error instanceof Error ? error.message : "unknown error"}). ` +
        "Check that its folder exists, may be written and has room.",
      error,
    );
  }
}

/** The first of `inputs` that is the regular file at `path`, also by another name or link. */
async function sameFile(path: string, inputs: readonly string[]): Promise<string | undefined> {
  const own = await identityOf(path);
  if (own === undefined) return undefined;
  for (const input of inputs) if (input !== STDIN && (await identityOf(input)) === own) return input;
  return undefined;
}

/** Device and inode of a regular file. Undefined also for errors: opening the file reports them. */
async function identityOf(path: string): Promise<string | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats?.isFile() === true ? `${stats.dev}:${stats.ino}` : undefined;
}
