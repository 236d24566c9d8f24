import { pipeline, type Transform } from "node:stream";

/** Hands `source` on and tells `onBytes` how long each chunk was. */
export async function* counting(
  source: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    onBytes(chunk.length);
    yield chunk;
  }
}

/** `source` through a decoder. An error of either is thrown to whoever reads; leaving early closes both. */
export function through(source: AsyncIterable<Buffer>, decoder: Transform): AsyncIterable<Buffer> {
  return pipeline(source, decoder, () => {});
}
