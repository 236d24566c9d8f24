import { larger } from "./bytes.ts";

const FIRST_LENGTH = 1 << 12;

/** Numbers below 2^32, appended one by one: an array that doubles, of four bytes a number. */
export class GrowingU32 {
  #array = new Uint32Array(FIRST_LENGTH);
  length = 0;

  push(value: number): void {
    if (this.length === this.#array.length) this.#array = larger(this.#array, 2 * this.length);
    this.#array[this.length++] = value;
  }

  at(index: number): number {
    return this.#array[index] ?? 0;
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
      const grown = new Uint16Array(this.#array.length * 2);
      grown.set(this.#array);
      this.#array = grown;
    }
    this.#array.set(values.subarray(0, count), this.length);
    this.length += count;
  }

  view(): Uint16Array {
    return this.#array.subarray(0, this.length);
  }
}

/** Bytes, appended part by part. */
export class GrowingBytes {
  array = new Uint8Array(FIRST_LENGTH);
  length = 0;

  /** Makes room for so many more bytes, which the caller writes to `array` himself. */
  reserve(count: number): void {
    const least = this.length + count;
    if (least > this.array.length) this.array = larger(this.array, Math.max(least, 2 * this.array.length));
  }

  push(byte: number): void {
    this.reserve(1);
    this.array[this.length++] = byte;
  }

  append(bytes: Uint8Array, from: number, to: number): void {
    this.reserve(to - from);
    const own = this.array;
    const apart = this.length - from;
    for (let at = from; at < to; at++) own[at + apart] = bytes[at] ?? 0;
    this.length += to - from;
  }

  /** Appends a text as UTF-8. @returns how many bytes it has */
  write(text: string): number {
    this.reserve(text.length * 3);
    const { array } = this;
    const { written } = ENCODER.encodeInto(text, array.subarray(this.length));
    this.length += written;
    return written;
  }

  /** The bytes so far, not copied. */
  view(): Uint8Array<ArrayBuffer> {
    return this.array.subarray(0, this.length);
  }
}

const ENCODER = new TextEncoder();
