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
