import { cityWord } from "../../search/facets.ts";
import type { NameIndex } from "../../search/index/nameIndex.ts";
import { hashOfKey } from "../../search/indexedNames.ts";
import { exactKey } from "../../search/legalFormWords.ts";
import { normalise } from "../../search/normalise.ts";
import { nameParts } from "../nameParts.ts";

/** What the names of a registry say about a text. */
export interface NameKnowledge {
  /** The information of a word of a name in nats: -ln of its share of the names. */
  readonly informationOf: (word: string) => number;
  /** Whether a word is in some name. */
  readonly isWord: (word: string) => boolean;
  /** Whether many names have a word. */
  readonly isCommon: (word: string) => boolean;
  /** Whether a text is a name, apart from legal form and spaces. */
  readonly isName: (text: string) => boolean;
  /** Whether the words of a text are rarer together than one name of the registry, by some nats. */
  readonly isDistinct: (text: string, nats: number) => boolean;
  readonly isCity: (text: string) => boolean;
}

/** A word in more than one of so many names is common. */
const COMMON = 3_000;

/** @param informationOf see {@link NameKnowledge} */
export function nameKnowledge(
  indexes: readonly NameIndex[],
  informationOf: (word: string) => number,
): NameKnowledge {
  return {
    informationOf,
    isWord: (word) => indexes.some((index) => index.wordNumber(word) !== undefined),
    isCommon: (word) => informationOf(word) < Math.log(COMMON),
    isName: (text) => {
      const key = exactKey(normalise(text));
      const isSame = (index: NameIndex, rank: number) =>
        index.isShown(rank) && exactKey(normalise(index.records.text(rank))) === key;
      return indexes.some((index) =>
        Iterator.from(index.exactKeys.withHash(hashOfKey(key))).some((rank) => isSame(index, rank)),
      );
    },
    isDistinct: (text, nats) => {
      const words = nameParts(text).words.map(informationOf);
      return words.reduce((sum, one) => sum + one, 0) > informationOf("") + nats;
    },
    isCity: (text) => {
      const word = cityWord(text);
      return word !== undefined && indexes.some((index) => index.cityTerm([word]).maxNames > 0);
    },
  };
}
