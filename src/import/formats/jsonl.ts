import { parseJsonLine } from "../jsonl.ts";
import type { Outcome } from "../outcome.ts";
import { readJsonValues } from "../records/json.ts";
import { type FormatContext, NO_DATE, skipped, textOf, used } from "./format.ts";

/**
 * Reads our own form, one company a line or in an array. The `source` of a company wins over origin and date of the import.
 * @throws {ImportRefused} when the file is not JSON
 */
export async function* readJsonl({ input, origin, asOf }: FormatContext): AsyncGenerator<Outcome> {
  for await (const record of readJsonValues(input.chunks, input.shownName)) {
    const { line, bytes } = record;
    const read = textOf(record);
    if (!("text" in read)) {
      yield skipped(line, read, bytes.toString("utf8"));
      continue;
    }
    const parsed = parseJsonLine(read.text);
    if (!("facts" in parsed)) {
      yield skipped(line, parsed, read.text);
      continue;
    }
    const { facts, source, leftOut } = parsed;
    const date = source?.asOf ?? asOf;
    if (date === undefined) yield skipped(line, NO_DATE, read.text);
    else yield used(line, { origin: source?.origin ?? origin, asOf: date, facts }, leftOut);
  }
}
