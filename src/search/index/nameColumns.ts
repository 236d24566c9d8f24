import { exactKeysSections, type KeyHashes } from "./exactKeys.ts";
import { GrowingBytes, GrowingU32 } from "./growing.ts";
import { BESIDE } from "./nameWords.ts";
import { WORD_MASK, type WordLists } from "./postings.ts";
import { RANK_CLASSES, rankClassesSections } from "./rankClasses.ts";
import { NAME_FLAGS, recordMark } from "./records.ts";
import type { SectionList } from "./sections.ts";

/** What is known of a name beside its texts and words. */
interface NameRow {
  readonly kvk: number;
  readonly rankClass: number;
  readonly city: number;
  readonly postal: number;
  readonly form: number;
  readonly flags: number;
}

/** What is known of each name, in the order in which they came: those of a company together, its own name first. */
export class NameColumns {
  readonly words = new GrowingU32();
  readonly facets = new GrowingU32();
  readonly #wordStarts = new GrowingU32();
  readonly #facetStarts = new GrowingU32();
  readonly #texts = new GrowingBytes();
  readonly #textStarts = new GrowingU32();
  readonly #kvk = new GrowingU32();
  readonly #classes = new GrowingU32();
  readonly #hashes = new GrowingU32();
  readonly #hashedNames = new GrowingU32();
  readonly #cities = new GrowingU32();
  readonly #postal = new GrowingU32();
  readonly #marks = new GrowingU32();

  constructor() {
    this.#wordStarts.push(0);
    this.#facetStarts.push(0);
    this.#textStarts.push(0);
  }

  /** Adds the hash of a key of the name that is to be ended next. */
  addKey(hash: number): void {
    this.#hashes.push(hash);
    this.#hashedNames.push(this.#kvk.length);
  }

  /** Ends a name whose words, facets and keys were pushed. */
  end(text: string, row: NameRow): void {
    this.#wordStarts.push(this.words.length);
    this.#facetStarts.push(this.facets.length);
    this.#texts.write(text);
    this.#textStarts.push(this.#texts.length);
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
    const permuted = (column: GrowingU32) => permute(column.view(), byRank);
    const marks = permuted(this.#marks);
    const rankOf = new Uint32Array(this.#kvk.length).fill(NO_RANK);
    for (let rank = 0; rank < byRank.length; rank++) rankOf[byRank[rank] ?? 0] = rank;
    const texts = permuteTexts(this.#texts.view(), this.#textStarts.view(), byRank);
    return {
      sections: [
        ...rankClassesSections(counts),
        ["records.kvk", permuted(this.#kvk)],
        ["records.marks", Uint8Array.from(marks)],
        ["texts.bytes", texts.bytes],
        ["texts.starts", texts.starts],
        ...this.#companySections(places, rankOf),
        ...exactKeysSections(this.#keysByRank(byRank, rankOf)),
      ],
      names: permuteLists(this.#wordStarts.view(), this.words.view(), byRank, newNumbers),
      facets: permuteLists(this.#facetStarts.view(), this.facets.view(), byRank, newNumbers),
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
    const places = new GrowingU32();
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

  #keysByRank(byRank: Uint32Array, rankOf: Uint32Array): KeyHashes {
    const [hashes, places] = [this.#hashes.view(), this.#hashedNames.view()];
    const starts = new Uint32Array(byRank.length + 1);
    for (const place of places) {
      const rank = rankOf[place] ?? NO_RANK;
      if (rank !== NO_RANK) starts[rank + 1] = (starts[rank + 1] ?? 0) + 1;
    }
    for (let rank = 0; rank < byRank.length; rank++)
      starts[rank + 1] = (starts[rank + 1] ?? 0) + (starts[rank] ?? 0);
    const kept = starts[byRank.length] ?? 0;
    const sorted = { hashes: new Uint32Array(kept), ranks: new Uint32Array(kept) };
    for (let at = 0; at < hashes.length; at++) {
      const rank = rankOf[places[at] ?? 0] ?? NO_RANK;
      if (rank === NO_RANK) continue;
      const to = starts[rank] ?? 0;
      sorted.hashes[to] = hashes[at] ?? 0;
      sorted.ranks[to] = rank;
      starts[rank] = to + 1;
    }
    return sorted;
  }
}

/** The rank of a name that another took the place of. */
const NO_RANK = 0xffffffff;

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

function permuteLists(
  starts: Uint32Array,
  words: Uint32Array,
  byRank: Uint32Array,
  newNumbers: Uint32Array,
): WordLists {
  const newStarts = new Uint32Array(byRank.length + 1);
  const newWords = new Uint32Array(words.length);
  let count = 0;
  for (let rank = 0; rank < byRank.length; rank++) {
    const place = byRank[rank] ?? 0;
    const to = starts[place + 1] ?? 0;
    for (let at = starts[place] ?? 0; at < to; at++) {
      const word = words[at] ?? 0;
      const renumbered = newNumbers[word & WORD_MASK] ?? 0;
      newWords[count++] = word >= BESIDE ? renumbered | BESIDE : renumbered;
    }
    newStarts[rank + 1] = count;
  }
  return { starts: newStarts, words: newWords.subarray(0, count) };
}

function permuteTexts(
  bytes: Uint8Array,
  starts: Uint32Array,
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
