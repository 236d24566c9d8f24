import { joinedTexts } from "./builders.ts";
import type { SectionList, Sections } from "./sections.ts";

/** The number for "no text". */
const NO_TEXT = 0;

/** Collects texts that many names share, each once: cities and postal codes. */
export class SharedTextsBuilder {
  readonly #numbers = new Map<string, number>();
  readonly #words: (number | undefined)[] = [];

  /** Returns the number of a text; {@link NO_TEXT} for none. @param word the number of its facet word, if any */
  numberOf(text: string | undefined, word: number | undefined): number {
    if (text === undefined) return NO_TEXT;
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#words.push(word);
    this.#numbers.set(text, this.#words.length);
    return this.#words.length;
  }

  /**
   * @param name the prefix of the section names
   * @param numbers text numbers by rank
   * @param newNumbers maps word numbers in order of arrival to final ones
   */
  sections(name: string, numbers: Uint32Array, newNumbers: Uint32Array): SectionList {
    // The first text is the empty one of NO_TEXT.
    const { bytes, starts } = joinedTexts(["", ...this.#numbers.keys()]);
    const words = [undefined, ...this.#words].map((word) =>
      word === undefined ? 0 : (newNumbers[word] ?? 0) + 1,
    );
    return [
      [`${name}.numbers`, numbers],
      [`${name}.bytes`, bytes],
      [`${name}.starts`, starts],
      [`${name}.words`, Uint32Array.from(words)],
    ];
  }
}

/** A column of shared texts. */
export class SharedTexts {
  readonly #numbers: Uint32Array;
  readonly #bytes: Buffer;
  readonly #starts: Uint32Array;
  readonly #words: Uint32Array;

  constructor(sections: Sections, name: string) {
    this.#bytes = sections.bytes(`${name}.bytes`);
    this.#starts = sections.u32(`${name}.starts`);
    this.#numbers = sections.u32(`${name}.numbers`);
    this.#words = sections.u32(`${name}.words`);
  }

  text(rank: number): string | undefined {
    const number = this.#numbers[rank] ?? NO_TEXT;
    if (number === NO_TEXT) return undefined;
    return this.#bytes.toString("utf8", this.#starts[number] ?? 0, this.#starts[number + 1] ?? 0);
  }

  /** The number of the facet word of a name's text; -1 for none. */
  word(rank: number): number {
    return (this.#words[this.#numbers[rank] ?? NO_TEXT] ?? 0) - 1;
  }
}
