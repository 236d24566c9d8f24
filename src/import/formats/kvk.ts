import { mapBasisprofiel } from "../../kvk/map.ts";
import { isJsonObject } from "../../lib/values.ts";
import type { Outcome } from "../outcome.ts";
import type { RawRecord } from "../records/cutRecords.ts";
import { readJsonValues } from "../records/json.ts";
import { type FormatContext, NO_DATE, skipped, textOf, used } from "./format.ts";

/**
 * KVK's Basisprofiel, one a line, in an array, or pretty-printed. Branches come with it as an added key `vestigingen`
 * (the API's VestigingList or its array), or beside it as `{basisprofiel, vestigingen}`.
 */
export async function* readKvk({ input, origin, asOf }: FormatContext): AsyncGenerator<Outcome> {
  for await (const record of readJsonValues(input.chunks, input.shownName)) {
    yield outcomeOf(record, origin, asOf);
  }
}

function outcomeOf(record: RawRecord, origin: string, asOf: string | undefined): Outcome {
  const { line, bytes } = record;
  const read = textOf(record);
  if (!("text" in read)) return skipped(line, read, bytes.toString("utf8"));
  let parsed: unknown;
  try {
    parsed = JSON.parse(read.text);
  } catch {
    return skipped(line, { reason: "is not valid JSON" }, read.text);
  }
  const object = isJsonObject(parsed) ? parsed : {};
  const profile = isJsonObject(object.basisprofiel) ? object.basisprofiel : parsed;
  const mapped = mapBasisprofiel(profile, object.vestigingen);
  if (!("facts" in mapped)) return skipped(line, mapped, read.text);
  if (asOf === undefined) return skipped(line, NO_DATE, read.text);
  return used(line, { origin, asOf, facts: mapped.facts }, mapped.leftOut);
}
