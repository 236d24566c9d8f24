const FIRST_LENGTH = 1 << 8;

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

  /** Returns the bytes, the offset of each text, and the end of the last one, without copying; valid until the next push. */
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
