import type { NameIndex } from "./nameIndex.ts";
import { setBit } from "./rankSets.ts";

/**
 * Returns a bitmap of the ranks of all names of some companies, so that searches can skip them. Its memory can be
 * shared between threads. Undefined when the index contains none of the companies.
 */
export function markNames(index: NameIndex, kvkNumbers: Iterable<number>): Uint32Array | undefined {
  const { numbers, records } = index;
  const bits = new Uint32Array(new SharedArrayBuffer(Math.ceil(index.names / 32) * 4));
  let isAny = false;
  /** Companies with several names. */
  const companies = new Set<number>();
  for (const kvk of kvkNumbers) {
    const rank = numbers.rankOf(kvk);
    if (rank === undefined) continue;
    setBit(bits, rank);
    isAny = true;
    if (!records.isOnlyName(rank)) companies.add(kvk);
  }
  if (companies.size > 0) {
    for (let rank = 0; rank < index.names; rank++) {
      if (!records.isMainName(rank) && companies.has(records.kvk(rank))) setBit(bits, rank);
    }
  }
  return isAny ? bits : undefined;
}
