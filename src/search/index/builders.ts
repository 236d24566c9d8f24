const FIRST_LENGTH = 1 << 8;
const COLUMN_CHUNK_BITS = 18;
const COLUMN_CHUNK = 1 << COLUMN_CHUNK_BITS;

/** A growing array of unsigned 32-bit numbers. */
export class U32Builder {
  #array = new Uint32Array(FIRST_LENGTH);
  length = 0;

  push(value: number): void {
    if (this.length === this.#array.length) {
      const grown = new Uint32Array(2 * this.length);
      grown.set(this.#array);
      this.#array = grown;
    }
    this.#array[this.length++] = value;
  }

  /** Returns the numbers without copying; valid until the next push. */
  view(): Uint32Array {
    return this.#array.subarray(0, this.length);
  }
}

/** A growing buffer of UTF-8 texts. */
export class TextsBuilder {
  #array = Buffer.alloc(FIRST_LENGTH);
  #length = 0;
  readonly #starts = new U32Builder();

  constructor() {
    this.#starts.push(0);
  }

  push(text: string): void {
    const needed = this.#length + 3 * text.length;
    if (needed > this.#array.length)
      this.#array = Buffer.concat([this.#array], Math.max(needed, 2 * this.#array.length));
    this.#length += this.#array.write(text, this.#length);
    this.#starts.push(this.#length);
  }

  /**
   * Returns the bytes, the offset of each text, and the end of the last one, without copying; valid until the next
   * push.
   */
  view(): { readonly bytes: Uint8Array; readonly starts: Uint32Array } {
    return { bytes: this.#array.subarray(0, this.#length), starts: this.#starts.view() };
  }
}

/** Concatenates texts as UTF-8; see {@link TextsBuilder.view}. */
export function joinedTexts(texts: Iterable<string>): ReturnType<TextsBuilder["view"]> {
  const joined = new TextsBuilder();
  for (const text of texts) joined.push(text);
  return joined.view();
}

/** A growing column in chunks, so that growing it never copies it, and {@link clear} frees it. */
export class GrowingColumn {
  readonly #bytes: 1 | 4;
  #chunks: (Uint8Array | Uint32Array)[] = [];
  length = 0;

  /** @param bytes the size of a number */
  constructor(bytes: 1 | 4) {
    this.#bytes = bytes;
  }

  push(value: number): void {
    const within = this.length & (COLUMN_CHUNK - 1);
    if (within === 0)
      this.#chunks.push(this.#bytes === 1 ? new Uint8Array(COLUMN_CHUNK) : new Uint32Array(COLUMN_CHUNK));
    const chunk = this.#chunks[this.length++ >>> COLUMN_CHUNK_BITS];
    if (chunk !== undefined) chunk[within] = value;
  }

  at(position: number): number {
    return this.#chunks[position >>> COLUMN_CHUNK_BITS]?.[position & (COLUMN_CHUNK - 1)] ?? 0;
  }

  clear(): void {
    this.#chunks = [];
    this.length = 0;
  }
}
