import { mergeSorted } from "../lib/mergeSorted.ts";
import type { FoundHit } from "./ranking.ts";

/** A hit with its sort keys. */
interface SortableHit {
  readonly hit: FoundHit;
  readonly group: number;
  readonly rankClass: number;
  readonly kvk: number;
}

/**
 * Merges the hits of several indexes into one list, best first: by group, rank class and KVK number. Each company must
 * be visible in at most one index. The hits of one index keep their order, even if one has a lower group than the hit
 * before it.
 */
export function* mergeHits(lists: readonly Iterable<FoundHit>[]): Generator<FoundHit> {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) yield* only;
  else for (const { hit } of mergeSorted(lists.map(sortable), isBefore)) yield hit;
}

function* sortable(hits: Iterable<FoundHit>): Generator<SortableHit> {
  let group = 0;
  for (const hit of hits) {
    const { index, rank, isByNumber } = hit;
    group = Math.max(group, hit.group);
    const rankClass = isByNumber === true ? 0 : index.records.classes.classOf(rank);
    yield { hit, group, rankClass, kvk: index.records.kvk(rank) };
  }
}

function isBefore(a: SortableHit, b: SortableHit): boolean {
  if (a.group !== b.group) return a.group < b.group;
  return a.rankClass === b.rankClass ? a.kvk < b.kvk : a.rankClass < b.rankClass;
}
