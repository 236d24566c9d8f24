/** A list in a file or on stdin, in the formats that people use. */
import { createReadStream } from "node:fs";
import type { JobKind } from "../../../client/src/jobs/index.ts";
import { KVK_NUMBER_HEADINGS, plainHeading, VAT_NUMBER_HEADINGS } from "../../contract/headings.ts";
import { JOB_BOUNDS, maxBytesOf } from "../../contract/jobs.ts";
import { rowReader } from "../../match/rowQueries.ts";
import { UsageError } from "../command.ts";
import { unreadable } from "../output.ts";
import type { Stdin } from "../terminal.ts";
import { tableIn, textIn } from "./listText.ts";

export const LIST_FORMATS = ["text", "csv", "jsonl"] as const;
export type ListFileFormat = (typeof LIST_FORMATS)[number];

/** The input of a list: numbers, or an unchanged file. */
export type ListInput =
  | { readonly numbers: readonly string[] }
  | { readonly numbers: Blob; readonly format: "csv" | "jsonl" };

const STDIN = "-";
const NUMBER_HEADINGS: ReadonlySet<string> = new Set([
  ...KVK_NUMBER_HEADINGS,
  ...VAT_NUMBER_HEADINGS,
  "number",
  "nummer",
]);
/** VAT numbers may contain spaces, and names also commas. */
const SEPARATORS: Partial<Record<JobKind, RegExp>> = { vat: /[\n,;]+/, match: /\r\n?|\n/ };
const SEPARATOR_OF_KVK_NUMBERS = /[\s,;]+/;

/** @param maxBytes the maximum of a list of its kind */
const tooLarge = (maxBytes: number) =>
  `A list may contain at most ${JOB_BOUNDS.maxNumbers.toLocaleString("en")} items and ${maxBytes / 1_048_576} MB: split it.`;

/**
 * Reads a list. Without `givenFormat` the format follows from the file's name, else from its first line: JSON, column
 * headings, or numbers.
 * @throws {UsageError | CommandFailure} (the promise)
 */
export async function readList(
  file: string,
  kind: JobKind,
  givenFormat: ListFileFormat | undefined,
  input: Stdin,
): Promise<ListInput> {
  const bytes = await readBytes(file, input, maxBytesOf(kind));
  const text = textIn(bytes, file);
  const format = givenFormat ?? formatOf(file, text);
  if (format === "jsonl") return { numbers: new Blob([text]), format };
  if (format === "csv") {
    const isHeader = (cells: readonly string[]) =>
      kind === "match"
        ? rowReader(cells) !== undefined
        : cells.some((cell) => NUMBER_HEADINGS.has(plainHeading(cell)));
    const table = tableIn(text, isHeader);
    return { numbers: new Blob([`sep=${table.delimiter}\n`, new Uint8Array(table.bytes)]), format };
  }
  const numbers = text
    .trimEnd()
    .split(SEPARATORS[kind] ?? SEPARATOR_OF_KVK_NUMBERS)
    .map((number) => number.trim())
    .filter((number) => number !== "" || kind === "match");
  if (numbers.every((number) => number === "")) throw new UsageError("The list contains no numbers.");
  return { numbers };
}

function formatOf(file: string, text: string): ListFileFormat {
  if (/\.csv$/i.test(file)) return "csv";
  if (/\.(jsonl|ndjson)$/i.test(file)) return "jsonl";
  const [first = ""] = text.slice(0, 4_096).trimStart().split("\n");
  if (/^(\{.*\}|"[^"]*")\s*$/.test(first)) return "jsonl";
  return first === "" || /[0-9]/.test(first) ? "text" : "csv";
}

/** Reads a file or stdin. @throws {UsageError | CommandFailure} (the promise) */
export async function readBytes(file: string, input: Stdin, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const isPiped = file === STDIN;
  if (isPiped && input.isTerminal)
    throw new UsageError("Pipe the input to stdin, or give the name of a file.");
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of isPiped ? input.lines() : createReadStream(file)) {
      const part = Buffer.from(isPiped ? `${chunk}\n` : chunk);
      length += part.length;
      if (length > maxBytes) throw new UsageError(tooLarge(maxBytes));
      parts.push(part);
    }
  } catch (error) {
    throw unreadable(file, error, "give the name of a file, or - for stdin.");
  }
  return Buffer.concat(parts);
}
