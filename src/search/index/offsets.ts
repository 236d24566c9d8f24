import type { SectionList, Sections } from "./sections.ts";

/** A block has its place as a number of 32 bits, and what is in it the distance from there in 16: so many share one where that is enough. */
const LARGEST_BLOCK_BITS = 6;
const MOST_APART = 0xffff;

/** Where each of many short things begins, and the last one ends, in little more than two bytes for each. @param starts ascending */
export function offsetSections(name: string, starts: Uint32Array): SectionList {
  let bits = LARGEST_BLOCK_BITS;
  while (bits > 0 && !fits(starts, bits)) bits--;
  const blocks = new Uint32Array(Math.ceil(starts.length / 2 ** bits));
  for (let block = 0; block < blocks.length; block++) blocks[block] = starts[block << bits] ?? 0;
  const distances = Uint16Array.from(starts, (start, at) => start - (blocks[at >>> bits] ?? 0));
  return [
    [`${name}.bits`, Uint8Array.of(bits)],
    [`${name}.blocks`, blocks],
    [`${name}.apart`, distances],
  ];
}

function fits(starts: Uint32Array, bits: number): boolean {
  for (let first = 0; first < starts.length; first += 2 ** bits) {
    const last = Math.min(starts.length, first + 2 ** bits) - 1;
    if ((starts[last] ?? 0) - (starts[first] ?? 0) > MOST_APART) return false;
  }
  return true;
}

/** What {@link offsetSections} wrote. */
export class Offsets {
  readonly #bits: number;
  readonly #blocks: Uint32Array;
  readonly #apart: Uint16Array;

  constructor(sections: Sections, name: string) {
    this.#bits = sections.u8(`${name}.bits`)[0] ?? 0;
    this.#blocks = sections.u32(`${name}.blocks`);
    this.#apart = sections.u16(`${name}.apart`);
  }

  /** How many places there are, the end of the last thing among them. */
  get length(): number {
    return this.#apart.length;
  }

  at(index: number): number {
    return (this.#blocks[index >>> this.#bits] ?? 0) + (this.#apart[index] ?? 0);
  }
}
