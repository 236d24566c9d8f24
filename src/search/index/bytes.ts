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
