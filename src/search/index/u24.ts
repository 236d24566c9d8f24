/** Numbers below 2^24 in three bytes each, the lowest first. */
export function packU24(numbers: Uint32Array): Uint8Array {
  const packed = new Uint8Array(numbers.length * 3);
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    if (number >= 2 ** 24) throw new RangeError(`${number} does not fit into three bytes`);
    packed[3 * at] = number;
    packed[3 * at + 1] = number >>> 8;
    packed[3 * at + 2] = number >>> 16;
  }
  return packed;
}

export function u24At(packed: Uint8Array, at: number): number {
  const byte = 3 * at;
  return (packed[byte] ?? 0) | ((packed[byte + 1] ?? 0) << 8) | ((packed[byte + 2] ?? 0) << 16);
}

/** The first place from `from` on, before `to`, whose number is not less than `value`. */
export function lowerBoundU24(packed: Uint8Array, from: number, to: number, value: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (u24At(packed, middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
