import { ByteTable } from "./byteTable.ts";
import { GrowingU32 } from "./growing.ts";
import type { SectionList, Sections } from "./sections.ts";

/** What stands for no text. */
export const NO_TEXT = 0;

/** Collects texts that many names share, each once: cities and postal codes. */
export class SharedTextsBuilder {
  readonly #texts = new ByteTable();
  /** Of each text one more than the number of the word of the index that stands for it, 0 for none; as words are numbered when they come. */
  readonly #words = new GrowingU32();

  /**
   * The number of a text; {@link NO_TEXT} for none.
   * @param word the number of the word that stands for it, if any does
   */
  numberOf(text: string | undefined, word: number | undefined): number {
    if (text === undefined) return NO_TEXT;
    const known = this.#texts.count;
    const number = this.#texts.numberOfText(text);
    if (number === known) this.#words.push(word === undefined ? 0 : word + 1);
    return number + 1;
  }

  /**
   * @param name of the sections
   * @param numbers by rank
   * @param newNumbers of words, by those that they were given when they came
   */
  sections(name: string, numbers: Uint32Array, newNumbers: Uint32Array): SectionList {
    const { bytes, starts, count } = this.#texts;
    // The first is what stands for none, and empty.
    const [ownStarts, words] = [new Uint32Array(count + 2), new Uint32Array(count + 1)];
    ownStarts.set(starts.subarray(0, count + 1), 1);
    for (let text = 0; text < count; text++) {
      const word = this.#words.at(text);
      words[text + 1] = word === 0 ? 0 : (newNumbers[word - 1] ?? 0) + 1;
    }
    return [
      [`${name}.numbers`, numbers],
      [`${name}.bytes`, bytes.subarray(0, starts[count])],
      [`${name}.starts`, ownStarts],
      [`${name}.words`, words],
    ];
  }
}

/** A column of texts that many names share. */
export class SharedTexts {
  readonly #numbers: Uint32Array;
  readonly #bytes: Buffer;
  readonly #starts: Uint32Array;
  readonly #words: Uint32Array;

  constructor(sections: Sections, name: string) {
    this.#bytes = sections.text(`${name}.bytes`);
    this.#starts = sections.u32(`${name}.starts`);
    this.#numbers = sections.u32(`${name}.numbers`);
    this.#words = sections.u32(`${name}.words`);
  }

  /** The text of a name. */
  text(rank: number): string | undefined {
    const number = this.#numbers[rank] ?? NO_TEXT;
    if (number === NO_TEXT) return undefined;
    return this.#bytes.toString("utf8", this.#starts[number] ?? 0, this.#starts[number + 1] ?? 0);
  }

  /** The number of the word that stands for the text of a name; -1 for none. */
  word(rank: number): number {
    return (this.#words[this.#numbers[rank] ?? NO_TEXT] ?? 0) - 1;
  }
}
