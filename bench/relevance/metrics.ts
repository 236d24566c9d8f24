import { normalise } from "../../src/search/normalise.ts";
import type { Answer } from "./engines/engine.ts";
import type { NamedCompany } from "./names.ts";
import type { Query } from "./queries.ts";

/** How many hits are asked for: a dropdown's. */
export const PLACES = 8;

/** What the answers to the queries of one class come to. */
export interface Relevance {
  readonly queries: number;
  /** Shares of the queries whose company is the first hit, and one of the first {@link PLACES}. */
  readonly first: number;
  readonly among: number;
  /** The mean of one divided by the place of the first right hit, 0 where there is none (Voorhees, TREC-8, 1999). */
  readonly reciprocalRank: number;
  readonly medianUs: number;
  readonly p99Us: number;
  readonly worstUs: number;
}

/** @param answers one for each query, in their order */
export function relevanceOf(queries: readonly Query[], answers: readonly Answer[]): Relevance {
  const places = queries.map(({ wanted }, index) => placeOf(wanted, answers[index]));
  const share = (count: number): number => count / Math.max(1, queries.length);
  const times = answers.map(({ us }) => us).sort((one, other) => one - other);
  return {
    queries: queries.length,
    first: share(places.filter((place) => place === 1).length),
    among: share(places.filter((place) => place !== undefined).length),
    reciprocalRank: share(
      places.reduce<number>((sum, place) => sum + (place === undefined ? 0 : 1 / place), 0),
    ),
    medianUs: quantile(times, 0.5),
    p99Us: quantile(times, 0.99),
    worstUs: times.at(-1) ?? 0,
  };
}

/**
 * The place of the first right hit, from 1; undefined where none of {@link PLACES} is right. Right is the company itself,
 * and one whose name is the same when normalised, as nobody could tell which was meant.
 */
export function placeOf({ kvkNumber, name }: NamedCompany, answer: Answer | undefined): number | undefined {
  const wanted = normalise(name);
  const found = (answer?.hits ?? [])
    .slice(0, PLACES)
    .findIndex((hit) => hit.kvkNumber === kvkNumber || hit.names.some((one) => normalise(one) === wanted));
  return found < 0 ? undefined : found + 1;
}

/** The least of the sorted times within which a share of them lies. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
