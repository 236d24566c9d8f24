const FIRST_LENGTH = 1 << 12;

/** Numbers below 2^32, appended one by one. */
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

  /** The numbers so far, not copied; valid until the next push. */
  view(): Uint32Array {
    return this.#array.subarray(0, this.length);
  }
}

/** Texts appended as UTF-8. */
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

  /** The bytes so far and where each text begins and the last one ends, not copied; valid until the next push. */
  view(): { readonly bytes: Uint8Array; readonly starts: Uint32Array } {
    return { bytes: this.#array.subarray(0, this.#length), starts: this.#starts.view() };
  }
}

/** Texts as UTF-8, one after another, with where each begins and the last one ends. */
export function joinedTexts(texts: Iterable<string>): ReturnType<TextsBuilder["view"]> {
  const joined = new TextsBuilder();
  for (const text of texts) joined.push(text);
  return joined.view();
}
