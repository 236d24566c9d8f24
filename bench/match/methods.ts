/** The usual ways to find the company with the most similar name. */
import MiniSearch from "minisearch";
import { Client } from "pg";
import type { KvkNumber } from "../../src/contract/numbers.ts";
import { startPostgres } from "../postgres.ts";

/** Candidates per query. */
const PLACES = 10;
/** Winkler's bonus for each common letter at the start, and the most letters that count (1990). */
const PREFIX_BONUS = 0.1;
const MAX_PREFIX = 4;

/** A name in the form in which all methods compare it. */
export interface NameRow {
  readonly kvkNumber: KvkNumber;
  readonly text: string;
  readonly city: string;
}

export interface Scored extends NameRow {
  readonly score: number;
}

export interface Method {
  readonly title: string;
  /** Returns the {@link PLACES} most similar rows, best first. */
  readonly find: (text: string) => Promise<readonly Scored[]>;
  readonly stop: () => Promise<void>;
}

export function jaroWinklerOver(rows: readonly NameRow[]): Method {
  const find = (text: string): Scored[] => {
    const best: Scored[] = [];
    for (const row of rows) {
      const score = jaroWinkler(text, row.text);
      if (score <= (best[PLACES - 1]?.score ?? 0)) continue;
      best.splice(best.findLastIndex((one) => one.score >= score) + 1, 0, { ...row, score });
      best.length = Math.min(best.length, PLACES);
    }
    return best;
  };
  return { title: "Jaro-Winkler", find: async (text) => find(text), stop: async () => {} };
}

/** Similarity, 0 to 1, by common letters and their order, with a bonus for a common start. */
export function jaroWinkler(one: string, other: string): number {
  const reach = Math.max(0, Math.floor(Math.max(one.length, other.length) / 2) - 1);
  const taken = new Uint8Array(other.length);
  let common = "";
  for (let place = 0; place < one.length; place++) {
    const end = Math.min(other.length, place + reach + 1);
    for (let at = Math.max(0, place - reach); at < end; at++) {
      if (taken[at] === 1 || other.charCodeAt(at) !== one.charCodeAt(place)) continue;
      taken[at] = 1;
      common += one[place];
      break;
    }
  }
  const count = common.length;
  if (count === 0) return 0;
  let moved = 0;
  let nth = 0;
  for (let at = 0; at < other.length; at++) {
    if (taken[at] === 1 && common[nth++] !== other[at]) moved += 0.5;
  }
  const jaro = (count / one.length + count / other.length + (count - moved) / count) / 3;
  let prefix = 0;
  while (prefix < Math.min(MAX_PREFIX, one.length) && one[prefix] === other[prefix]) prefix++;
  return jaro + prefix * PREFIX_BONUS * (1 - jaro);
}

/** With prefixes and misspellings, as its documentation suggests for names. */
export function miniSearchOver(rows: readonly NameRow[]): Method {
  const search = new MiniSearch({
    fields: ["text"],
    searchOptions: { prefix: true, fuzzy: 0.2 },
  });
  search.addAll(rows.map(({ text }, id) => ({ id, text })));
  const find = (text: string): Scored[] =>
    search
      .search(text)
      .slice(0, PLACES)
      .flatMap(({ id, score }) => {
        const row = rows[Number(id)];
        return row === undefined ? [] : [{ ...row, score }];
      });
  return { title: "MiniSearch", find: async (text) => find(text), stop: async () => {} };
}

/** Common groups of three letters, with an index that returns the nearest names. */
export async function postgresTrigrams(rows: readonly NameRow[]): Promise<Method> {
  const postgres = await startPostgres();
  const client = new Client(postgres.url);
  const stop = async () => {
    await client.end();
    await postgres.stop();
  };
  try {
    await client.connect();
    await client.query("create extension pg_trgm");
    await client.query("create table names (id int primary key, name text not null)");
    const ids = rows.map((_, id) => id);
    const names = rows.map(({ text }) => text);
    await client.query("insert into names select * from unnest($1::int[], $2::text[])", [ids, names]);
    await client.query("create index on names using gist (name gist_trgm_ops(siglen = 64))");
    await client.query("analyze names");
  } catch (error) {
    await stop();
    throw error;
  }
  const find = async (text: string): Promise<Scored[]> => {
    const found = await client.query<{ id: number; score: number }>(
      `select id, 1 - (name <-> $1) as score from names order by name <-> $1, id limit ${PLACES}`,
      [text],
    );
    return found.rows.flatMap(({ id, score }) => {
      const row = rows[id];
      return row === undefined ? [] : [{ ...row, score }];
    });
  };
  return { title: "PostgreSQL trigrams", find, stop };
}
