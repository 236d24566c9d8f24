import type { LegalForm } from "../../contract/legalForms.ts";
import { legalFormWord } from "../facets.ts";
import { conjunction, type Ranks, type Term } from "./conjunction.ts";
import { codeWord, Dictionary } from "./dictionary.ts";
import { unitedRanges } from "./editDistance.ts";
import { ExactKeys } from "./exactKeys.ts";
import { cityRanges, postalCodeRanges } from "./facetRanges.ts";
import { KvkNumbers } from "./kvkNumbers.ts";
import { NameOrder } from "./nameOrder.ts";
import { isInRanges, NameWords } from "./nameWords.ts";
import { Postings } from "./postings.ts";
import { hasBit } from "./rankSets.ts";
import { formNumber, Records } from "./records.ts";
import { Sections } from "./sections.ts";
import { Trie, type WordRange } from "./trie.ts";

/**
 * The index of the names of a registry in one buffer. A name is known by its rank, its place in the order in which hits
 * are shown: active companies before others, then by score, then by KVK number.
 */
export class NameIndex {
  readonly buffer: SharedArrayBuffer;
  readonly dictionary: Dictionary;
  readonly trie: Trie;
  readonly nameWords: NameWords;
  readonly order: NameOrder;
  readonly exactKeys: ExactKeys;
  readonly records: Records;
  readonly numbers: KvkNumbers;
  readonly #postings: Postings;
  readonly #hidden: Uint32Array | undefined;

  /**
   * @param hidden a bit for each rank that is never found, as {@link markNames} makes them
   * @throws {UnusableIndex} when the buffer holds none
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
    this.exactKeys = new ExactKeys(sections);
    this.#postings = new Postings(sections, this.names);
    this.#hidden = hidden;
  }

  /** Whether a name may be found. */
  isShown(rank: number): boolean {
    return this.#hidden === undefined || !hasBit(this.#hidden, 0, rank);
  }

  /** The number of names; ranks are below it. */
  get names(): number {
    return this.records.classes.names;
  }

  /** The number of names of active companies, which come first. */
  get activeNames(): number {
    return this.records.classes.activeNames;
  }

  /** The rank of the own name of a name's company: the same for all names of one company. */
  ownRank(rank: number): number {
    return this.records.isOwn(rank) ? rank : (this.numbers.rankOf(this.records.kvk(rank)) ?? rank);
  }

  get companies(): number {
    return this.numbers.companies;
  }

  /** The number of a word; undefined when no name has it. */
  wordNumber(word: string): number | undefined {
    return this.trie.find(codeWord(word));
  }

  /** The exact word; nothing when no name has it. */
  whole(word: string): readonly WordRange[] {
    const number = this.wordNumber(word);
    return number === undefined ? [] : [{ from: number, to: number + 1 }];
  }

  /** The words with this prefix. */
  beginning(word: string): readonly WordRange[] {
    return this.trie.startsWith(codeWord(word));
  }

  /** A name has one of these words, whose ranges ascend. */
  wordTerm(ranges: readonly WordRange[]): Term {
    return this.#term(ranges, (rank) => this.nameWords.hasOneOf(rank, ranges), true);
  }

  /** Whether a company is in a city, by its word. */
  hasCity(word: string): boolean {
    return cityRanges(this.trie, codeWord(word)).length > 0;
  }

  /**
   * A name's company is in one of some cities, by their words; see facets.ts.
   * @param areBegun whether the words are beginnings of cities
   */
  cityTerm(words: readonly string[], areBegun = false): Term {
    const ranges = unitedRanges(
      words.flatMap((word) => (areBegun ? this.beginning(word) : cityRanges(this.trie, codeWord(word)))),
    );
    return this.#term(ranges, (rank) => isInRanges(this.records.cities.word(rank), ranges));
  }

  legalFormTerm(form: LegalForm): Term {
    const number = formNumber(form);
    return this.#term(this.whole(legalFormWord(form)), (rank) => this.records.formNumber(rank) === number);
  }

  /** A name's company has a postal code that begins so, by its word. */
  postalCodeTerm(word: string): Term {
    const ranges = postalCodeRanges(this.trie, word);
    return this.#term(ranges, (rank) => isInRanges(this.records.postalCodes.word(rank), ranges));
  }

  /** A name's company has an activity whose SBI code begins so, by its word. */
  activityTerm(word: string): Term {
    const range = this.trie.rangeOf(codeWord(word));
    const ranges = range === undefined ? [] : [range];
    return this.#term(ranges, (rank) => this.#postings.has(ranges, rank));
  }

  #term(ranges: readonly WordRange[], isOf: (rank: number) => boolean, isWord = false): Term {
    const names = ranges.reduce((sum, range) => sum + this.#postings.total(range), 0);
    return { ranges, names, isWord, isOf };
  }

  /** The ranks that are shown and satisfy every term, of which there is one at least, ascending. */
  all(terms: readonly Term[], from = 0, to = this.names): Ranks {
    const found = conjunction(this.#postings, this.nameWords, terms, from, to);
    return this.#hidden === undefined ? found : this.shown(found);
  }

  /** The shown ones of some ranks. */
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
