import { PROVINCE_SIGN } from "../facets.ts";
import type { Trie, WordRange } from "./trie.ts";

/**
 * The words of a city, by its word; ranges ascend. A city without a province is that name in any province. A province that the index
 * does not know of the city is left out: registers write it only where two places have one name.
 * @param coded see `codeWord`
 */
export function cityRanges(trie: Trie, coded: string): readonly WordRange[] {
  const [city = "", province] = coded.split(PROVINCE_SIGN);
  const alone = province === undefined ? undefined : trie.find(coded);
  if (alone !== undefined) return [{ from: alone, to: alone + 1 }];
  const plain = trie.find(city);
  const own = plain === undefined ? [] : [{ from: plain, to: plain + 1 }];
  if (province !== undefined) return own;
  const inProvinces = trie.rangeOf(city + PROVINCE_SIGN);
  return inProvinces === undefined ? own : [...own, inProvinces];
}

/** Four digits behind their sign, then nothing but the beginning of two letters that the index holds otherwise than they are asked. */
const FOLDED = /^(.[0-9]{4})(ij?|y)$/;

/**
 * The words of the postal codes that begin so, by the word of the beginning; ranges ascend and hold a word at least. The index holds `1234 IJ` as it holds every `ij`, as
 * the one letter `y`; as a postal code has two letters, one that ends with a single `y` is that and no other.
 */
export function postalCodeRanges(trie: Trie, word: string): readonly WordRange[] {
  const [, digits, letters] = FOLDED.exec(word) ?? [];
  if (digits === undefined) return [trie.rangeOf(word)].filter(isThere);
  const withIj = trie.find(`${digits}y`);
  const alone = withIj === undefined ? undefined : { from: withIj, to: withIj + 1 };
  if (letters === "ij") return [alone].filter(isThere);
  if (letters === "i") return [trie.rangeOf(word), alone].filter(isThere);
  const withY = trie.rangeOf(word);
  // It is the first of those that begin with its letter.
  return [withY && { from: alone?.to ?? withY.from, to: withY.to }].filter(isThere);
}

function isThere(range: WordRange | undefined): range is WordRange {
  return range !== undefined && range.from < range.to;
}
