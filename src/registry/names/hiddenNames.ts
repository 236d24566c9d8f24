import { markNames } from "../../search/index/hiddenNames.ts";
import { NameIndex } from "../../search/index/nameIndex.ts";

/**
 * Returns a bitmap of the names of a base that its delta replaces. Undefined without a delta, or when it replaces none.
 * @param indexes the index of the base, and of the delta if there is one
 */
export function hiddenNames([base, delta]: readonly SharedArrayBuffer[]): Uint32Array | undefined {
  if (base === undefined || delta === undefined) return undefined;
  return markNames(new NameIndex(base), numbersOf(new NameIndex(delta)));
}

function* numbersOf({ numbers, records }: NameIndex): Generator<number> {
  for (let place = 0; place < numbers.companies; place++) yield records.kvk(numbers.rankAt(place));
}
