import { parsePostalCode } from "../../company/address.ts";
import type { SbiVersion } from "../../contract/activities.ts";
import type { LegalForm } from "../../contract/legalForms.ts";
import { isOfVersion, legalFormWord, postalCodeWord } from "../facets.ts";
import { hashOfKey } from "../indexedNames.ts";
import { conjunction, type Ranks, type Term } from "./conjunction.ts";
import { codeWord, Dictionary } from "./dictionary.ts";
import { mergeRanges } from "./editDistance.ts";
import { cityRanges, postalCodeRanges } from "./facetRanges.ts";
import { HashedKeys } from "./hashedKeys.ts";
import { KvkNumbers } from "./kvkNumbers.ts";
import { NameOrder } from "./nameOrder.ts";
import { isInRanges, NameWords } from "./nameWords.ts";
import { Postings } from "./postings.ts";
import { hasBit } from "./rankSets.ts";
import { houseNumberByte, legalFormNumber, Records } from "./records.ts";
import { Sections } from "./sections.ts";
import { Trie, type WordRange } from "./trie.ts";

/**
 * The index of the names of a registry in one buffer. A name is identified by its rank, its position in display order:
 * active companies before inactive ones, then by score, then by KVK number.
 */
export class NameIndex {
  readonly buffer: SharedArrayBuffer;
  readonly dictionary: Dictionary;
  readonly trie: Trie;
  readonly nameWords: NameWords;
  readonly order: NameOrder;
  readonly exactKeys: HashedKeys;
  readonly records: Records;
  readonly numbers: KvkNumbers;
  readonly #otherNumbers: HashedKeys;
  readonly #postings: Postings;
  readonly #hidden: Uint32Array | undefined;

  /**
   * @param hidden a bitmap of ranks that are never found; see {@link markNames}
   * @throws {UnusableIndex} when the buffer does not contain a valid index
   */
  constructor(buffer: SharedArrayBuffer, hidden?: Uint32Array) {
    const sections = new Sections(buffer);
    this.buffer = buffer;
    this.dictionary = new Dictionary(sections);
    this.trie = new Trie(sections, this.dictionary);
    this.records = new Records(sections);
    this.numbers = new KvkNumbers(sections, this.records);
    this.nameWords = new NameWords(sections, this.dictionary);
    this.order = new NameOrder(sections, this.nameWords);
    this.exactKeys = new HashedKeys(sections, "exact");
    this.#otherNumbers = new HashedKeys(sections, "tax");
    this.#postings = new Postings(sections, this.names);
    this.#hidden = hidden;
  }

  /** Whether a name is not hidden. */
  isShown(rank: number): boolean {
    return this.#hidden === undefined || !hasBit(this.#hidden, 0, rank);
  }

  /** The number of names. Ranks are lower. */
  get names(): number {
    return this.records.classes.names;
  }

  /** The number of names of active companies, which have the lowest ranks. */
  get activeNames(): number {
    return this.records.classes.activeNames;
  }

  /** Returns the rank of the main name of a name's company. */
  mainRank(rank: number): number {
    return this.records.isMainName(rank) ? rank : (this.numbers.rankOf(this.records.kvk(rank)) ?? rank);
  }

  get companies(): number {
    return this.numbers.companies;
  }

  /** Returns the number of a word; undefined when no name has it. */
  wordNumber(word: string): number | undefined {
    return this.trie.find(codeWord(word));
  }

  /** Returns the range of one word; empty when no name has it. */
  exactWord(word: string): readonly WordRange[] {
    const number = this.wordNumber(word);
    return number === undefined ? [] : [{ from: number, to: number + 1 }];
  }

  /** Returns the words with a partly typed prefix. */
  withPrefix(word: string): readonly WordRange[] {
    return this.trie.rangesWhileTyping(codeWord(word));
  }

  /** A term for names with one of these words. @param ranges ascending */
  wordTerm(ranges: readonly WordRange[]): Term {
    return this.#term(ranges, (rank) => this.nameWords.hasOneOf(rank, ranges));
  }

  /** Whether any company is in a city, by its facet word. */
  hasCity(word: string): boolean {
    return cityRanges(this.trie, codeWord(word)).length > 0;
  }

  /**
   * A term for companies in one of some cities.
   * @param words facet words; see facets.ts
   * @param arePrefixes whether the words are prefixes of cities
   */
  cityTerm(words: readonly string[], arePrefixes = false): Term {
    const ranges = mergeRanges(
      words.flatMap((word) => (arePrefixes ? this.withPrefix(word) : cityRanges(this.trie, codeWord(word)))),
    );
    return this.#term(ranges, (rank) => isInRanges(this.records.cities.word(rank), ranges));
  }

  /** A term for companies with a legal form. */
  legalFormTerm(form: LegalForm): Term {
    const number = legalFormNumber(form);
    return this.#term(
      this.exactWord(legalFormWord(form)),
      (rank) => this.records.formNumber(rank) === number,
    );
  }

  /** A term for companies whose postal code has this prefix, by its facet word. */
  postalCodeTerm(word: string): Term {
    const ranges = postalCodeRanges(this.trie, word);
    return this.#term(ranges, (rank) => isInRanges(this.records.postalCodes.word(rank), ranges));
  }

  /**
   * A term for companies with an SBI code that has this prefix, by its facet word, in one version or any. Only the
   * postings have the SBI codes.
   */
  activityTerm(word: string, version?: SbiVersion): Term {
    const range = this.trie.rangeWithPrefix(codeWord(word));
    const whole = range === undefined ? [] : [range];
    const ranges = version === undefined ? whole : this.#wordsOfVersion(whole, version);
    const parts = this.#postings.partsOf(ranges);
    return this.#term(ranges, (rank) => this.#postings.has(parts, rank));
  }

  /**
   * Yields the main names of companies that may be at an address, ascending and not hidden. Callers compare the house
   * number: its letters and additions are ignored, and some numbers are not distinguished. Shielded addresses and PO
   * boxes are not found.
   * @param postalCode a whole one, in any form that `parsePostalCode` accepts
   */
  *atAddress(postalCode: string, houseNumber: string): Generator<number> {
    const word = postalCodeWord(parsePostalCode(postalCode) ?? "");
    const house = houseNumberByte(houseNumber);
    if (word === undefined || house === 0) return;
    const ranks = this.matching([this.postalCodeTerm(word)]);
    for (let rank = ranks.next(); rank !== -1; rank = ranks.next()) {
      if (this.records.house(rank) === house) yield rank;
    }
  }

  /**
   * Yields the main names of companies that may have an RSIN, a VAT number or an LEI, ascending and not hidden. Callers
   * compare the number.
   */
  *withNumber(number: string): Generator<number> {
    for (const rank of this.#otherNumbers.withHash(hashOfKey(number))) if (this.isShown(rank)) yield rank;
  }

  #wordsOfVersion(ranges: readonly WordRange[], version: SbiVersion): WordRange[] {
    const words = ranges.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, nth) => from + nth));
    return mergeRanges(
      words
        .filter((word) => isOfVersion(this.dictionary.word(word), version))
        .map((word) => ({ from: word, to: word + 1 })),
    );
  }

  #term(ranges: readonly WordRange[], matches: (rank: number) => boolean): Term {
    const maxNames = ranges.reduce((sum, range) => sum + this.#postings.total(range), 0);
    return { ranges, maxNames, matches };
  }

  /** Returns the ranks that match every term (at least one) and are not hidden, ascending. */
  matching(terms: readonly Term[], from = 0, to = this.names): Ranks {
    const found = conjunction(this.#postings, terms, from, to);
    return this.#hidden === undefined ? found : this.shown(found);
  }

  /** Returns the ranks that are not hidden. */
  shown(ranks: Ranks): Ranks {
    return {
      next: () => {
        let rank = ranks.next();
        while (rank !== -1 && !this.isShown(rank)) rank = ranks.next();
        return rank;
      },
    };
  }
}
