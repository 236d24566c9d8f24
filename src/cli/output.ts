import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileErrorOf } from "../lib/fileErrors.ts";
import { OWN_FILE_MODE } from "../lib/ownFiles.ts";
import { CommandFailure } from "./command.ts";

/** One write for so many lines: a write for each would cost more than making them. */
const LINES_PER_WRITE = 200;

/**
 * Writes lines, each with its own line break, to a file or to stdout, as fast as the reader takes them and with flat
 * memory. A file appears under its name when it is whole, for its owner alone; until then it ends in `.partial`.
 * @param onWritten is told how many lines were written so far
 * @throws {CommandFailure} when it cannot be written; else whatever the lines failed with
 */
export async function writeLines(
  lines: Iterable<string> | AsyncIterable<string>,
  out: string | undefined,
  onWritten: (count: number) => void,
): Promise<void> {
  const blocks = Readable.from(blocksOf(lines, onWritten));
  try {
    if (out === undefined) {
      await pipeline(blocks, process.stdout, { end: false });
      return;
    }
    const partial = `${out}.partial`;
    try {
      // One that a kill left would keep its mode.
      await rm(partial, { force: true });
      await pipeline(blocks, createWriteStream(partial, { flags: "wx", mode: OWN_FILE_MODE }));
      await rename(partial, out);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  } catch (error) {
    const code = fileErrorOf(error);
    // Where the lines come from may fail too, which is no matter of what is written.
    if (code === undefined) throw error;
    // A reader that has enough (`| head`) is no failure.
    if (out === undefined && code === "EPIPE") return;
    throw new CommandFailure(
      `${out ?? "stdout"} cannot be written (${code}). Check that the folder exists, may be written and has room.`,
    );
  }
}

async function* blocksOf(
  lines: Iterable<string> | AsyncIterable<string>,
  onWritten: (count: number) => void,
): AsyncGenerator<string> {
  let block: string[] = [];
  let count = 0;
  for await (const line of lines) {
    block.push(line);
    count += 1;
    if (block.length < LINES_PER_WRITE) continue;
    yield block.join("");
    onWritten(count);
    block = [];
  }
  yield block.join("");
}
