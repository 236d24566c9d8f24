import { isUtf8 } from "node:buffer";
import type { SourcedFacts } from "../../company/facts.ts";
import type { Rejection } from "../../company/rejection.ts";
import type { ImportInput } from "../open/openInput.ts";
import type { RecordResult } from "../outcome.ts";
import type { RawRecord } from "../records/cutRecords.ts";

/** The input of a format's reader. */
export interface FormatContext {
  readonly input: ImportInput;
  /** The origin of records that do not name one themselves. */
  readonly origin: string;
  /** The date of records that do not carry one, ISO 8601 UTC; undefined for a pipe without `--as-of`. */
  readonly asOf: string | undefined;
  /** Called with the columns of a table that hold no known field. */
  readonly onUnused?: (columns: readonly string[]) => void;
  /** Called when a table does not end with a line break. */
  readonly onUnended?: () => void;
}

export const NO_DATE: Rejection = {
  reason: "carries no date, and a pipe has no time: pass --as-of DATE, the date of the data",
};

export function used(line: number, sourced: SourcedFacts, leftOut: readonly Rejection[] = []): RecordResult {
  return { kind: "facts", line, sourced, leftOut };
}

export function skipped(line: number, rejection: Rejection, record: string): RecordResult {
  return { kind: "skipped", line, rejection, record };
}

/** Returns the text of a record, or the reason why it has none. */
export function textOf({ bytes, fault }: RawRecord): { text: string } | Rejection {
  if (fault !== undefined) return { reason: fault };
  return isUtf8(bytes) ? { text: bytes.toString("utf8") } : { reason: "is not valid UTF-8" };
}
