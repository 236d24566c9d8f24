import type { KvkNumber } from "../../contract/numbers.ts";
import { cityWord, postalCodeWord, SIGNS } from "../facets.ts";
import { exactKeys } from "../legalWords.ts";
import { type Findable, facetWords, hashOfKey, indexedNames, wordsOf } from "../names.ts";
import { codeWord, Dictionary, dictionarySections, sortedWords } from "./dictionary.ts";
import { NameColumns } from "./nameColumns.ts";
import { nameOrderSections } from "./nameOrder.ts";
import { BESIDE, nameWordsSections } from "./nameWords.ts";
import { postingsSections } from "./postings.ts";
import { rankClass } from "./rankClasses.ts";
import { formNumber, NAME_FLAGS } from "./records.ts";
import { joinPieces, layOut, type SectionList, Sections } from "./sections.ts";
import { SharedTextsBuilder } from "./sharedTexts.ts";
import { Trie, trieSections } from "./trie.ts";

/** A company as the index needs to know it. */
export interface IndexedCompany extends Findable {
  readonly kvkNumber: KvkNumber;
  readonly isActive: boolean;
}

/** Beginnings are asked for of words of names, postal codes and activities; cities and legal forms only as a whole. */
const ONLY_WHOLE = new Set([SIGNS.city, SIGNS.legalForm].map((sign) => sign.charCodeAt(0)));

/** Collects companies, then makes the sections of an index of them. */
export class IndexBuilder {
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];
  #names = new NameColumns();
  readonly #cities = new SharedTextsBuilder(cityWord);
  readonly #postalCodes = new SharedTextsBuilder(postalCodeWord);

  /** Adds a company with all of its names, in the place of what was added of it before. */
  add(company: IndexedCompany): void {
    const kvk = Number(company.kvkNumber);
    const facets = facetWords(company).map((word) => this.#numberOf(word));
    const city = this.#cities.numberOf(company.city);
    const postal = this.#postalCodes.numberOf(company.postalCode);
    const form = formNumber(company.legalForm);
    const names = indexedNames(company);
    const columns = this.#names;
    for (const { text, normal, beside, score } of names) {
      const isOwn = text === undefined;
      for (const word of wordsOf(normal)) columns.words.push(this.#numberOf(word));
      for (const word of beside) columns.words.push((this.#numberOf(word) | BESIDE) >>> 0);
      for (const facet of facets) columns.facets.push(facet);
      for (const key of exactKeys(normal)) columns.addKey(hashOfKey(key));
      const flags = (isOwn ? NAME_FLAGS.own : 0) | (names.length === 1 ? NAME_FLAGS.only : 0);
      columns.end(text ?? company.name, {
        kvk,
        rankClass: rankClass(company.isActive, score, isOwn),
        city,
        postal,
        form,
        flags,
      });
    }
  }

  /** The sections of an index of all that was added. The builder is of no use any more. */
  sections(): SectionList {
    const sorted = sortedWords(this.#words);
    const newNumbers = new Uint32Array(sorted.length);
    for (const [number, word] of sorted.entries()) newNumbers[this.#numbers.get(word) ?? 0] = number;
    this.#words.length = 0;
    const words = dictionarySections(sorted);
    const dictionary = new Dictionary(new Sections(joinPieces(layOut(words))));
    const trieParts = trieSections(dictionary);
    const trie = new Trie(new Sections(joinPieces(layOut(trieParts))), dictionary);
    const names = this.#names;
    // A gigabyte of millions of companies, which is copied and may go.
    this.#names = new NameColumns();
    const ranked = names.inOrderOfRank(newNumbers);
    const wordNumber = (word: string) => (newNumbers[this.#numbers.get(codeWord(word)) ?? 0] ?? 0) + 1;
    return [
      ...words,
      ...trieParts,
      ...ranked.sections,
      ...this.#cities.sections("cities", ranked.cities, wordNumber),
      ...this.#postalCodes.sections("postal", ranked.postal, wordNumber),
      ...nameWordsSections(ranked.names),
      ...nameOrderSections(ranked.names, dictionary.count),
      ...postingsSections([ranked.names, ranked.facets], trie, (byte) => !ONLY_WHOLE.has(byte)),
    ];
  }

  #numberOf(word: string): number {
    const coded = codeWord(word);
    let number = this.#numbers.get(coded);
    if (number === undefined) {
      number = this.#words.push(coded) - 1;
      this.#numbers.set(coded, number);
    }
    return number;
  }
}
