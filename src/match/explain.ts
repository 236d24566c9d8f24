import type { KvkNumber } from "../contract/numbers.ts";
import { EVIDENCE, EVIDENCE_NAMES, type EvidenceName } from "./evidence.ts";
import type { Matcher } from "./matcher.ts";
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
  /** The sum of the contributions: the logarithm of the odds against a company that is not in the registry. */
  readonly sum: number;
  readonly evidence: readonly ExplainedEvidence[];
}

/** Returns the evidence of the candidates that names and addresses lead to, best first. A number in the query is not evidence: it is weighed against the name. */
export function explain(
  matcher: Pick<Matcher, "prepare" | "compare">,
  query: MatchQuery,
  options: MatchOptions,
): readonly ExplainedCandidate[] {
  const compared = matcher.compare(matcher.prepare(query), options);
  const scores = new Map(toScores(compared).map(({ kvkNumber, score }) => [kvkNumber, score]));
  return compared
    .map(({ kvkNumber, text, evidence }) => ({
      kvkNumber,
      name: text,
      score: scores.get(kvkNumber) ?? 0,
      sum: logOdds(evidence),
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
