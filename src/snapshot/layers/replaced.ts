import { lowerBound32 } from "../../search/index/rankSets.ts";

/** A layer above these would not be told from another. */
const LAYER_BITS = 8n;

/**
 * Which companies segments hold, and which of them the newest row: the companies that are replaced in the layers below. In memory
 * that threads can share.
 */
export interface ReplacedNumbers {
  /** KVK numbers, ascending, each once. */
  readonly kvk: Uint32Array;
  /** For each of them the newest layer that holds it; the base is 0. */
  readonly layer: Uint8Array;
}

/** @param segments the KVK numbers of each segment, the oldest first */
export function replacedNumbers(segments: readonly Uint32Array[]): ReplacedNumbers {
  const count = segments.reduce((sum, numbers) => sum + numbers.length, 0);
  const pairs = new BigUint64Array(count);
  let at = 0;
  for (const [place, numbers] of segments.entries()) {
    for (const kvk of numbers) pairs[at++] = (BigInt(kvk) << LAYER_BITS) | BigInt(place + 1);
  }
  pairs.sort();
  const kvk = new Uint32Array(new SharedArrayBuffer(count * 4));
  const layer = new Uint8Array(new SharedArrayBuffer(count));
  let kept = -1;
  for (const pair of pairs) {
    const number = Number(pair >> LAYER_BITS);
    if (kept === -1 || kvk[kept] !== number) kvk[++kept] = number;
    layer[kept] = Number(pair & 0xffn);
  }
  return { kvk: kvk.subarray(0, kept + 1), layer: layer.subarray(0, kept + 1) };
}

/** The layer that speaks for a company: the newest that holds it, the base for one that no segment holds. */
export function layerOf({ kvk, layer }: ReplacedNumbers, number: number): number {
  const at = lowerBound32(kvk, 0, kvk.length, number);
  return at < kvk.length && kvk[at] === number ? (layer[at] ?? 0) : 0;
}
