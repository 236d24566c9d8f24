import { GrowingColumn, U32Builder } from "./builders.ts";
import { hashedKeysSections } from "./hashedKeys.ts";
import { EXTRA_WORD } from "./nameWords.ts";
import { WORD_MASK, type WordLists } from "./postings.ts";
import { RANK_CLASSES, rankClassesSections } from "./rankClasses.ts";
import { NAME_FLAGS, recordMark } from "./records.ts";
import type { Section } from "./sections.ts";
import type { SharedTextsBuilder } from "./sharedTexts.ts";

/** Facts of a name, except texts and words. */
interface NameRow {
  readonly kvk: number;
  readonly rankClass: number;
  readonly city: number;
  readonly postal: number;
  readonly form: number;
  /** See `houseNumberByte`. */
  readonly house: number;
  readonly flags: number;
}

/** Texts of up to a third of its length are encoded without an allocation. */
const SCRATCH = Buffer.alloc(1 << 10);

/**
 * Columns of data per name, in order of arrival. The names of a company are adjacent, the main name first.
 * {@link sections} frees each column once its section is built, because together they have a gigabyte for four million
 * companies.
 */
export class NameColumns {
  readonly words = new GrowingLists(4);
  readonly facets = new GrowingLists(4);
  /** Hashes of exact keys. */
  readonly keys = new GrowingLists(4);
  /** Hashes of RSINs, VAT numbers and LEIs. */
  readonly otherNumbers = new GrowingLists(4);
  /** The bytes of each text. */
  readonly #texts = new GrowingLists(1);
  readonly #kvk = new GrowingColumn(4);
  readonly #classes = new GrowingColumn(4);
  readonly #cities = new GrowingColumn(4);
  readonly #postal = new GrowingColumn(4);
  readonly #marks = new GrowingColumn(1);
  readonly #houses = new GrowingColumn(1);

  /** Completes a name after its words, facets, keys and tax numbers were pushed. */
  end(text: string, row: NameRow): void {
    const bytes =
      3 * text.length > SCRATCH.length ? Buffer.from(text) : SCRATCH.subarray(0, SCRATCH.write(text));
    for (const byte of bytes) this.#texts.push(byte);
    for (const lists of [this.words, this.facets, this.keys, this.otherNumbers, this.#texts]) lists.end();
    this.#kvk.push(row.kvk);
    this.#classes.push(row.rankClass);
    this.#cities.push(row.city);
    this.#postal.push(row.postal);
    this.#marks.push(recordMark(row.flags, row.form));
    this.#houses.push(row.house);
  }

  /**
   * Builds the sections of all columns, sorted by rank. The columns cannot be used afterwards.
   * @param newNumbers maps pushed word numbers to final ones
   * @returns the words and facets of each name
   */
  *sections(
    newNumbers: Uint32Array,
    { cities, postalCodes }: Readonly<Record<"cities" | "postalCodes", SharedTextsBuilder>>,
  ): Generator<Section, [names: WordLists, facets: WordLists]> {
    const { counts, byRank } = yield* this.#order();
    const sorted = (column: GrowingColumn) => sortedColumn(column, byRank);
    yield* rankClassesSections(counts);
    yield ["records.kvk", sorted(this.#kvk)];
    yield ["records.marks", Uint8Array.from(sorted(this.#marks))];
    yield ["records.houses", Uint8Array.from(sorted(this.#houses))];
    const texts = new Uint8Array(this.#texts.size);
    const textStarts = this.#texts.moveTo(texts, byRank);
    yield ["texts.bytes", texts.subarray(0, textStarts.at(-1))];
    yield ["texts.starts", textStarts];
    yield* cities.sections("cities", sorted(this.#cities), newNumbers);
    yield* postalCodes.sections("postal", sorted(this.#postal), newNumbers);
    const listsOf = (lists: GrowingLists, renumber?: (value: number) => number): WordLists => {
      const words = new Uint32Array(lists.size);
      const starts = lists.moveTo(words, byRank, renumber);
      return { starts, words: words.subarray(0, starts.at(-1)) };
    };
    yield* hashedKeysSections("exact", listsOf(this.keys));
    yield* hashedKeysSections("tax", listsOf(this.otherNumbers));
    const renumbered = (word: number) => (newNumbers[word & WORD_MASK] ?? 0) | (word & EXTRA_WORD);
    return [listsOf(this.words, renumbered), listsOf(this.facets, renumbered)];
  }

  /** Sorts the names by rank, and builds the ranks of main names by KVK number. */
  *#order(): Generator<Section, ReturnType<typeof sortedByClass>> {
    const positions = this.#positionsByNumber();
    const sorted = sortedByClass(this.#classes, positions);
    this.#classes.clear();
    const rankOf = new Uint32Array(this.#kvk.length);
    for (const [rank, position] of sorted.byRank.entries()) rankOf[position] = rank;
    const mains = positions.filter((position) => this.#isMain(position));
    yield ["numbers.ranks", mains.map((position) => rankOf[position] ?? 0)];
    return sorted;
  }

  #isMain(position: number): boolean {
    return (this.#marks.at(position) & NAME_FLAGS.main) !== 0;
  }

  /**
   * Returns the positions of all names by KVK number. For a company that was added twice, only the positions of the
   * last time.
   */
  #positionsByNumber(): Uint32Array {
    const kvk = this.#kvk;
    // KVK number in the upper half, position in the lower: sorting keeps the order of a company's names.
    const pairs = new BigUint64Array(kvk.length);
    const halves = new Uint32Array(pairs.buffer);
    let isSorted = true;
    for (let position = 0; position < kvk.length; position++) {
      halves[2 * position] = position;
      halves[2 * position + 1] = kvk.at(position);
      if (position > 0 && kvk.at(position) < kvk.at(position - 1)) isSorted = false;
    }
    if (!isSorted) pairs.sort();
    const positions = new U32Builder();
    for (let from = 0; from < kvk.length; ) {
      let to = from + 1;
      while (to < kvk.length && halves[2 * to + 1] === halves[2 * from + 1]) to++;
      let last = to - 1;
      while (!this.#isMain(halves[2 * last] ?? 0)) last--;
      for (; last < to; last++) positions.push(halves[2 * last] ?? 0);
      from = to;
    }
    return positions.view();
  }
}

/** A list of numbers per name. */
class GrowingLists {
  readonly #starts = new GrowingColumn(4);
  readonly #values: GrowingColumn;

  /** @param bytes the size of a number */
  constructor(bytes: 1 | 4) {
    this.#values = new GrowingColumn(bytes);
    this.#starts.push(0);
  }

  /** The number of values in all lists. */
  get size(): number {
    return this.#values.length;
  }

  /** Adds a number to the list of the current name. */
  push(value: number): void {
    this.#values.push(value);
  }

  end(): void {
    this.#starts.push(this.#values.length);
  }

  /**
   * Copies the values to `sorted` by rank, and frees the lists.
   * @returns the offset of each list, then their total length
   */
  moveTo(
    sorted: Uint8Array | Uint32Array,
    byRank: Uint32Array,
    renumber: (value: number) => number = (value) => value,
  ): Uint32Array {
    const starts = new Uint32Array(byRank.length + 1);
    let count = 0;
    for (let rank = 0; rank < byRank.length; rank++) {
      const position = byRank[rank] ?? 0;
      const to = this.#starts.at(position + 1);
      for (let at = this.#starts.at(position); at < to; at++) sorted[count++] = renumber(this.#values.at(at));
      starts[rank + 1] = count;
    }
    this.#starts.clear();
    this.#values.clear();
    return starts;
  }
}

/** A stable counting sort of positions by class. */
function sortedByClass(
  classes: GrowingColumn,
  positions: Uint32Array,
): { counts: Uint32Array; byRank: Uint32Array } {
  const counts = new Uint32Array(RANK_CLASSES);
  for (const position of positions) {
    const rankClass = classes.at(position);
    counts[rankClass] = (counts[rankClass] ?? 0) + 1;
  }
  const next = new Uint32Array(RANK_CLASSES + 1);
  for (let rankClass = 0; rankClass < RANK_CLASSES; rankClass++)
    next[rankClass + 1] = (next[rankClass] ?? 0) + (counts[rankClass] ?? 0);
  const byRank = new Uint32Array(positions.length);
  for (const position of positions) {
    const rankClass = classes.at(position);
    const rank = next[rankClass] ?? 0;
    byRank[rank] = position;
    next[rankClass] = rank + 1;
  }
  return { counts, byRank };
}

/** Copies a column by rank, and frees it. */
function sortedColumn(column: GrowingColumn, byRank: Uint32Array): Uint32Array {
  const sorted = byRank.map((position) => column.at(position));
  column.clear();
  return sorted;
}
