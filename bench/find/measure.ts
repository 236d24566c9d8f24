import type { Finder } from "../../src/search/finder.ts";
import { normalise } from "../../src/search/normalise.ts";
import type { QueryClass } from "./queries.ts";

/** What the queries of one class cost, and how many found what was meant. */
export interface ClassCost {
  readonly name: string;
  readonly queries: number;
  readonly medianUs: number;
  readonly p99Us: number;
  readonly worstUs: number;
  readonly worstQuery: string;
  /** The share with the company that was meant among the first 8, and as the first one. */
  readonly found: number;
  readonly first: number;
}

const DROPDOWN = 8;

/**
 * Takes the time of each query twice, all of them and then all again, and counts the shorter: what others on the machine took meanwhile
 * is no cost of ours. No answer is kept.
 */
export function measureClass(finder: Finder, { name, queries }: QueryClass): ClassCost {
  for (const { q } of queries.slice(0, 300)) finder.complete(q, DROPDOWN);
  const times = queries.map(({ q }) => ({ us: Number.POSITIVE_INFINITY, q }));
  let [found, first, meantOnes] = [0, 0, 0];
  for (let round = 0; round < 2; round++) {
    for (const [index, { q, meant }] of queries.entries()) {
      const beforeMs = performance.now();
      const items = finder.complete(q, DROPDOWN);
      const us = (performance.now() - beforeMs) * 1_000;
      const time = times[index];
      if (time !== undefined) time.us = Math.min(time.us, us);
      if (meant === undefined || round > 0) continue;
      meantOnes++;
      const isMeant = (one: string | undefined) => one !== undefined && normalise(one) === meant;
      const place = items.findIndex((item) => isMeant(item.name) || isMeant(item.matchedName));
      if (place >= 0) found++;
      if (place === 0) first++;
    }
  }
  times.sort((a, b) => a.us - b.us);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  return {
    name,
    queries: queries.length,
    medianUs: at(0.5)?.us ?? 0,
    p99Us: at(0.99)?.us ?? 0,
    worstUs: at(1)?.us ?? 0,
    worstQuery: at(1)?.q ?? "",
    found: found / Math.max(1, meantOnes),
    first: first / Math.max(1, meantOnes),
  };
}
