import type { CompanyFacts } from "../../company/facts.ts";
import type { Rejection } from "../../company/rejection.ts";
import { mapBasisprofiel } from "../../kvk/map.ts";
import { isJsonObject } from "../../lib/values.ts";
import { type LineSource, parseJsonLine } from "../jsonl.ts";
import type { RecordResult } from "../outcome.ts";
import { readJsonValues } from "../records/json.ts";
import { type FormatContext, NO_DATE, skipped, textOf, used } from "./format.ts";

interface Parsed {
  readonly facts: CompanyFacts;
  readonly source?: LineSource;
  readonly leftOut?: readonly Rejection[];
}

/**
 * Reads our own form. The `source` of a company wins over origin and date of the import.
 * @throws {ImportRefused} when the file is not JSON
 */
export function readJsonl(context: FormatContext): AsyncGenerator<RecordResult> {
  return readJson(context, parseJsonLine);
}

/**
 * Reads KVK's Basisprofiel. Branches come with it as an added key `vestigingen`
 * (the API's VestigingList or its array), or next to it as `{basisprofiel, vestigingen}`.
 * @throws {ImportRefused} when the file is not JSON
 */
export function readKvk(context: FormatContext): AsyncGenerator<RecordResult> {
  return readJson(context, (text) => {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      return { reason: "is not valid JSON" };
    }
    const object = isJsonObject(parsed) ? parsed : {};
    const profile = isJsonObject(object.basisprofiel) ? object.basisprofiel : parsed;
    return mapBasisprofiel(profile, object.vestigingen);
  });
}

async function* readJson(
  { input, origin, asOf }: FormatContext,
  parse: (text: string) => Parsed | Rejection,
): AsyncGenerator<RecordResult> {
  for await (const record of readJsonValues(input.chunks, input.shownName)) {
    const { line, bytes } = record;
    const read = textOf(record);
    const parsed = "text" in read ? parse(read.text) : read;
    const date = "facts" in parsed ? (parsed.source?.asOf ?? asOf) : undefined;
    if (!("facts" in parsed)) yield skipped(line, parsed, bytes.toString("utf8"));
    else if (date === undefined) yield skipped(line, NO_DATE, bytes.toString("utf8"));
    else {
      const { facts, source, leftOut } = parsed;
      yield used(line, { origin: source?.origin ?? origin, asOf: date, facts }, leftOut);
    }
  }
}
