import { mergeSorted } from "../lib/mergeSorted.ts";
import type { FoundHit } from "./ranking.ts";

/** A hit with what it is sorted by. */
interface Place {
  readonly hit: FoundHit;
  readonly group: number;
  readonly rankClass: number;
  readonly kvk: number;
}

/**
 * The hits of several indexes as one list, best first: by group, then by what ranks are made of. No company is shown by two indexes.
 * Where the hits of one index fall back to an earlier group, they keep their place behind those before them.
 */
export function* mergeHits(lists: readonly Iterable<FoundHit>[]): Generator<FoundHit> {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) yield* only;
  else for (const { hit } of mergeSorted(lists.map(placed), isBefore)) yield hit;
}

function* placed(hits: Iterable<FoundHit>): Generator<Place> {
  let group = 0;
  for (const hit of hits) {
    const { index, rank, isByNumber } = hit;
    group = Math.max(group, hit.group);
    const rankClass = isByNumber === true ? 0 : index.records.classes.classOf(rank);
    yield { hit, group, rankClass, kvk: index.records.kvk(rank) };
  }
}

function isBefore(a: Place, b: Place): boolean {
  if (a.group !== b.group) return a.group < b.group;
  return a.rankClass === b.rankClass ? a.kvk < b.kvk : a.rankClass < b.rankClass;
}
