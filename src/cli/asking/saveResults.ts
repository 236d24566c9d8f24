/** Results of a list into a file, over programs that end in the middle. */
import { type FileHandle, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Jobs } from "../../../client/src/jobs/index.ts";
import { fileErrorOf } from "../../lib/fileErrors.ts";
import { OWN_FILE_MODE } from "../../lib/ownFiles.ts";
import { CommandFailure } from "../command.ts";
import { asFailure } from "./failures.ts";

const PARTIAL = ".partial";
/** What may stand in a file's name of what names the results. */
const TAG = /^"([\w.-]{1,150})"$/;

/** What an earlier run left: so many bytes of the results that the tag in its name names. */
interface Left {
  readonly path: string;
  readonly etag: string;
  readonly size: number;
}

/**
 * Writes results into a file, which appears under its name when it is whole, for its owner alone. Until then its name ends in `.partial` and
 * says which results it holds a part of, where a part of them can be asked for: then the same call goes on with it.
 * @param onBytes told how many bytes there are
 * @throws {CommandFailure} (the promise) when they cannot be fetched or written
 */
export async function saveResults(
  jobs: Jobs,
  { id, format, out }: { readonly id: string; readonly format: "jsonl" | "csv"; readonly out: string },
  onBytes: (bytes: number) => void,
): Promise<number> {
  let left: Left | undefined;
  let saving: Saving | undefined;
  try {
    left = await leftOf(out, `${id}-${format}-`);
    const from = left && { at: left.size, etag: left.etag };
    for await (const { bytes, at, etag } of jobs.download(id, { format, from })) {
      if (saving === undefined && left !== undefined && at === left.size && etag === left.etag) {
        saving = await Saving.over(left);
      } else if (saving?.size !== at) {
        await saving?.drop();
        if (left !== undefined) await rm(left.path, { force: true });
        saving = await Saving.anew(out, etag);
      }
      await saving.add(bytes);
      onBytes(saving.size);
    }
    // Nothing came: all of it is there already, or there is nothing.
    saving ??= left === undefined ? await Saving.anew(out, undefined) : await Saving.over(left);
    await saving.end(out);
    return saving.size;
  } catch (error) {
    const part = saving?.path ?? left?.path;
    const goesOn = part !== undefined && part !== partOf(out);
    await (goesOn ? saving?.close() : saving?.drop());
    throw failureOf(error, out, goesOn);
  }
}

/** Where results stand until they are whole. Without a tag nobody can go on with them. */
function partOf(out: string, tag?: string): string {
  return `${out}${tag === undefined ? "" : `.${tag}`}${PARTIAL}`;
}

/** A file that fills. */
class Saving {
  readonly path: string;
  size: number;
  readonly #file: FileHandle;

  private constructor(path: string, file: FileHandle, size: number) {
    this.path = path;
    this.#file = file;
    this.size = size;
  }

  static async anew(out: string, etag: string | undefined): Promise<Saving> {
    const [, tag] = TAG.exec(etag ?? "") ?? [];
    const path = partOf(out, tag);
    await rm(path, { force: true });
    return new Saving(path, await open(path, "wx", OWN_FILE_MODE), 0);
  }

  static async over({ path, size }: Left): Promise<Saving> {
    return new Saving(path, await open(path, "r+", OWN_FILE_MODE), size);
  }

  async add(bytes: Uint8Array): Promise<void> {
    // At their place, not at the end: another run that goes on with the same file writes the same bytes there.
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, written, bytes.length - written, this.size);
      written += bytesWritten;
      this.size += bytesWritten;
    }
  }

  async end(out: string): Promise<void> {
    await this.#file.sync();
    await this.close();
    await rename(this.path, out);
  }

  async drop(): Promise<void> {
    await this.close();
    await rm(this.path, { force: true });
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** The largest part that earlier runs left of such results. */
async function leftOf(out: string, tagBegin: string): Promise<Left | undefined> {
  const begin = `${basename(out)}.`;
  const names = await readdir(dirname(out)).catch(() => []);
  const found: Left[] = [];
  for (const name of names) {
    const tag = name.slice(begin.length, -PARTIAL.length);
    const etag = `"${tag}"`;
    if (name !== `${begin}${tag}${PARTIAL}` || !tag.startsWith(tagBegin) || !TAG.test(etag)) continue;
    const path = join(dirname(out), name);
    found.push({ path, etag, size: (await stat(path)).size });
  }
  return found.sort((one, other) => other.size - one.size)[0];
}

function failureOf(error: unknown, out: string, goesOn: boolean): unknown {
  const failure = asFailure(error);
  const code = fileErrorOf(error);
  if (code !== undefined)
    return new CommandFailure(
      `${out} cannot be written (${code}). Check that the folder exists, may be written and has room.`,
    );
  if (!goesOn || !(failure instanceof CommandFailure)) return failure;
  return new CommandFailure(`${failure.message} What came is kept: the same command goes on with it.`);
}
