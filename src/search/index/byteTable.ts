import { larger } from "./bytes.ts";

const FIRST_SLOTS = 1 << 6;
const FIRST_BYTES = 1 << 10;

/** A hash of some bytes (FNV-1a, with its bits mixed once more, as tables look at the lowest of them). */
export function hashOfBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/**
 * Texts by their bytes, each once, numbered from 0 in the order in which they came: what a map of texts would be, without making a text out of the bytes.
 */
export class ByteTable {
  count = 0;
  /** All texts, one behind the other; those of the text `n` from `starts[n]` to `starts[n + 1]`. */
  bytes = new Uint8Array(FIRST_BYTES);
  starts = new Uint32Array(FIRST_SLOTS + 1);
  hashes = new Uint32Array(FIRST_SLOTS);
  #scratch = Buffer.alloc(FIRST_BYTES);
  /** Of each slot the hash, and one more than the number of the text; twice as many as there are texts, at least. */
  #slots = new Uint32Array(4 * FIRST_SLOTS);

  /** The number of a text, which is added where it is new: then `count` has grown. */
  numberOf(bytes: Uint8Array, from: number, to: number, hash: number = hashOfBytes(bytes, from, to)): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = (hash << 1) & mask; ; slot = (slot + 2) & mask) {
      const held = slots[slot + 1] ?? 0;
      if (held === 0) return this.#add(bytes, from, to, hash, slot);
      if (slots[slot] === hash && this.#is(held - 1, bytes, from, to)) return held - 1;
    }
  }

  /** The number of a text, by its UTF-8. */
  numberOfText(text: string): number {
    const mostBytes = 3 * text.length;
    if (mostBytes > this.#scratch.length) this.#scratch = Buffer.alloc(2 * mostBytes);
    return this.numberOf(this.#scratch, 0, this.#scratch.write(text));
  }

  #is(number: number, bytes: Uint8Array, from: number, to: number): boolean {
    const own = this.bytes;
    const start = this.starts[number] ?? 0;
    if ((this.starts[number + 1] ?? 0) - start !== to - from) return false;
    const apart = start - from;
    for (let at = from; at < to; at++) if (own[at + apart] !== bytes[at]) return false;
    return true;
  }

  #add(bytes: Uint8Array, from: number, to: number, hash: number, slot: number): number {
    const number = this.count++;
    const start = this.starts[number] ?? 0;
    const end = start + to - from;
    if (end > this.bytes.length) this.bytes = larger(this.bytes, Math.max(end, 2 * this.bytes.length));
    if (number === this.hashes.length) {
      this.hashes = larger(this.hashes, 2 * number);
      this.starts = larger(this.starts, 2 * number + 1);
    }
    const own = this.bytes;
    const apart = start - from;
    for (let at = from; at < to; at++) own[at + apart] = bytes[at] ?? 0;
    this.starts[number + 1] = end;
    this.hashes[number] = hash;
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = this.count;
    if (4 * this.count > this.#slots.length) this.#spread();
    return number;
  }

  /** Puts all texts into twice as many slots. */
  #spread(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let number = 0; number < this.count; number++) {
      const hash = this.hashes[number] ?? 0;
      let slot = (hash << 1) & mask;
      while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
      slots[slot] = hash;
      slots[slot + 1] = number + 1;
    }
    this.#slots = slots;
  }
}
