import type { KvkNumber } from "../../contract/numbers.ts";
import { exactKeys } from "../legalWords.ts";
import { type Findable, facetWords, hashOfKey, indexedNames } from "../names.ts";
import { codeWord } from "./dictionary.ts";
import { GrowingU32 } from "./growing.ts";
import { BESIDE } from "./nameWords.ts";
import { rankClass } from "./rankClasses.ts";
import { formNumber, NAME_FLAGS } from "./records.ts";
import { NO_TEXT } from "./sharedTexts.ts";

/** A company as the index needs to know it. */
export interface IndexedCompany extends Findable {
  readonly kvkNumber: KvkNumber;
  readonly isActive: boolean;
}

/** The names of some companies, split into words: all that an index needs of them, in a form that threads can hand on. */
export interface NameBatch {
  readonly companies: number;
  /** Each word of this batch once, coded. */
  readonly words: readonly string[];
  /** Texts that stand for many names each once, in the order in which they came. */
  readonly cities: readonly string[];
  readonly postalCodes: readonly string[];
  /** The names as they are shown, one behind the other. */
  readonly texts: string;
  /**
   * Of each company: how many numbers follow, how long its texts are together, KVK number, city and postal code (places in their lists
   * from 1; {@link NO_TEXT} for none), legal form, how many facets and their words, how many names; and of each of these the length of
   * its text, rank class, flags, how many words and these (those beside with {@link BESIDE}), how many keys and their hashes.
   */
  readonly numbers: Uint32Array<ArrayBuffer>;
}

/** Splits the names of companies into words: most of the work of indexing, which threads can share. */
export class NameSplitter {
  #companies = 0;
  #words = new Map<string, number>();
  #cities = new Map<string, number>();
  #postalCodes = new Map<string, number>();
  #texts: string[] = [];
  #numbers = new GrowingU32();

  get companies(): number {
    return this.#companies;
  }

  add(company: IndexedCompany): void {
    const numbers = this.#numbers;
    const start = numbers.length;
    numbers.push(0);
    numbers.push(0);
    numbers.push(Number(company.kvkNumber));
    numbers.push(company.city === undefined ? NO_TEXT : 1 + placeIn(this.#cities, company.city));
    numbers.push(
      company.postalCode === undefined ? NO_TEXT : 1 + placeIn(this.#postalCodes, company.postalCode),
    );
    numbers.push(formNumber(company.legalForm));
    const facets = facetWords(company);
    numbers.push(facets.length);
    for (const word of facets) numbers.push(this.#placeOf(word));
    numbers.set(start + 1, this.#addNames(company));
    numbers.set(start, numbers.length - start - 1);
    this.#companies++;
  }

  /** What was added since the last time. */
  take(): NameBatch {
    const batch = {
      companies: this.#companies,
      words: [...this.#words.keys()],
      cities: [...this.#cities.keys()],
      postalCodes: [...this.#postalCodes.keys()],
      texts: this.#texts.join(""),
      numbers: this.#numbers.view().slice(),
    };
    this.#companies = 0;
    this.#words = new Map();
    this.#cities = new Map();
    this.#postalCodes = new Map();
    this.#texts = [];
    this.#numbers.length = 0;
    return batch;
  }

  /** @returns how long the names are together */
  #addNames(company: IndexedCompany): number {
    const numbers = this.#numbers;
    let length = 0;
    const names = indexedNames(company);
    numbers.push(names.length);
    for (const { text, normal, words, key, beside, score } of names) {
      const isOwn = text === undefined;
      const shown = text ?? company.name;
      this.#texts.push(shown);
      numbers.push(shown.length);
      length += shown.length;
      numbers.push(rankClass(company.isActive, score, isOwn));
      numbers.push((isOwn ? NAME_FLAGS.own : 0) | (names.length === 1 ? NAME_FLAGS.only : 0));
      numbers.push(words.length + beside.size);
      for (const word of words) numbers.push(this.#placeOf(word));
      for (const word of beside) numbers.push((this.#placeOf(word) | BESIDE) >>> 0);
      const keys = exactKeys(normal, key);
      numbers.push(keys.length);
      for (const one of keys) numbers.push(hashOfKey(one));
    }
    return length;
  }

  #placeOf(word: string): number {
    return placeIn(this.#words, codeWord(word));
  }
}

/** The place of a text in a list of texts, to which it is added where it is new. */
function placeIn(list: Map<string, number>, text: string): number {
  let place = list.get(text);
  if (place === undefined) {
    place = list.size;
    list.set(text, place);
  }
  return place;
}
