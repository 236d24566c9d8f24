import { parseJsonLine } from "../jsonl.ts";
import { ImportRefused, type Outcome } from "../outcome.ts";
import { peek } from "../peek.ts";
import { readJsonLines } from "../records/json.ts";
import { type FormatContext, NO_DATE, skipped, textOf, used } from "./format.ts";

const HEAD_BYTES = 64 * 1024;

/**
 * Our own form. A line's own `source` says where and when it comes from, else the import does.
 * @throws {ImportRefused} when the file is plainly something else
 */
export async function* readJsonl({ input, origin, asOf }: FormatContext): AsyncGenerator<Outcome> {
  const { head, whole } = await peek(input.chunks, HEAD_BYTES);
  const found = otherForm(head.toString("utf8"));
  if (found !== undefined) {
    throw new ImportRefused(
      `${input.shownName} is ${found}; the format jsonl is one company a line, as opzoek export writes it. ` +
        "Answers of KVK's API are read by the format kvk, tables by the format csv.",
    );
  }
  for await (const record of readJsonLines(whole)) {
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

/** What the file is when its first lines show that it is not one object a line. One bad line shows nothing yet. */
function otherForm(head: string): string | undefined {
  const [first = "", second = ""] = head
    .replace(/^\ufeff/, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (first.startsWith("[")) return "a JSON array";
  if (first === "{") return "pretty-printed JSON";
  return first.startsWith("{") || second.startsWith("{") ? undefined : "not JSON";
}
