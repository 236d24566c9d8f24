/** A list in a file or on stdin, in whatever form people have one. */
import { readFile, stat } from "node:fs/promises";
import type { JobKind } from "../../../client/src/jobs/index.ts";
import { JOB_BOUNDS } from "../../contract/jobs.ts";
import { CommandFailure, type Input, WrongUse } from "../command.ts";

export const LIST_FORMATS = ["text", "csv", "jsonl"] as const;
export type ListFileFormat = (typeof LIST_FORMATS)[number];

/** What is sent: numbers, or a file as it is. */
export type ListInput =
  | { readonly numbers: readonly string[] }
  | { readonly numbers: Blob; readonly format: "csv" | "jsonl" };

const STDIN = "-";
const ENDINGS = { ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl" } as const;

/**
 * Reads a list. Without a format the ending of the file's name says it, else its first line: JSON, a row that names columns, or numbers.
 * @throws {WrongUse | CommandFailure} (the promise) for what is no list, or cannot be read
 */
export async function readList(
  file: string,
  kind: JobKind,
  given: ListFileFormat | undefined,
  input: Input,
): Promise<ListInput> {
  const bytes = file === STDIN ? await bytesOf(input) : await bytesIn(file);
  const format = given ?? formatOf(file, bytes);
  if (format !== "text") return { numbers: new Blob([bytes]), format };
  // A VAT number may be written with blanks in it, a KVK number may not.
  const between = kind === "vat" ? /[\n,;]+/ : /[\s,;]+/;
  const numbers = bytes
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .split(between)
    .map((number) => number.trim())
    .filter((number) => number !== "");
  if (numbers.length === 0) throw new WrongUse("The list holds no number.");
  return { numbers };
}

function formatOf(file: string, bytes: Buffer): ListFileFormat {
  const ending = Object.entries(ENDINGS).find(([end]) => file.toLowerCase().endsWith(end));
  if (ending !== undefined) return ending[1];
  const [first = ""] = bytes.toString("utf8", 0, 4_096).trimStart().split("\n");
  if (/^[{"]/.test(first) && isJson(first)) return "jsonl";
  return first === "" || /[0-9]/.test(first) ? "text" : "csv";
}

function isJson(line: string): boolean {
  try {
    return JSON.parse(line) !== undefined;
  } catch {
    return false;
  }
}

async function bytesIn(file: string): Promise<Buffer<ArrayBuffer>> {
  try {
    const { size } = await stat(file);
    if (size > JOB_BOUNDS.mostBytes) throw tooLarge();
    return Buffer.from(await readFile(file));
  } catch (error) {
    if (error instanceof WrongUse) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new CommandFailure(
      `${file} cannot be read (${code}): name a file with a list in it, or - for stdin.`,
    );
  }
}

async function bytesOf({ isTerminal, lines }: Input): Promise<Buffer<ArrayBuffer>> {
  if (isTerminal) throw new WrongUse("Put the list on stdin, or name a file that holds it.");
  const parts: Buffer[] = [];
  let length = 0;
  for await (const line of lines()) {
    const part = Buffer.from(`${line}\n`);
    length += part.length;
    if (length > JOB_BOUNDS.mostBytes) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function tooLarge(): WrongUse {
  const [megabytes, numbers] = [JOB_BOUNDS.mostBytes / 1_048_576, JOB_BOUNDS.mostNumbers];
  return new WrongUse(
    `A list holds ${megabytes} MB and ${numbers.toLocaleString("en")} numbers at most: divide it.`,
  );
}
