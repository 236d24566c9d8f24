import { parseJsonLine } from "../../jsonl.ts";
import { ImportRefused, type Outcome } from "../outcome.ts";
import type { RawRecord } from "../records/cutRecords.ts";
import { readJsonLines } from "../records/json.ts";
import { type FormatContext, NO_DATE, skipped, textOf, used } from "./format.ts";

/** Our own form. A line's own `source` says where and when it comes from, else the import does. */
export async function* readJsonl({ input, origin, asOf }: FormatContext): AsyncGenerator<Outcome> {
  let isFirst = true;
  for await (const record of readJsonLines(input.chunks)) {
    if (isFirst) refuseOtherJson(record, input.shownName);
    isFirst = false;
    yield outcomeOf(record, origin, asOf);
  }
}

function outcomeOf(record: RawRecord, origin: string, asOf: string | undefined): Outcome {
  const { line, bytes } = record;
  const read = textOf(record);
  if (!("text" in read)) return skipped(line, read, bytes.toString("utf8"));
  const parsed = parseJsonLine(read.text);
  if (!("facts" in parsed)) return skipped(line, parsed, read.text);
  const { facts, source } = parsed;
  const date = source?.asOf ?? asOf;
  if (date === undefined) return skipped(line, NO_DATE, read.text);
  return used(line, { origin: source?.origin ?? origin, asOf: date, facts });
}

function refuseOtherJson({ bytes }: RawRecord, shownName: string): void {
  const start = bytes.subarray(0, 16).toString("utf8").trim();
  if (start.startsWith("[") || start === "{") {
    throw new ImportRefused(
      `${shownName} is ${start === "{" ? "pretty-printed JSON" : "a JSON array"}; the format jsonl is one company a line. ` +
        "Write it as jq -c '.[]' does, or import answers of KVK's API with the format kvk.",
    );
  }
}
