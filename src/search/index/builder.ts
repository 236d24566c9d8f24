import { inOneGo, type Steps } from "../../lib/steps.ts";
import { SIGNS } from "../facets.ts";
import { ByteTable } from "./byteTable.ts";
import type { IndexedCompany } from "./companySpans.ts";
import { Dictionary, dictionarySections } from "./dictionary.ts";
import { type NameBatch, NameSplitter } from "./nameBatch.ts";
import { NameColumns } from "./nameColumns.ts";
import { nameOrderSections } from "./nameOrder.ts";
import { BESIDE, nameWordsSections } from "./nameWords.ts";
import { postingsSections } from "./postings.ts";
import { joinPieces, layOut, type SectionList, Sections } from "./sections.ts";
import { NO_TEXT, SharedTextsBuilder } from "./sharedTexts.ts";
import { sortedTexts } from "./sortedTexts.ts";
import type { TextList } from "./textList.ts";
import { Trie, trieSections } from "./trie.ts";

/** Beginnings are asked for of words of names, postal codes and activities; cities and legal forms only as a whole. */
const ONLY_WHOLE = new Set([SIGNS.city, SIGNS.legalForm].map((sign) => sign.charCodeAt(0)));

/** Companies that are added one by one are split into words so many at once. */
const COMPANIES_A_BATCH = 1_000;

/** Collects companies, then makes the sections of an index of them. */
export class IndexBuilder {
  /** All words, coded. */
  #words = new ByteTable();
  #names = new NameColumns();
  readonly #cities = new SharedTextsBuilder();
  readonly #postalCodes = new SharedTextsBuilder();
  readonly #splitter = new NameSplitter();

  /** Adds a company with all of its names, in the place of what was added of it before. */
  add(company: IndexedCompany): void {
    this.#splitter.add(company);
    if (this.#splitter.companies === COMPANIES_A_BATCH) this.#addSplit();
  }

  /**
   * Adds companies whose names were split, each in the place of what was added of it before.
   * @param leftOut the places of those in the batch that are passed over, ascending
   */
  addBatch(batch: NameBatch, leftOut: readonly number[] = []): void {
    this.#addSplit();
    this.#addAll(batch, leftOut);
  }

  #addSplit(): void {
    if (this.#splitter.companies > 0) this.#addAll(this.#splitter.take(), []);
  }

  #addAll(batch: NameBatch, leftOut: readonly number[]): void {
    const { words, cities, cityWords, postalCodes, postalWords } = batch;
    const word = numbering(words, (place) => {
      const from = words.starts[place] ?? 0;
      return this.#words.numberOf(words.bytes, from, words.starts[place + 1] ?? from, words.hashes[place]);
    });
    const shared = (texts: TextList, wordsOfTexts: Uint32Array, builder: SharedTextsBuilder) =>
      numbering(texts, (place) => {
        const wordPlace = wordsOfTexts[place] ?? 0;
        return builder.numberOf(texts, place, wordPlace === 0 ? undefined : word(wordPlace - 1));
      });
    const numbersOf = {
      word,
      city: shared(cities, cityWords, this.#cities),
      postal: shared(postalCodes, postalWords, this.#postalCodes),
    };
    const { numbers } = batch;
    let textAt = 0;
    let nextLeftOut = 0;
    for (let [company, at] = [0, 0]; company < batch.companies; company++) {
      if (leftOut[nextLeftOut] === company) nextLeftOut++;
      else this.#addOne(batch, at + 2, textAt, numbersOf);
      textAt += numbers[at + 1] ?? 0;
      at += 1 + (numbers[at] ?? 0);
    }
  }

  /** @param at where the company begins in the numbers of a batch, and `textAt` its names in the texts */
  #addOne({ numbers, texts }: NameBatch, at: number, textAt: number, numbersOf: BatchNumbering): void {
    const columns = this.#names;
    const kvk = numbers[at++] ?? 0;
    const cityPlace = numbers[at++] ?? NO_TEXT;
    const city = cityPlace === NO_TEXT ? NO_TEXT : numbersOf.city(cityPlace - 1);
    const postalPlace = numbers[at++] ?? NO_TEXT;
    const postal = postalPlace === NO_TEXT ? NO_TEXT : numbersOf.postal(postalPlace - 1);
    const form = numbers[at++] ?? 0;
    const firstFacet = at + 1;
    const facetsEnd = firstFacet + (numbers[at] ?? 0);
    at = facetsEnd + 1;
    for (let names = numbers[facetsEnd] ?? 0; names > 0; names--) {
      const textEnd = textAt + (numbers[at++] ?? 0);
      const rankClass = numbers[at++] ?? 0;
      const flags = numbers[at++] ?? 0;
      for (let words = numbers[at++] ?? 0; words > 0; words--) {
        const word = numbers[at++] ?? 0;
        columns.words.push(
          word < BESIDE ? numbersOf.word(word) : (numbersOf.word(word - BESIDE) | BESIDE) >>> 0,
        );
      }
      for (let facet = firstFacet; facet < facetsEnd; facet++)
        columns.facets.push(numbersOf.word(numbers[facet] ?? 0));
      for (let keys = numbers[at++] ?? 0; keys > 0; keys--) columns.addKey(numbers[at++] ?? 0);
      columns.end(texts, textAt, textEnd, { kvk, rankClass, city, postal, form, flags });
      textAt = textEnd;
    }
  }

  /** The sections of an index of all that was added. The builder is of no use any more. */
  sections(): SectionList {
    return inOneGo(this.sectionsInSteps());
  }

  /** The same for few companies on a thread that others wait for: each kind of section is a step. */
  *sectionsInSteps(): Steps<SectionList> {
    this.#addSplit();
    yield;
    const sorted = sortedTexts(this.#words);
    const newNumbers = new Uint32Array(sorted.length);
    for (let number = 0; number < sorted.length; number++) newNumbers[sorted[number] ?? 0] = number;
    const words = dictionarySections(this.#words, sorted);
    this.#words = new ByteTable();
    const dictionary = new Dictionary(new Sections(joinPieces(layOut(words))));
    yield;
    const trieParts = trieSections(dictionary);
    const trie = new Trie(new Sections(joinPieces(layOut(trieParts))), dictionary);
    yield;
    const names = this.#names;
    // A gigabyte of millions of companies, which is copied and may go.
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

/** The numbers that an index gives the words and texts of a batch, by their places in it. */
interface BatchNumbering {
  readonly word: (place: number) => number;
  readonly city: (place: number) => number;
  readonly postal: (place: number) => number;
}

const NO_NUMBER = 0xffffffff;

/** Numbers texts when they are first used: one that only companies have which are left out gets none. */
function numbering({ hashes }: TextList, numberOf: (place: number) => number): (place: number) => number {
  const numbers = new Uint32Array(hashes.length).fill(NO_NUMBER);
  return (place) => {
    const known = numbers[place] ?? NO_TEXT;
    if (known !== NO_NUMBER) return known;
    const number = numberOf(place);
    numbers[place] = number;
    return number;
  };
}
