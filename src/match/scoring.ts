import type { Compared } from "./comparison.ts";
import type { Evidence, EvidenceName } from "./evidence.ts";
import { contradictions, isWhole, wholeNamesFirst } from "./identity.ts";
import type { MatchDecision } from "./types.ts";
import { WEIGHTS } from "./weights.ts";

/** A compared company with its score. */
export interface Judged extends Compared {
  /** The probability that it is meant, percent, with one decimal. */
  readonly score: number;
}

/** The score from which one candidate counts as the company. */
export const MATCH_SCORE = 90;
/** Many companies share an address, so an address alone never decides. */
const MAX_WITHOUT_NAME = 80;
/** A person must look at what contradicts the query. */
const MAX_CONTRADICTED = MATCH_SCORE - 1;
/** Only a number makes a company certain. */
const MAX_BY_NAME = 99.9;
/** Candidates with a lower score are not returned. */
export const MIN_SCORE = 1;

function isEvidenceName(name: string): name is EvidenceName {
  return name in WEIGHTS;
}

/**
 * Returns the natural logarithm of the odds that a candidate is meant, against a company that is not in the registry.
 */
export function logOdds(evidence: Evidence): number {
  let sum = 0;
  // Most evidence is absent, so reading every name would take several times as long.
  for (const name in evidence) if (isEvidenceName(name)) sum += WEIGHTS[name] * (evidence[name] ?? 0);
  return sum;
}

/**
 * Divides the probability among the candidates and the chance that the company is not in the registry, whose odds are 1
 * (conditional logit). Two companies that fit equally well get at most 50 each.
 */
export function toScores(compared: readonly Compared[]): Judged[] {
  const isContradicted = contradictions(compared);
  const weighed = wholeNamesFirst(compared).map((one) => ({ one, weight: Math.exp(one.odds) }));
  const all = weighed.reduce((sum, { weight }) => sum + weight, 1);
  return weighed
    .map(({ one, weight }) => {
      const score = Math.round((1000 * weight) / all) / 10;
      const most = isContradicted(one)
        ? MAX_CONTRADICTED
        : one.evidence.noName
          ? MAX_WITHOUT_NAME
          : MAX_BY_NAME;
      return { ...one, score: Math.min(score, most) };
    })
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((a, b) => b.score - a.score || wholeRank(b) - wholeRank(a) || (a.kvkNumber < b.kvkNumber ? -1 : 1));
}

/** Orders companies with one score: equal names first, legal form included before others. */
const wholeRank = (one: Compared) => Number(isWhole(one)) + (one.evidence.sameName ?? 0);

/** @param judged best first */
export function decideMatch(judged: readonly Pick<Judged, "score">[]): MatchDecision {
  const [best] = judged;
  if (best === undefined) return "none";
  if (best.score >= MATCH_SCORE) return "matched";
  return judged.reduce((sum, { score }) => sum + score, 0) >= 50 ? "ambiguous" : "none";
}
