/** Matches the queries in this process, as the service does, and counts the outcomes. */
import type { MatchOptions, MatchQuery, Ranking } from "../../src/match/types.ts";
import { quantile } from "../figures.ts";
import { NAME_DAMAGE_IDS } from "./damage.ts";
import type { QuerySet, TestQuery } from "./queries.ts";

/** As many candidates as the API returns by default. */
export const LIMIT = 3;
/** Queries of the other half, matched before anything is measured, so that the code is compiled. */
const WARM_UP_QUERIES = 2_000;

export type Match = (query: MatchQuery, options: MatchOptions) => Ranking;

export interface Outcome extends TestQuery {
  readonly result: Ranking;
  readonly us: number;
}

/** A class with the outcomes of its queries. */
export interface Measured extends QuerySet {
  readonly outcomes: readonly Outcome[];
}

export function measure(match: Match, sets: readonly QuerySet[], warmUp: readonly QuerySet[]): Measured[] {
  const others = warmUp.flatMap(({ queries }) => queries);
  const step = Math.ceil(others.length / WARM_UP_QUERIES);
  for (const [index, { query }] of others.entries()) if (index % step === 0) match(query, { limit: LIMIT });
  return sets.map((set) => ({ ...set, outcomes: set.queries.map((one) => matchOne(match, one)) }));
}

function matchOne(match: Match, one: TestQuery): Outcome {
  const startedMs = performance.now();
  const result = match(one.query, { limit: LIMIT });
  return { ...one, result, us: (performance.now() - startedMs) * 1_000 };
}

/** Whether a class damages the name; the goals are about these. */
export function isNameDamage({ damage }: QuerySet): boolean {
  return NAME_DAMAGE_IDS.has(damage.id);
}

export interface Tally {
  /** Queries about companies in the registry, by outcome. */
  readonly present: number;
  readonly right: number;
  readonly wrong: number;
  readonly ambiguous: number;
  /** Of the ambiguous ones: the company is one of the candidates. */
  readonly ambiguousWithRight: number;
  readonly none: number;
  /** Queries about withheld companies, and those of them that were matched. */
  readonly absent: number;
  readonly falseMatches: number;
  readonly medianUs: number;
  readonly p99Us: number;
}

export function tally(outcomes: readonly Outcome[]): Tally {
  const present = outcomes.filter(({ truth }) => truth !== undefined);
  const absent = outcomes.filter(({ truth }) => truth === undefined);
  const decided = (decision: Ranking["decision"]) =>
    present.filter(({ result }) => result.decision === decision);
  const right = present.filter(isRight).length;
  const times = Float64Array.from(outcomes, ({ us }) => us).sort();
  return {
    present: present.length,
    right,
    wrong: decided("matched").length - right,
    ambiguous: decided("ambiguous").length,
    ambiguousWithRight: decided("ambiguous").filter(({ truth, result }) =>
      result.candidates.some(({ kvkNumber }) => kvkNumber === truth),
    ).length,
    none: decided("none").length,
    absent: absent.length,
    falseMatches: absent.filter(({ result }) => result.decision === "matched").length,
    medianUs: quantile(times, 0.5),
    p99Us: quantile(times, 0.99),
  };
}

/** Whether the company meant was matched. @throws {RangeError} if a match does not have exactly one company */
export function isRight({ truth, result }: Outcome): boolean {
  if (result.decision !== "matched") return false;
  const [match, ...others] = result.candidates.filter((candidate) => candidate.match);
  if (match === undefined || others.length > 0) throw new RangeError("a match must have exactly one company");
  return match.kvkNumber === truth;
}

/** The share of matches that are wrong. */
export function wrongShare({ right, wrong, falseMatches }: Tally): number {
  return (wrong + falseMatches) / Math.max(1, right + wrong + falseMatches);
}

/** The share of companies in the registry that are matched. */
export function recall({ right, present }: Tally): number {
  return right / Math.max(1, present);
}

export interface ScoreBand {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly meanScore: number;
  /** The share of best candidates that are the company meant. */
  readonly right: number;
}

const BAND_EDGES = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 100];

/** How often the best candidate is the company meant, by its score. */
export function scoreBands(outcomes: readonly Outcome[]): ScoreBand[] {
  const best = outcomes.flatMap(({ truth, result: { candidates } }) => {
    const [first] = candidates;
    return first === undefined ? [] : [{ score: first.score, isRight: first.kvkNumber === truth }];
  });
  return BAND_EDGES.slice(1).map((to, index) => {
    const from = BAND_EDGES[index] ?? 0;
    const inside = best.filter(({ score }) => score >= from && (score < to || (to === 100 && score === to)));
    const count = inside.length;
    const sum = inside.reduce((total, { score }) => total + score, 0);
    const right = inside.filter((one) => one.isRight).length;
    return { from, to, count, meanScore: sum / Math.max(1, count), right: right / Math.max(1, count) };
  });
}
