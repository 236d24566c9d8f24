import type { QueryClass } from "./classes/queryClass.ts";
import type { Answer } from "./engines/engine.ts";
import { placeOf, type Relevance, relevanceOf } from "./metrics.ts";
import type { Query } from "./queries.ts";

export const SOURCES = ["real", "generated"] as const;
export type Source = (typeof SOURCES)[number];

/** The queries of one class for the names of one source. */
export interface QuerySet {
  readonly source: Source;
  readonly queryClass: QueryClass;
  readonly queries: readonly Query[];
}

/** What our answers to them came to. */
export interface Measured extends QuerySet {
  readonly answers: readonly Answer[];
  readonly relevance: Relevance;
}

export function measuredOf(set: QuerySet, answers: readonly Answer[]): Measured {
  return { ...set, answers, relevance: relevanceOf(set.queries, answers) };
}

/** The queries that do not put their company first, as lines of JSON. */
export function missesOf(measured: readonly Measured[]): string {
  const lines = measured.flatMap(({ source, queryClass, queries, answers }) =>
    queries.flatMap(({ q, wanted }, index) => {
      const answer = answers[index];
      const place = placeOf(wanted, answer);
      if (place === 1) return [];
      const hits = answer?.hits.map(({ names }) => names[0]);
      return [
        JSON.stringify({ source, class: queryClass.id, q, wanted: wanted.name, place: place ?? null, hits }),
      ];
    }),
  );
  return lines.map((line) => `${line}\n`).join("");
}
