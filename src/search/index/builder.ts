import type { KvkNumber } from "../../contract/numbers.ts";
import { activityWord, FACET_MARKERS, postalCodeWord } from "../facets.ts";
import {
  cachedCityWord,
  cachedLegalFormWord,
  hashOfKey,
  houseNumberOf,
  type IndexedFacts,
  indexedNames,
} from "../indexedNames.ts";
import { exactKeys } from "../legalFormWords.ts";
import { codeWord, Dictionary, dictionarySections, sortedWords } from "./dictionary.ts";
import { NameColumns } from "./nameColumns.ts";
import { nameOrderSections } from "./nameOrder.ts";
import { EXTRA_WORD, nameWordsSections } from "./nameWords.ts";
import { postingsSections } from "./postings.ts";
import { rankClass } from "./rankClasses.ts";
import { houseNumberByte, legalFormNumber, NAME_FLAGS } from "./records.ts";
import { indexInMemory, type Section, Sections } from "./sections.ts";
import { SharedTextsBuilder } from "./sharedTexts.ts";
import { Trie, trieSections } from "./trie.ts";

/** Facets that are never queried by prefix. */
const EXACT_ONLY = new Set([FACET_MARKERS.city, FACET_MARKERS.legalForm].map((sign) => sign.charCodeAt(0)));

/** A company to index. */
export interface IndexedCompany extends IndexedFacts {
  readonly kvkNumber: KvkNumber;
  readonly isActive: boolean;
}

/** Collects companies, then builds the sections of their index. */
export class IndexBuilder {
  /** The numbers of all encoded words, in order of first use. */
  #words = new Map<string, number>();
  readonly #names = new NameColumns();
  readonly #cities = new SharedTextsBuilder();
  readonly #postalCodes = new SharedTextsBuilder();

  /** Adds a company with all its names. Replaces the company if it was added before. */
  add(company: IndexedCompany): void {
    const { name, city, postalCode, legalForm, isActive, rsin, vatNumber, identifiers } = company;
    const columns = this.#names;
    const cityWord = this.#facet(city, cachedCityWord);
    const postalWord = this.#facet(postalCode, postalCodeWord);
    const facets = [
      cityWord,
      postalWord,
      this.#facet(legalForm, cachedLegalFormWord),
      ...(company.activities ?? []).map((one) => this.#facet(one, activityWord)),
    ];
    const row = {
      kvk: Number(company.kvkNumber),
      city: this.#cities.numberOf(city, cityWord),
      postal: this.#postalCodes.numberOf(postalCode, postalWord),
      form: legalFormNumber(legalForm),
    };
    const house = houseNumberByte(houseNumberOf(company));
    const names = indexedNames(company);
    for (const { text, normal, words, key, extraWords, score } of names) {
      const isMain = text === undefined;
      for (const word of words) columns.words.push(this.#numberOf(word));
      for (const word of extraWords) columns.words.push(this.#numberOf(word) | EXTRA_WORD);
      for (const facet of facets) if (facet !== undefined) columns.facets.push(facet);
      for (const one of exactKeys(normal, key)) columns.keys.push(hashOfKey(one));
      for (const one of isMain ? [rsin, vatNumber, identifiers?.lei] : [])
        if (one !== undefined) columns.otherNumbers.push(hashOfKey(one));
      columns.end(text ?? name, {
        ...row,
        house: isMain ? house : 0,
        rankClass: rankClass(isActive, score, isMain),
        flags: (isMain ? NAME_FLAGS.main : 0) | (names.length === 1 ? NAME_FLAGS.only : 0),
      });
    }
  }

  /** Returns the number of the facet word of a field, if any. */
  #facet<T>(value: T | undefined, wordOf: (value: T) => string | undefined): number | undefined {
    const word = value === undefined ? undefined : wordOf(value);
    return word === undefined ? undefined : this.#numberOf(word);
  }

  #numberOf(word: string): number {
    const coded = codeWord(word);
    const known = this.#words.get(coded);
    if (known !== undefined) return known;
    const number = this.#words.size;
    this.#words.set(coded, number);
    return number;
  }

  /**
   * Builds the sections of the index, one after another: a section that was yielded is not needed any longer. The
   * builder cannot be used afterwards.
   */
  *sections(): Generator<Section> {
    const sorted = sortedWords(this.#words.keys());
    const newNumbers = new Uint32Array(sorted.length);
    for (const [number, word] of sorted.entries()) newNumbers[this.#words.get(word) ?? 0] = number;
    this.#words = new Map();
    const words = dictionarySections(sorted);
    yield* words;
    const dictionary = new Dictionary(new Sections(indexInMemory(words)));
    const trieParts = trieSections(dictionary);
    yield* trieParts;
    const trie = new Trie(new Sections(indexInMemory(trieParts)), dictionary);
    const lists = yield* this.#names.sections(newNumbers, {
      cities: this.#cities,
      postalCodes: this.#postalCodes,
    });
    yield* nameWordsSections(lists[0]);
    yield* nameOrderSections(lists[0], dictionary.count);
    yield* postingsSections(lists, trie, (byte) => !EXACT_ONLY.has(byte));
  }
}
