/** Asks the queries in this process, as the service does, and computes the figures. */
import { normalise } from "../../src/search/normalise.ts";
import { quantile } from "../figures.ts";
import { CLASSES, type QueryClass } from "./classes.ts";
import { type Query, queriesOf } from "./queries.ts";
import { type Half, halfOf, type NamedCompany, type RegistrySize, surveyRegistry } from "./registry.ts";

/** The number of hits that are requested: as many as a dropdown shows. */
export const PLACES = 8;
/** Generated names of the other half, asked in all ways before anything is measured, so that the code is compiled. */
const WARM_UP_NAMES = 150;

type Source = "real" | "generated";

export interface Answer {
  /** Best first. */
  readonly hits: readonly {
    readonly kvkNumber: string;
    readonly name: string;
    readonly matchedName?: string;
  }[];
  readonly us: number;
}

/** Finds at most `limit` companies, best first. */
export type Find = (q: string, limit: number) => Answer["hits"];

/** The queries of one class for the names of one source. */
interface QuerySet {
  readonly source: Source;
  readonly queryClass: QueryClass;
  readonly queries: readonly Query[];
}

export interface Relevance {
  readonly queries: number;
  /** The shares of queries whose company is the first hit, and one of the first {@link PLACES}. */
  readonly first: number;
  readonly shown: number;
  /** The mean of one divided by the place of the first right hit, 0 if there is none (Voorhees, TREC-8, 1999). */
  readonly reciprocalRank: number;
  readonly medianUs: number;
  readonly p99Us: number;
  readonly maxUs: number;
}

/** A class with the answers to its queries, one for each in their order. */
export interface Measured extends QuerySet {
  readonly answers: readonly Answer[];
  readonly relevance: Relevance;
}

/** All queries of a run, made before the first call. */
export interface Prepared {
  readonly sets: readonly QuerySet[];
  readonly warmUp: readonly string[];
}

/** @param names companies of each source that are searched for, at most */
export function prepare(size: RegistrySize, half: Half, names: number): Prepared {
  const survey = surveyRegistry(size, names);
  const real = size.real.filter(({ kvkNumber }) => halfOf(kvkNumber) === half);
  const setsOf = (source: Source, companies: readonly NamedCompany[]): QuerySet[] =>
    CLASSES.map((queryClass) => ({
      source,
      queryClass,
      queries: queriesOf(queryClass, companies, survey.names),
    }));
  const sets = [
    ...(real.length > 0 ? setsOf("real", spread(real, names)) : []),
    ...setsOf("generated", survey.generated[half]),
  ];
  const measured = new Set(sets.flatMap(({ queries }) => queries.map(({ q }) => q)));
  const others = survey.generated[half === "tune" ? "measured" : "tune"].slice(0, WARM_UP_NAMES);
  const warmUp = setsOf("generated", others).flatMap(({ queries }) => queries.map(({ q }) => q));
  return { sets, warmUp: warmUp.filter((q) => !measured.has(q)) };
}

/** Picks `count` elements from all over a list. */
function spread<T>(list: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, list.length / count);
  return list.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** Asks all queries, each text once, so that no cached answer is measured. */
export function measure(find: Find, { sets, warmUp }: Prepared): Measured[] {
  for (const q of warmUp) find(q, PLACES);
  const answered = new Map<string, Answer>();
  return sets.map((set) => {
    const answers = set.queries.map(({ q }) => {
      const answer = answered.get(q) ?? ask(find, q);
      answered.set(q, answer);
      return answer;
    });
    return { ...set, answers, relevance: relevanceOf(set.queries, answers) };
  });
}

function ask(find: Find, q: string): Answer {
  const startedMs = performance.now();
  const hits = find(q, PLACES);
  return { hits, us: (performance.now() - startedMs) * 1_000 };
}

export function relevanceOf(queries: readonly Query[], answers: readonly Answer[]): Relevance {
  const places = queries.map(({ target }, index) => placeOf(target, answers[index]));
  const mean = (score: (place: number) => number): number =>
    places.reduce<number>((sum, place) => sum + (place === undefined ? 0 : score(place)), 0) /
    Math.max(1, queries.length);
  const times = Float64Array.from(answers, ({ us }) => us).sort();
  return {
    queries: queries.length,
    first: mean((place) => (place === 1 ? 1 : 0)),
    shown: mean(() => 1),
    reciprocalRank: mean((place) => 1 / place),
    medianUs: quantile(times, 0.5),
    p99Us: quantile(times, 0.99),
    maxUs: quantile(times, 1),
  };
}

/**
 * Returns the place of the first right hit, from 1; undefined if none of the first {@link PLACES} is right. Right is
 * the company itself, and any company whose name is the same when normalised, because a caller cannot tell them apart.
 */
export function placeOf({ kvkNumber, name }: NamedCompany, answer: Answer | undefined): number | undefined {
  const target = normalise(name);
  const found = (answer?.hits ?? [])
    .slice(0, PLACES)
    .findIndex(
      (hit) =>
        hit.kvkNumber === kvkNumber ||
        [hit.name, hit.matchedName ?? hit.name].some((one) => normalise(one) === target),
    );
  return found < 0 ? undefined : found + 1;
}
