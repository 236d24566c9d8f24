import type { SourcedFacts } from "../company/facts.ts";
import type { Rejection } from "../company/rejection.ts";
import { quoted } from "../contract/quoting.ts";

const REASON = "repeated with another name: the newer record counts, or the later one of the same date";

/** A record that does not count, as another one of the import gives its company another name. */
export interface LostRecord {
  readonly record: SourcedFacts;
  readonly line: number;
  readonly rejection: Rejection;
}

/**
 * Of two records of one origin about a company the one that does not count; undefined if their names are the same, or one
 * is a fund, which may have the number of its manager.
 * @param lines of both; that of the earlier one is unknown if it is in another file, or was reported before
 */
export function lostRecord(
  earlier: SourcedFacts,
  later: SourcedFacts,
  [earlierLine, laterLine]: readonly [earlier: number | undefined, later: number],
): LostRecord | undefined {
  if (earlierLine === undefined || earlier.isFund || later.isFund) return undefined;
  if (plainName(earlier) === plainName(later)) return undefined;
  const both = [
    { record: earlier, line: earlierLine },
    { record: later, line: laterLine },
  ] as const;
  const [lost, winner] = later.asOf < earlier.asOf ? [both[1], both[0]] : both;
  const detail = `${quoted(lost.record.facts.name)}; line ${winner.line} counts: ${quoted(winner.record.facts.name)}`;
  return { ...lost, rejection: { reason: REASON, detail } };
}

function plainName({ facts: { name } }: SourcedFacts): string {
  return name
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}
