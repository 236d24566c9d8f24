import type { KvkNumber } from "../contract/numbers.ts";
import { EVIDENCE, EVIDENCE_NAMES, type EvidenceName } from "./evidence.ts";
import type { Matcher } from "./matcher.ts";
import { leftOutOf } from "./name/leftOut.ts";
import { logOdds, toScores } from "./scoring.ts";
import type { MatchOptions, MatchQuery } from "./types.ts";
import { WEIGHTS } from "./weights.ts";

/** One kind of evidence for or against a candidate. */
export interface ExplainedEvidence {
  readonly name: EvidenceName;
  readonly meaning: string;
  readonly value: number;
  readonly weight: number;
  /** Value times weight. */
  readonly contribution: number;
}

export interface ExplainedCandidate {
  readonly kvkNumber: KvkNumber;
  /** The name that was compared. */
  readonly name: string;
  /** Percent; 0 for a candidate that is not returned. */
  readonly score: number;
  /** The name of the query as it was compared, and its parts that were not. */
  readonly readAs: string;
  readonly leftOut: readonly string[];
  /** The loss of the sum because the name was not compared as it stands. */
  readonly readingCost: number;
  /**
   * The sum of the contributions, less that cost: the logarithm of the odds against a company that is not in the
   * registry.
   */
  readonly sum: number;
  readonly evidence: readonly ExplainedEvidence[];
}

/**
 * Returns the evidence of the candidates that names and addresses lead to, best first. A number in the query is not
 * evidence: it is weighed against the name.
 */
export function explain(
  matcher: Pick<Matcher, "prepare" | "compareReadings">,
  query: MatchQuery,
  options: MatchOptions,
): readonly ExplainedCandidate[] {
  const prepared = matcher.prepare(query);
  const compared = matcher.compareReadings(prepared, options);
  const scores = new Map(toScores(compared).map(({ kvkNumber, score }) => [kvkNumber, score]));
  return compared
    .map(({ kvkNumber, text, evidence, odds, readAs = prepared }) => ({
      kvkNumber,
      name: text,
      score: scores.get(kvkNumber) ?? 0,
      sum: odds,
      readAs: readAs.reading.text,
      leftOut: leftOutOf(readAs.reading),
      readingCost: logOdds(evidence) - odds,
      evidence: EVIDENCE_NAMES.flatMap((name) => {
        const value = evidence[name] ?? 0;
        const weight = WEIGHTS[name];
        const one = { name, meaning: EVIDENCE[name], value, weight, contribution: value * weight };
        return value === 0 ? [] : [one];
      }),
    }))
    .sort((a, b) => b.sum - a.sum)
    .slice(0, options.limit);
}
