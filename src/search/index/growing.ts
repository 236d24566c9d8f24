const FIRST_LENGTH = 1 << 12;

/** Numbers below 2^32, appended one by one: an array that doubles, of four bytes a number. */
export class GrowingU32 {
  #array = new Uint32Array(FIRST_LENGTH);
  length = 0;

  push(value: number): void {
    if (this.length === this.#array.length) {
      const larger = new Uint32Array(this.#array.length * 2);
      larger.set(this.#array);
      this.#array = larger;
    }
    this.#array[this.length++] = value;
  }

  /** Replaces a number that was appended before. */
  set(at: number, value: number): void {
    this.#array[at] = value;
  }

  /** The numbers so far, not copied: pushing more may leave it behind. */
  view(): Uint32Array {
    return this.#array.subarray(0, this.length);
  }
}

/** Numbers below 65,536, appended one by one. */
export class GrowingU16 {
  #array = new Uint16Array(FIRST_LENGTH);
  length = 0;

  /** Appends part of an array. */
  append(values: Uint16Array, count: number): void {
    while (this.length + count > this.#array.length) {
      const larger = new Uint16Array(this.#array.length * 2);
      larger.set(this.#array);
      this.#array = larger;
    }
    this.#array.set(values.subarray(0, count), this.length);
    this.length += count;
  }

  view(): Uint16Array {
    return this.#array.subarray(0, this.length);
  }
}

/** Texts as UTF-8, one behind the other, with where each begins. */
export class GrowingTexts {
  #bytes = Buffer.allocUnsafe(FIRST_LENGTH);
  #length = 0;
  readonly #starts = new GrowingU32();

  get count(): number {
    return this.#starts.length;
  }

  push(text: string): void {
    const most = this.#length + text.length * 3;
    if (most > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(most, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#starts.push(this.#length);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** All of the bytes, and where each text begins; the last number is where all end. */
  view(): { readonly bytes: Buffer; readonly starts: Uint32Array } {
    const starts = new Uint32Array(this.count + 1);
    starts.set(this.#starts.view());
    starts[this.count] = this.#length;
    return { bytes: this.#bytes.subarray(0, this.#length), starts };
  }
}
