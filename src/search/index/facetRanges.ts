import { PROVINCE_SEPARATOR } from "../facets.ts";
import type { Trie, WordRange } from "./trie.ts";

/**
 * Returns the ranges of words for a city, ascending. Without a province the city matches in every province. A province
 * that the index does not have for this city is ignored, because registers add it only to ambiguous names.
 * @param coded see `codeWord`
 */
export function cityRanges(trie: Trie, coded: string): readonly WordRange[] {
  const [city = "", province] = coded.split(PROVINCE_SEPARATOR);
  const exact = province === undefined ? undefined : trie.find(coded);
  if (exact !== undefined) return [{ from: exact, to: exact + 1 }];
  const plain = trie.find(city);
  const ownRange = plain === undefined ? [] : [{ from: plain, to: plain + 1 }];
  if (province !== undefined) return ownRange;
  const inProvinces = trie.rangeWithPrefix(city + PROVINCE_SEPARATOR);
  return inProvinces === undefined ? ownRange : [...ownRange, inProvinces];
}

/** A postal code word whose letters are `i`, `ij` or `y`, which the index encodes. */
const FOLDED = /^(.[0-9]{4})(ij?|y)$/;

/**
 * Returns the ranges of words for a prefix of a postal code, ascending and not empty. The index encodes `1234 IJ` as
 * `1234y`. A postal code has two letters, so a single final `y` always means `IJ`.
 */
export function postalCodeRanges(trie: Trie, word: string): readonly WordRange[] {
  const [, digits, letters] = FOLDED.exec(word) ?? [];
  if (digits === undefined) return [trie.rangeWithPrefix(word)].filter(isNotEmpty);
  const withIj = trie.find(`${digits}y`);
  const exact = withIj === undefined ? undefined : { from: withIj, to: withIj + 1 };
  if (letters === "ij") return [exact].filter(isNotEmpty);
  if (letters === "i") return [trie.rangeWithPrefix(word), exact].filter(isNotEmpty);
  const withY = trie.rangeWithPrefix(word);
  // `IJ` is the first of those that begin with `y`, and is excluded.
  return [withY && { from: exact?.to ?? withY.from, to: withY.to }].filter(isNotEmpty);
}

function isNotEmpty(range: WordRange | undefined): range is WordRange {
  return range !== undefined && range.from < range.to;
}
