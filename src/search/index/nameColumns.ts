import { TextsBuilder, U32Builder } from "./builders.ts";
import { hashedKeysSections } from "./hashedKeys.ts";
import { EXTRA_WORD } from "./nameWords.ts";
import { WORD_MASK, type WordLists } from "./postings.ts";
import { RANK_CLASSES, rankClassesSections } from "./rankClasses.ts";
import { NAME_FLAGS, recordMark } from "./records.ts";
import type { SectionList } from "./sections.ts";

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

/** Columns of data per name, in order of arrival. The names of a company are adjacent, the main name first. */
export class NameColumns {
  readonly words = new GrowingLists();
  readonly facets = new GrowingLists();
  /** Hashes of exact keys. */
  readonly keys = new GrowingLists();
  /** Hashes of RSINs. */
  readonly rsins = new GrowingLists();
  readonly #texts = new TextsBuilder();
  readonly #kvk = new U32Builder();
  readonly #classes = new U32Builder();
  readonly #cities = new U32Builder();
  readonly #postal = new U32Builder();
  readonly #marks = new U32Builder();
  readonly #houses = new U32Builder();

  /** Completes a name after its words, facets, keys and RSIN were pushed. */
  end(text: string, row: NameRow): void {
    for (const lists of [this.words, this.facets, this.keys, this.rsins]) lists.end();
    this.#texts.push(text);
    this.#kvk.push(row.kvk);
    this.#classes.push(row.rankClass);
    this.#cities.push(row.city);
    this.#postal.push(row.postal);
    this.#marks.push(recordMark(row.flags, row.form));
    this.#houses.push(row.house);
  }

  /** Returns all columns sorted by rank. @param newNumbers maps pushed word numbers to final ones */
  sortedByRank(newNumbers: Uint32Array): {
    sections: SectionList;
    names: WordLists;
    facets: WordLists;
    cities: Uint32Array;
    postal: Uint32Array;
  } {
    const positions = this.#positionsByNumber();
    const { counts, byRank } = sortedByClass(this.#classes.view(), positions);
    const permuted = (column: U32Builder) => permute(column.view(), byRank);
    const marks = permuted(this.#marks);
    const rankOf = new Uint32Array(this.#kvk.length);
    for (let rank = 0; rank < byRank.length; rank++) rankOf[byRank[rank] ?? 0] = rank;
    const texts = permuteTexts(this.#texts.view(), byRank);
    const renumbered = (word: number) => (newNumbers[word & WORD_MASK] ?? 0) | (word & EXTRA_WORD);
    return {
      sections: [
        ...rankClassesSections(counts),
        ["records.kvk", permuted(this.#kvk)],
        ["records.marks", Uint8Array.from(marks)],
        ["records.houses", Uint8Array.from(permuted(this.#houses))],
        ["texts.bytes", texts.bytes],
        ["texts.starts", texts.starts],
        ...this.#companySections(positions, rankOf),
        ...hashedKeysSections(
          "exact",
          this.keys.permuted(byRank, (hash) => hash),
        ),
        ...hashedKeysSections(
          "rsins",
          this.rsins.permuted(byRank, (hash) => hash),
        ),
      ],
      names: this.words.permuted(byRank, renumbered),
      facets: this.facets.permuted(byRank, renumbered),
      cities: permuted(this.#cities),
      postal: permuted(this.#postal),
    };
  }

  /** Returns the positions of all names by KVK number. For a company that was added twice, only those of the last time. */
  #positionsByNumber(): Uint32Array {
    const kvk = this.#kvk.view();
    // KVK number in the upper half, position in the lower: sorting keeps the order of a company's names.
    const pairs = new BigUint64Array(kvk.length);
    const halves = new Uint32Array(pairs.buffer);
    let isSorted = true;
    for (let position = 0; position < kvk.length; position++) {
      halves[2 * position] = position;
      halves[2 * position + 1] = kvk[position] ?? 0;
      if (position > 0 && (kvk[position] ?? 0) < (kvk[position - 1] ?? 0)) isSorted = false;
    }
    if (!isSorted) pairs.sort();
    const positions = new U32Builder();
    const marks = this.#marks.view();
    for (let from = 0; from < kvk.length; ) {
      let to = from + 1;
      while (to < kvk.length && halves[2 * to + 1] === halves[2 * from + 1]) to++;
      let last = to - 1;
      while (((marks[halves[2 * last] ?? 0] ?? 0) & NAME_FLAGS.main) === 0) last--;
      for (; last < to; last++) positions.push(halves[2 * last] ?? 0);
      from = to;
    }
    return positions.view();
  }

  /** The ranks of main names by KVK number. */
  #companySections(positions: Uint32Array, rankOf: Uint32Array): SectionList {
    const marks = this.#marks.view();
    const isMain = (position: number) => ((marks[position] ?? 0) & NAME_FLAGS.main) !== 0;
    return [["numbers.ranks", positions.filter(isMain).map((position) => rankOf[position] ?? 0)]];
  }
}

/** A list of numbers per name. */
class GrowingLists {
  readonly #starts = new U32Builder();
  readonly #values = new U32Builder();

  constructor() {
    this.#starts.push(0);
  }

  /** Adds a number to the list of the current name. */
  push(value: number): void {
    this.#values.push(value);
  }

  end(): void {
    this.#starts.push(this.#values.length);
  }

  permuted(byRank: Uint32Array, renumber: (value: number) => number): WordLists {
    const [starts, values] = [this.#starts.view(), this.#values.view()];
    const newStarts = new Uint32Array(byRank.length + 1);
    const newValues = new Uint32Array(values.length);
    let count = 0;
    for (let rank = 0; rank < byRank.length; rank++) {
      const position = byRank[rank] ?? 0;
      const to = starts[position + 1] ?? 0;
      for (let at = starts[position] ?? 0; at < to; at++) newValues[count++] = renumber(values[at] ?? 0);
      newStarts[rank + 1] = count;
    }
    return { starts: newStarts, words: newValues.subarray(0, count) };
  }
}

/** A stable counting sort of positions by class. */
function sortedByClass(
  classes: Uint32Array,
  positions: Uint32Array,
): { counts: Uint32Array; byRank: Uint32Array } {
  const counts = new Uint32Array(RANK_CLASSES);
  for (const position of positions) {
    const rankClass = classes[position] ?? 0;
    counts[rankClass] = (counts[rankClass] ?? 0) + 1;
  }
  const next = new Uint32Array(RANK_CLASSES + 1);
  for (let rankClass = 0; rankClass < RANK_CLASSES; rankClass++)
    next[rankClass + 1] = (next[rankClass] ?? 0) + (counts[rankClass] ?? 0);
  const byRank = new Uint32Array(positions.length);
  for (const position of positions) {
    const rankClass = classes[position] ?? 0;
    const rank = next[rankClass] ?? 0;
    byRank[rank] = position;
    next[rankClass] = rank + 1;
  }
  return { counts, byRank };
}

function permute(column: Uint32Array, byRank: Uint32Array): Uint32Array {
  const permuted = new Uint32Array(byRank.length);
  for (let rank = 0; rank < byRank.length; rank++) permuted[rank] = column[byRank[rank] ?? 0] ?? 0;
  return permuted;
}

function permuteTexts(
  { bytes, starts }: ReturnType<TextsBuilder["view"]>,
  byRank: Uint32Array,
): { bytes: Uint8Array; starts: Uint32Array } {
  const newBytes = new Uint8Array(bytes.length);
  const newStarts = new Uint32Array(byRank.length + 1);
  let count = 0;
  for (let rank = 0; rank < byRank.length; rank++) {
    const position = byRank[rank] ?? 0;
    const to = starts[position + 1] ?? 0;
    for (let at = starts[position] ?? 0; at < to; at++) newBytes[count++] = bytes[at] ?? 0;
    newStarts[rank + 1] = count;
  }
  return { bytes: newBytes.subarray(0, count), starts: newStarts };
}
