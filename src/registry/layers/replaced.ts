import { lowerBound } from "../../search/index/rankSets.ts";

/** The companies that the delta holds, which replaces their rows in the base. In memory that threads can share. */
export interface ReplacedNumbers {
  /** KVK numbers, ascending. */
  readonly kvk: Uint32Array;
}

/** @param deltas the KVK numbers of the delta, if there is one */
export function replacedNumbers([delta = new Uint32Array()]: readonly Uint32Array[]): ReplacedNumbers {
  const kvk = new Uint32Array(new SharedArrayBuffer(delta.byteLength));
  kvk.set(delta);
  return { kvk: kvk.sort() };
}

/** Returns the layer that holds the current row of a company: 1 for the delta, 0 for the base. */
export function layerOf({ kvk }: ReplacedNumbers, number: number): 0 | 1 {
  return kvk[lowerBound(kvk, 0, kvk.length, number)] === number ? 1 : 0;
}
