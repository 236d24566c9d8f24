import type { MatchNote } from "../contract/matchResources.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import { decideMatch, MATCH_SCORE, MIN_SCORE } from "./scoring.ts";
import type { Ranking } from "./types.ts";

/** Scores are rounded, so those computed from them must not make another company a match. */
const MAX_COMPUTED_SCORE = MATCH_SCORE - 0.1;

/** Notes about the query alone. Others would show that a company was there. */
const OF_QUERY: readonly MatchNote["code"][] = ["left_out", "number_unusable", "number_padded"];

/**
 * Removes companies from a result as if they were not in the registry: their share of the probability goes to the
 * others in proportion, and the decision is made again.
 */
export function withoutCandidates(result: Ranking, isRemoved: (kvkNumber: KvkNumber) => boolean): Ranking {
  const left = result.candidates.filter(({ kvkNumber }) => !isRemoved(kvkNumber));
  if (left.length === result.candidates.length) return result;
  const removedScore = result.candidates
    .filter(({ kvkNumber }) => isRemoved(kvkNumber))
    .reduce((sum, { score }) => sum + score, 0);
  const others = left
    .map((one) => ({ ...one, score: one.match ? one.score : scoreOf(one.score, 100 - removedScore) }))
    .filter(({ score }) => score >= MIN_SCORE);
  const decision = decideMatch(others);
  const candidates = others.map((one) => ({
    ...one,
    match: decision === "matched" && one.score >= MATCH_SCORE,
  }));
  const { notes: _, ...rest } = result;
  const notes = result.notes?.filter(({ code }) => OF_QUERY.includes(code)) ?? [];
  return { ...rest, decision, candidates, ...(notes.length > 0 && { notes }) };
}

function scoreOf(score: number, leftScore: number): number {
  return leftScore <= 0 ? 0 : Math.min(MAX_COMPUTED_SCORE, Math.round((1000 * score) / leftScore) / 10);
}
