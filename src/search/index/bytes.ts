/** The array in more memory. */
export function larger<Numbers extends Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(
  array: Numbers,
  length: number,
): Numbers;
export function larger(
  array: Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>,
  length: number,
): Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> {
  const grown = array instanceof Uint8Array ? new Uint8Array(length) : new Uint32Array(length);
  grown.set(array);
  return grown;
}

/** How many units of UTF-16 some UTF-8 makes. */
export function lettersIn(bytes: Uint8Array, from: number, to: number): number {
  let count = to - from;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x80) count += byte >= 0xf0 ? 1 : byte < 0xc0 ? -1 : 0;
  }
  return count;
}

/** The text of some bytes in UTF-8. */
export function textAt(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString();
}
