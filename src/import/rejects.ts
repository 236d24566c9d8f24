import { type FileHandle, open } from "node:fs/promises";
import type { Rejection } from "../company/rejection.ts";
import { SPREADSHEET_START, spreadsheetRow } from "../lib/spreadsheet.ts";
import { ImportRefused } from "./outcome.ts";

/** The most that a cell of a spreadsheet holds. */
const MOST_SHOWN = 32_000;
const WRITE_EVERY = 65_536;

/**
 * A CSV of every record that was skipped: file, line, reason, detail, and the record itself, so that it can be mended
 * and imported. It holds what the rows hold, so only its owner may read it.
 */
export class Rejects {
  readonly #path: string;
  readonly #file: FileHandle;
  #pending = SPREADSHEET_START + spreadsheetRow(["file", "line", "reason", "detail", "record"]);

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /** @throws {ImportRefused} when the file cannot be written, here and in what follows */
  static async create(path: string): Promise<Rejects> {
    return new Rejects(path, await explained(path, open(path, "w", 0o600)));
  }

  async add(file: string, line: number, { reason, detail = "" }: Rejection, record: string): Promise<void> {
    this.#pending += spreadsheetRow([file, String(line), reason, detail, record.slice(0, MOST_SHOWN)]);
    if (this.#pending.length > WRITE_EVERY) await this.#write();
  }

  async close(): Promise<void> {
    try {
      await this.#write();
    } finally {
      await this.#file.close();
    }
  }

  async #write(): Promise<void> {
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
