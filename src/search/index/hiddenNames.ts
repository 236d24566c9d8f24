import type { NameIndex } from "./nameIndex.ts";
import { setBit } from "./rankSets.ts";

/**
 * Marks all names of some companies, one bit for each rank, so that they can be left out of what is found; in memory that threads can
 * share. Undefined when the index holds none of the companies.
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
    if (!records.isOnly(rank)) companies.add(kvk);
  }
  if (companies.size > 0) {
    for (let rank = 0; rank < index.names; rank++) {
      if (!records.isOwn(rank) && companies.has(records.kvk(rank))) setBit(bits, rank);
    }
  }
  return isAny ? bits : undefined;
}
