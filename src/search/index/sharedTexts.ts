import { GrowingTexts } from "./growing.ts";
import type { SectionList, Sections } from "./sections.ts";
import { packU24, u24At } from "./u24.ts";

/** What stands for no text. */
export const NO_TEXT = 0;

/** Collects texts that many names share, each once: cities and postal codes. */
export class SharedTextsBuilder {
  readonly #texts = new GrowingTexts();
  readonly #words: (string | undefined)[] = [undefined];
  readonly #numbers = new Map<string, number>();
  readonly #wordOf: (text: string) => string | undefined;

  /** @param wordOf the word of the index that stands for a text, if any does */
  constructor(wordOf: (text: string) => string | undefined) {
    this.#texts.push("");
    this.#wordOf = wordOf;
  }

  /** The number of a text; {@link NO_TEXT} for none. */
  numberOf(text: string | undefined): number {
    if (text === undefined) return NO_TEXT;
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#texts.count;
      this.#texts.push(text);
      this.#words.push(this.#wordOf(text));
      this.#numbers.set(text, number);
    }
    return number;
  }

  /** The words of the index that stand for the texts, by the number of the text. */
  get words(): readonly (string | undefined)[] {
    return this.#words;
  }

  /**
   * @param name of the sections
   * @param numbers by rank
   * @param wordNumber one more than the number of a word in the dictionary
   */
  sections(name: string, numbers: Uint32Array, wordNumber: (word: string) => number): SectionList {
    const { bytes, starts } = this.#texts.view();
    const words = Uint32Array.from(this.#words, (word) => (word === undefined ? 0 : wordNumber(word)));
    return [
      [`${name}.numbers`, this.#texts.count <= 2 ** 16 ? Uint16Array.from(numbers) : packU24(numbers)],
      [`${name}.bytes`, bytes],
      [`${name}.starts`, starts],
      [`${name}.words`, words],
    ];
  }
}

/** A column of texts that many names share. */
export class SharedTexts {
  /** Of two bytes or of three. */
  readonly #short: Uint16Array | undefined;
  readonly #long: Uint8Array;
  readonly #bytes: Buffer;
  readonly #starts: Uint32Array;
  readonly #words: Uint32Array;

  constructor(sections: Sections, name: string) {
    this.#bytes = sections.text(`${name}.bytes`);
    this.#starts = sections.u32(`${name}.starts`);
    // As wide as the texts are many.
    const isShort = this.#starts.length - 1 <= 2 ** 16;
    this.#short = isShort ? sections.u16(`${name}.numbers`) : undefined;
    this.#long = sections.u8(`${name}.numbers`);
    this.#words = sections.u32(`${name}.words`);
  }

  /** The text of a name. */
  text(rank: number): string | undefined {
    const number = this.#number(rank);
    if (number === NO_TEXT) return undefined;
    return this.#bytes.toString("utf8", this.#starts[number] ?? 0, this.#starts[number + 1] ?? 0);
  }

  /** The number of the word that stands for the text of a name; -1 for none. */
  word(rank: number): number {
    return (this.#words[this.#number(rank)] ?? 0) - 1;
  }

  #number(rank: number): number {
    return this.#short === undefined ? u24At(this.#long, rank) : (this.#short[rank] ?? NO_TEXT);
  }
}
