import { TextsBuilder, U32Builder } from "./builders.ts";
import { exactKeysSections } from "./exactKeys.ts";
import { EXTRA_WORD } from "./nameWords.ts";
import { WORD_MASK, type WordLists } from "./postings.ts";
import { RANK_CLASSES, rankClassesSections } from "./rankClasses.ts";
import { NAME_FLAGS, recordMark } from "./records.ts";
import type { SectionList } from "./sections.ts";

/** Facts of a name other than its texts and words. */
interface NameRow {
  readonly kvk: number;
  readonly rankClass: number;
  readonly city: number;
  readonly postal: number;
  readonly form: number;
  readonly flags: number;
}

/** Data of each name in order of arrival: the names of a company together, its own name first. */
export class NameColumns {
  readonly words = new GrowingLists();
  readonly facets = new GrowingLists();
  /** Hashes of exact keys. */
  readonly keys = new GrowingLists();
  readonly #texts = new TextsBuilder();
  readonly #kvk = new U32Builder();
  readonly #classes = new U32Builder();
  readonly #cities = new U32Builder();
  readonly #postal = new U32Builder();
  readonly #marks = new U32Builder();

  /** Ends a name whose words, facets and keys were pushed. */
  end(text: string, row: NameRow): void {
    for (const lists of [this.words, this.facets, this.keys]) lists.end();
    this.#texts.push(text);
    this.#kvk.push(row.kvk);
    this.#classes.push(row.rankClass);
    this.#cities.push(row.city);
    this.#postal.push(row.postal);
    this.#marks.push(recordMark(row.flags, row.form));
  }

  /** All columns by rank. @param newNumbers of words, by those that were pushed */
  inOrderOfRank(newNumbers: Uint32Array): {
    sections: SectionList;
    names: WordLists;
    facets: WordLists;
    cities: Uint32Array;
    postal: Uint32Array;
  } {
    const places = this.#placesByNumber();
    const { counts, byRank } = sortedByClass(this.#classes.view(), places);
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
        ["texts.bytes", texts.bytes],
        ["texts.starts", texts.starts],
        ...this.#companySections(places, rankOf),
        ...exactKeysSections(this.keys.permuted(byRank, (hash) => hash)),
      ],
      names: this.words.permuted(byRank, renumbered),
      facets: this.facets.permuted(byRank, renumbered),
      cities: permuted(this.#cities),
      postal: permuted(this.#postal),
    };
  }

  /** The places of the names of all companies in the order of their numbers; of a company that came twice, of the last time. */
  #placesByNumber(): Uint32Array {
    const kvk = this.#kvk.view();
    // Number above place: sorted as numbers of 64 bits, names of one company keep their order.
    const pairs = new BigUint64Array(kvk.length);
    const halves = new Uint32Array(pairs.buffer);
    let isSorted = true;
    for (let place = 0; place < kvk.length; place++) {
      halves[2 * place] = place;
      halves[2 * place + 1] = kvk[place] ?? 0;
      if (place > 0 && (kvk[place] ?? 0) < (kvk[place - 1] ?? 0)) isSorted = false;
    }
    if (!isSorted) pairs.sort();
    const places = new U32Builder();
    const marks = this.#marks.view();
    for (let from = 0; from < kvk.length; ) {
      let to = from + 1;
      while (to < kvk.length && halves[2 * to + 1] === halves[2 * from + 1]) to++;
      let last = to - 1;
      while (((marks[halves[2 * last] ?? 0] ?? 0) & NAME_FLAGS.own) === 0) last--;
      for (; last < to; last++) places.push(halves[2 * last] ?? 0);
      from = to;
    }
    return places.view();
  }

  /** The ranks of own names in the order of KVK numbers. */
  #companySections(places: Uint32Array, rankOf: Uint32Array): SectionList {
    const marks = this.#marks.view();
    const isOwn = (place: number) => ((marks[place] ?? 0) & NAME_FLAGS.own) !== 0;
    return [["numbers.ranks", places.filter(isOwn).map((place) => rankOf[place] ?? 0)]];
  }
}

/** A list of numbers per name. */
class GrowingLists {
  readonly #starts = new U32Builder();
  readonly #values = new U32Builder();

  constructor() {
    this.#starts.push(0);
  }

  /** Adds a number to the list of the name that ends next. */
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
      const place = byRank[rank] ?? 0;
      const to = starts[place + 1] ?? 0;
      for (let at = starts[place] ?? 0; at < to; at++) newValues[count++] = renumber(values[at] ?? 0);
      newStarts[rank + 1] = count;
    }
    return { starts: newStarts, words: newValues.subarray(0, count) };
  }
}

/** A counting sort of places by their class, which keeps their order within one. */
function sortedByClass(
  classes: Uint32Array,
  places: Uint32Array,
): { counts: Uint32Array; byRank: Uint32Array } {
  const counts = new Uint32Array(RANK_CLASSES);
  for (const place of places) {
    const one = classes[place] ?? 0;
    counts[one] = (counts[one] ?? 0) + 1;
  }
  const next = new Uint32Array(RANK_CLASSES + 1);
  for (let one = 0; one < RANK_CLASSES; one++) next[one + 1] = (next[one] ?? 0) + (counts[one] ?? 0);
  const byRank = new Uint32Array(places.length);
  for (const place of places) {
    const one = classes[place] ?? 0;
    const rank = next[one] ?? 0;
    byRank[rank] = place;
    next[one] = rank + 1;
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
    const place = byRank[rank] ?? 0;
    const to = starts[place + 1] ?? 0;
    for (let at = starts[place] ?? 0; at < to; at++) newBytes[count++] = bytes[at] ?? 0;
    newStarts[rank + 1] = count;
  }
  return { bytes: newBytes.subarray(0, count), starts: newStarts };
}
