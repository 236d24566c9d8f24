import type { KvkNumber } from "../../contract/numbers.ts";
import { inOneGo, type Steps } from "../../lib/steps.ts";
import { postalCodeWord, SIGNS } from "../facets.ts";
import { exactKeys } from "../legalWords.ts";
import {
  type Findable,
  hashOfKey,
  indexedNames,
  knownCityWord,
  knownFormWord,
  knownSbiWord,
} from "../names.ts";
import { codeWord, Dictionary, dictionarySections, sortedWords } from "./dictionary.ts";
import { NameColumns } from "./nameColumns.ts";
import { nameOrderSections } from "./nameOrder.ts";
import { EXTRA_WORD, nameWordsSections } from "./nameWords.ts";
import { postingsSections } from "./postings.ts";
import { rankClass } from "./rankClasses.ts";
import { formNumber, NAME_FLAGS } from "./records.ts";
import { joinPieces, layOut, type SectionList, Sections } from "./sections.ts";
import { SharedTextsBuilder } from "./sharedTexts.ts";
import { Trie, trieSections } from "./trie.ts";

/** Prefixes are queried for words of names, postal codes and activities; cities and legal forms only as a whole. */
const ONLY_WHOLE = new Set([SIGNS.city, SIGNS.legalForm].map((sign) => sign.charCodeAt(0)));

/** A company, as input of the index. */
export interface IndexedCompany extends Findable {
  readonly kvkNumber: KvkNumber;
  readonly isActive: boolean;
}

/** Collects companies, then builds the sections of their index. */
export class IndexBuilder {
  /** All words, coded, with their numbers in the order of their first use. */
  #words = new Map<string, number>();
  #names = new NameColumns();
  readonly #cities = new SharedTextsBuilder();
  readonly #postalCodes = new SharedTextsBuilder();

  /** Adds a company with all of its names. It replaces the same company if added before. */
  add(company: IndexedCompany): void {
    const { name, city, postalCode, legalForm, isActive } = company;
    const columns = this.#names;
    const cityWord = this.#facet(city, knownCityWord);
    const postalWord = this.#facet(postalCode, postalCodeWord);
    const facets = [
      cityWord,
      postalWord,
      this.#facet(legalForm, knownFormWord),
      ...(company.activities ?? []).map(({ sbiCode }) => this.#facet(sbiCode, knownSbiWord)),
    ];
    const row = {
      kvk: Number(company.kvkNumber),
      city: this.#cities.numberOf(city, cityWord),
      postal: this.#postalCodes.numberOf(postalCode, postalWord),
      form: formNumber(legalForm),
    };
    const names = indexedNames(company);
    for (const { text, normal, words, key, extraWords, score } of names) {
      const isOwn = text === undefined;
      for (const word of words) columns.words.push(this.#numberOf(word));
      for (const word of extraWords) columns.words.push(this.#numberOf(word) | EXTRA_WORD);
      for (const facet of facets) if (facet !== undefined) columns.facets.push(facet);
      for (const one of exactKeys(normal, key)) columns.keys.push(hashOfKey(one));
      columns.end(text ?? name, {
        ...row,
        rankClass: rankClass(isActive, score, isOwn),
        flags: (isOwn ? NAME_FLAGS.own : 0) | (names.length === 1 ? NAME_FLAGS.only : 0),
      });
    }
  }

  /** The number of the word that stands for a field of a company; undefined where none does. */
  #facet(value: string | undefined, wordOf: (value: string) => string | undefined): number | undefined {
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

  /** The sections of the index. The builder cannot be used afterwards. */
  sections(): SectionList {
    return inOneGo(this.sectionsInSteps());
  }

  /** The same for few companies on a thread that others wait for: each kind of section is a step. */
  *sectionsInSteps(): Steps<SectionList> {
    const sorted = sortedWords(this.#words.keys());
    const newNumbers = new Uint32Array(sorted.length);
    for (const [number, word] of sorted.entries()) newNumbers[this.#words.get(word) ?? 0] = number;
    const words = dictionarySections(sorted);
    this.#words = new Map();
    const dictionary = new Dictionary(new Sections(joinPieces(layOut(words))));
    yield;
    const trieParts = trieSections(dictionary);
    const trie = new Trie(new Sections(joinPieces(layOut(trieParts))), dictionary);
    yield;
    const names = this.#names;
    // A gigabyte for millions of companies; it was copied and can be freed.
    this.#names = new NameColumns();
    const ranked = names.inOrderOfRank(newNumbers);
    yield;
    const places = [
      ...this.#cities.sections("cities", ranked.cities, newNumbers),
      ...this.#postalCodes.sections("postal", ranked.postal, newNumbers),
    ];
    yield;
    const ofNames = [
      ...nameWordsSections(ranked.names),
      ...nameOrderSections(ranked.names, dictionary.count),
    ];
    yield;
    return [
      ...words,
      ...trieParts,
      ...ranked.sections,
      ...places,
      ...ofNames,
      ...postingsSections([ranked.names, ranked.facets], trie, (byte) => !ONLY_WHOLE.has(byte)),
    ];
  }
}
