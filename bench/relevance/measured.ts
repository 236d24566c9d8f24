import { normalise } from "../../src/search/normalise.ts";
import type { QueryClass } from "./classes/queryClass.ts";
import type { NamedCompany } from "./names.ts";
import type { Query } from "./queries.ts";

export const SOURCES = ["real", "generated"] as const;
export type Source = (typeof SOURCES)[number];

/** Hits that are asked for: as many as a dropdown shows. */
export const PLACES = 8;

export interface Answer {
  /** Best first. */
  readonly hits: readonly { readonly kvkNumber: string; readonly names: readonly string[] }[];
  readonly us: number;
}

/** The queries of one class for the names of one source. */
export interface QuerySet {
  readonly source: Source;
  readonly queryClass: QueryClass;
  readonly queries: readonly Query[];
}

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

/** A class with the answers to its queries. */
export interface Measured extends QuerySet {
  readonly answers: readonly Answer[];
  readonly relevance: Relevance;
}

export function measuredOf(set: QuerySet, answers: readonly Answer[]): Measured {
  return { ...set, answers, relevance: relevanceOf(set.queries, answers) };
}

/** @param answers one for each query, in their order */
export function relevanceOf(queries: readonly Query[], answers: readonly Answer[]): Relevance {
  const places = queries.map(({ wanted }, index) => placeOf(wanted, answers[index]));
  const share = (count: number): number => count / Math.max(1, queries.length);
  const times = answers.map(({ us }) => us).sort((one, other) => one - other);
  const quantile = (part: number) => times[Math.max(0, Math.ceil(times.length * part) - 1)] ?? 0;
  return {
    queries: queries.length,
    first: share(places.filter((place) => place === 1).length),
    among: share(places.filter((place) => place !== undefined).length),
    reciprocalRank: share(
      places.reduce<number>((sum, place) => sum + (place === undefined ? 0 : 1 / place), 0),
    ),
    medianUs: quantile(0.5),
    p99Us: quantile(0.99),
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

/** The queries that do not put their company first, as lines of JSON. */
export function missesOf(measured: readonly Measured[]): string {
  const lines = measured.flatMap(({ source, queryClass, queries, answers }) =>
    queries.flatMap(({ q, wanted }, index) => {
      const place = placeOf(wanted, answers[index]);
      if (place === 1) return [];
      const hits = answers[index]?.hits.map(({ names }) => names[0]);
      const miss = { source, class: queryClass.id, q, wanted: wanted.name, place: place ?? null, hits };
      return [`${JSON.stringify(miss)}\n`];
    }),
  );
  return lines.join("");
}
