/** Reads the beginning of a stream without consuming it. */

export interface Peeked {
  readonly head: Buffer;
  /** All of the stream, the head included. */
  readonly whole: AsyncIterable<Buffer>;
  /** Closes the stream, whether or not reading has begun. */
  stop(): Promise<void>;
}

/** Looks at the first `bytes` bytes of `source`, or at all of it when there are fewer. */
export async function peek(source: AsyncIterable<Buffer>, bytes: number): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]();
  const seen: Buffer[] = [];
  for (let length = 0; length < bytes; ) {
    const next = await iterator.next();
    if (next.done === true) break;
    seen.push(next.value);
    length += next.value.length;
  }
  return {
    head: Buffer.concat(seen).subarray(0, bytes),
    whole: resumed(seen, iterator),
    stop: async () => {
      await iterator.return?.();
    },
  };
}

async function* resumed(seen: readonly Buffer[], iterator: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* seen;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
