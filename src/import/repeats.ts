import type { SourcedFacts } from "../company/facts.ts";
import type { Rejection } from "../company/rejection.ts";
import { quoted } from "../contract/quoting.ts";

const REASON = "repeated with another name: the newer record counts, or the later one of the same date";

/** A record that does not count, as another one of the import gives its company another name. */
export interface LostRecord extends RecordPlace {
  readonly record: SourcedFacts;
  readonly rejection: Rejection;
}

/** Where a record is. */
export interface RecordPlace {
  readonly file: string;
  readonly line: number;
}

/**
 * Of two records of one origin about a company the one that does not count; undefined if their names are the same, or
 * one is a fund, which may have the number of its manager.
 * @param places of both; undefined for an earlier one that is not to be reported
 */
export function lostRecord(
  earlier: SourcedFacts,
  later: SourcedFacts,
  places: readonly [earlier: RecordPlace | undefined, later: RecordPlace],
): LostRecord | undefined {
  if (places[0] === undefined || earlier.isFund || later.isFund) return undefined;
  if (plainName(earlier) === plainName(later)) return undefined;
  const both = [
    { record: earlier, ...places[0] },
    { record: later, ...places[1] },
  ] as const;
  const [lost, winner] = later.asOf < earlier.asOf ? [both[1], both[0]] : both;
  const detail = `${quoted(lost.record.facts.name)}; ${winner.file}:${winner.line} counts: ${quoted(winner.record.facts.name)}`;
  return { ...lost, rejection: { reason: REASON, detail } };
}

function plainName({ facts: { name } }: SourcedFacts): string {
  return name
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}
