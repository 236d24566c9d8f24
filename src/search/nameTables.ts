import type { DatabaseSync } from "node:sqlite";
import { prepareQuery, type Query } from "../lib/rows.ts";
import type { Condition } from "./condition.ts";

/** A company with the name that was the hit: `text` is null where it is the company's own name. */
export type Hit = readonly [
  rank: number | null,
  kvk: number,
  text: string | null,
  name: string,
  city: string | null,
  postal: string | null,
  form: string | null,
  flags: number,
];

export const hitName = (hit: Hit): string => hit[2] ?? hit[3];
export const isActiveHit = (hit: Hit): boolean => (hit[7] & 1) === 1;

/** The first and the last of some ranks or KVK numbers, both included. */
export type Range = readonly [from: number, to: number];

/** Which companies: active ones, inactive ones, or both when undefined. */
export type IsActive = boolean | undefined;

/** A name can be the very same for many companies, `Jansen` for one; more than these are not looked at. */
const MOST_WITH_ONE_HASH = 256;

const COMPANY = "c.name, c.city, c.postal, c.form, c.flags";
/**
 * Numbers are bound as REAL, and for the index a REAL is no bound: without the casts it would read every rank, and
 * take any rank for an equal one.
 */
const MATCH = "f.find MATCH ?1 AND f.rowid BETWEEN CAST(?2 AS INTEGER) AND CAST(?3 AS INTEGER)";
const NAMES = "find f CROSS JOIN name n ON n.rank = f.rowid";
const IN_RANGE = "(c.flags & 1) = ? AND c.kvk BETWEEN ? AND ?";

/** The queries that the tables for finding answer. Hits come in the order of rank unless said otherwise. */
export class NameTables {
  readonly #activeRanks: Range;
  readonly #inactiveRanks: Range;
  readonly #matching: Query<Hit>;
  readonly #matchingNumbers: Query<Hit>;
  readonly #withHash: Query<Hit>;
  readonly #numbers: Query<Hit>;
  readonly #isMatch: Query<[1]>;
  readonly #countMatching: Query<[count: number, last: number | null]>;
  readonly #matchingCompanies: Query<[rank: number, kvk: number]>;
  readonly #rankOfOwnName: Query<[number]>;
  readonly #countNumbers: Query<[number]>;

  constructor(db: DatabaseSync, counts: { readonly names: number; readonly activeNames: number }) {
    this.#activeRanks = [1, counts.activeNames];
    this.#inactiveRanks = [counts.activeNames + 1, counts.names];
    const hits = `SELECT n.rank, n.kvk, n.text, ${COMPANY} FROM ${NAMES} CROSS JOIN company c ON c.kvk = n.kvk`;
    this.#matching = prepareQuery(db, `${hits} WHERE ${MATCH} ORDER BY f.rowid`);
    this.#matchingNumbers = prepareQuery(
      db,
      `${hits} WHERE ${MATCH} AND n.kvk BETWEEN ?4 AND ?5 ORDER BY f.rowid`,
    );
    this.#withHash = prepareQuery(
      db,
      `SELECT n.rank, n.kvk, n.text, ${COMPANY} FROM name n CROSS JOIN company c ON c.kvk = n.kvk
       WHERE n.hash = ? ORDER BY n.rank LIMIT ${MOST_WITH_ONE_HASH}`,
    );
    const byActivity = "company c INDEXED BY company_by_activity";
    this.#numbers = prepareQuery(
      db,
      `SELECT NULL, c.kvk, NULL, ${COMPANY} FROM ${byActivity} WHERE ${IN_RANGE} ORDER BY c.kvk`,
    );
    this.#isMatch = prepareQuery(db, `SELECT 1 FROM find f WHERE ${MATCH}`);
    this.#countMatching = prepareQuery(
      db,
      `SELECT count(*), max(rank) FROM (SELECT f.rowid AS rank FROM find f WHERE ${MATCH} ORDER BY f.rowid LIMIT ?4)`,
    );
    this.#matchingCompanies = prepareQuery(
      db,
      `SELECT n.rank, n.kvk FROM ${NAMES} WHERE ${MATCH} ORDER BY f.rowid LIMIT ?4`,
    );
    this.#rankOfOwnName = prepareQuery(
      db,
      "SELECT rank FROM name WHERE hash = ? AND kvk = ? AND text IS NULL",
    );
    this.#countNumbers = prepareQuery(
      db,
      `SELECT count(*) FROM (SELECT 1 FROM ${byActivity} WHERE ${IN_RANGE} LIMIT ?)`,
    );
  }

  /**
   * Names that satisfy a condition; `numbers` narrows them to companies with such KVK numbers. Nothing is asked of
   * the file before the first hit is wanted. One such iteration at a time.
   */
  *matching(condition: Condition, isActive: IsActive, numbers?: Range): Generator<Hit> {
    const asked = this.#asked(condition, isActive);
    if (asked === undefined) return;
    yield* numbers === undefined
      ? this.#matching.iterate(...asked)
      : this.#matchingNumbers.iterate(...asked, ...numbers);
  }

  withHash(hash: number): Hit[] {
    return this.#withHash.all(hash);
  }

  /** Companies with such KVK numbers, in the order of the numbers. */
  *numbers(isActive: boolean, numbers: Range): Generator<Hit> {
    yield* this.#numbers.iterate(isActive ? 1 : 0, ...numbers);
  }

  isMatch(condition: Condition, rank: number): boolean {
    return condition !== undefined && this.#isMatch.get(condition.text, rank, rank) !== undefined;
  }

  /** How many names satisfy a condition of those after a rank, `most` at most, and the rank of the last one counted. */
  countMatching(condition: Condition, isActive: IsActive, after: number, most: number): [number, number] {
    const asked = this.#asked(condition, isActive, after);
    const [count = 0, last] = (asked && this.#countMatching.get(...asked, most)) ?? [];
    return [count, last ?? after];
  }

  /** The first names after a rank that satisfy a condition, with their companies. */
  matchingCompanies(
    condition: Condition,
    isActive: IsActive,
    after: number,
    most: number,
  ): readonly [rank: number, kvk: number][] {
    const asked = this.#asked(condition, isActive, after);
    return asked === undefined ? [] : this.#matchingCompanies.all(...asked, most);
  }

  /** The rank of a company's own name, whose hash is given. */
  rankOfOwnName(hash: number, kvk: number): number | undefined {
    return this.#rankOfOwnName.get(hash, kvk)?.[0];
  }

  /** How many companies have such KVK numbers, `most` at most. */
  countNumbers(isActive: boolean, numbers: Range, most: number): number {
    return this.#countNumbers.get(isActive ? 1 : 0, ...numbers, most)?.[0] ?? 0;
  }

  /** The condition as text with the ranks to look at; undefined when there is nothing to find. */
  #asked(
    condition: Condition,
    isActive: IsActive,
    after = 0,
  ): [condition: string, ...ranks: Range] | undefined {
    const [first] = isActive === false ? this.#inactiveRanks : this.#activeRanks;
    const [, to] = isActive === true ? this.#activeRanks : this.#inactiveRanks;
    const from = Math.max(first, after + 1);
    return condition === undefined || from > to ? undefined : [condition.text, from, to];
  }
}
