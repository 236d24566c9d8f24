import type { NameIndex } from "../../search/index/nameIndex.ts";
import { hashOfKey } from "../../search/indexedNames.ts";
import { exactKey } from "../../search/legalFormWords.ts";
import { normalise } from "../../search/normalise.ts";

/** The words, names and cities of a registry. */
export interface NameKnowledge {
  /**
   * The information of a word of a name in nats: -ln of its share of the names. That of "" is the highest: of a word
   * that no name has.
   */
  readonly informationOf: (word: string) => number;
  /** Whether a text is a name, apart from legal form and spaces. */
  readonly isName: (text: string) => boolean;
  readonly isCity: (text: string) => boolean;
}

export function isNameOf(indexes: readonly NameIndex[], text: string): boolean {
  const key = exactKey(normalise(text));
  return indexes.some((index) =>
    Iterator.from(index.exactKeys.withHash(hashOfKey(key))).some(
      (rank) => index.isShown(rank) && exactKey(normalise(index.records.text(rank))) === key,
    ),
  );
}
