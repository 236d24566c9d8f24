import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import type { UsedColumns } from "../contract/jobs.ts";
import { fileErrorOf } from "../lib/fileErrors.ts";
import { OWN_FILE_MODE } from "../lib/ownFiles.ts";

import { type CliContext, CommandFailure } from "./command.ts";
import { JSON_OPTION, type JsonOption } from "./options.ts";

/** Lines per write: a write for each line would cost more than producing it. */
const LINES_PER_WRITE = 200;

/** Prints a result: one JSON document with `--json`, otherwise lines for a person. */
export function print(
  { out }: Pick<CliContext, "out">,
  { json }: { readonly json?: boolean | undefined },
  document: unknown,
  lines: () => Iterable<string>,
): void {
  if (json === true) out(JSON.stringify(document));
  else for (const line of lines()) out(line);
}

/** The result of a command. */
export interface Result {
  readonly document: unknown;
  /** The document for a person. */
  readonly lines: () => Iterable<string>;
  /** Lines on stderr, without `--json`. */
  readonly hints?: readonly string[];
  /** The reason why the command fails after printing. */
  readonly failure?: string | undefined;
}

/** Gives a command `--json` and an action that returns what to print. */
export function addPrinting<Given extends unknown[]>(
  command: Command,
  context: CliContext,
  run: (...args: Given) => Result | Promise<Result>,
): Command {
  return command.option(...JSON_OPTION).action(async (...args: Given) => {
    const { document, lines, hints = [], failure } = await run(...args);
    // A parent command may have the option too, and takes it wherever it stands.
    const options = command.optsWithGlobals<JsonOption>();
    print(context, options, document, lines);
    if (!options.json) for (const hint of hints) context.err(hint);
    if (failure !== undefined) throw new CommandFailure(failure);
  });
}

/** `1 company`, `2,000 companies` */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** The columns of a list that are read, and the ignored ones. */
export function columnsText({ used, unused }: UsedColumns): string {
  const rest = unused.length === 0 ? "" : ` Not used: ${unused.join(", ")}.`;
  return `Columns: ${used.map(({ column, field }) => `${column} (${field})`).join(", ")}.${rest}`;
}

/**
 * Writes lines, each with its own line break, to a file or to stdout, at the reader's pace and in constant memory. A
 * file gets its name when it is complete, readable only by its owner; until then the name ends in `.partial`.
 * @param onWritten receives the number of lines written so far
 * @throws {CommandFailure} if it cannot be written; errors of `lines` are passed on
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
      // One left by a killed process would keep its mode.
      await rm(partial, { force: true });
      await pipeline(blocks, createWriteStream(partial, { flags: "wx", mode: OWN_FILE_MODE }));
      await rename(partial, out);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  } catch (error) {
    // A reader that stops early (`| head`) is not a failure.
    if (out === undefined && fileErrorOf(error) === "EPIPE") return;
    throw unwritable(out ?? "stdout", error);
  }
}

/** Converts an error of the file system to a failure; returns any other error unchanged. */
export function unwritable(path: string, error: unknown): unknown {
  const code = fileErrorOf(error);
  if (code === undefined) return error;
  return new CommandFailure(
    `${path} cannot be written (${code}). Check that the folder exists, is writable and has free space.`,
  );
}

/** The same for a file that cannot be read; `advice` is the remedy. */
export function unreadable(path: string, error: unknown, advice: string): unknown {
  const code = fileErrorOf(error);
  return code === undefined ? error : new CommandFailure(`${path} cannot be read (${code}): ${advice}`);
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

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
