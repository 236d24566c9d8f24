import type { DatabaseSync } from "node:sqlite";
import { prepareQuery, type Query } from "../rows.ts";
import { SIGNS } from "./facets.ts";
import { type Condition, word } from "./query.ts";
import { LONGEST_INDEXED_START } from "./tables.ts";

/** Up to so many words, asking for each of them streams: the first hits come at once, however common the words. */
const FEW_WORDS = 64;
const MOST_WORDS = 512;
/** A start that so many names have at most is gathered by the index in less than a millisecond. */
const FEW_NAMES = 4_000;

/**
 * Conditions of the kind "a word that starts with". The index answers short starts from lists of its own. For a
 * longer one it gathers every name of every word that starts so before it gives the first: 80 ms for `stichti` at
 * four million companies. The words themselves are few, so they are asked for instead: 15 µs.
 */
export class WordStarts {
  readonly #words: Query<[word: string, names: number]>;

  constructor(db: DatabaseSync) {
    this.#words = prepareQuery(
      db,
      `SELECT word, names FROM word WHERE word >= ? AND word < ? ORDER BY word LIMIT ${MOST_WORDS + 1}`,
    );
  }

  readonly condition = (start: string): Condition => {
    const isShort = [...start].length <= LONGEST_INDEXED_START;
    if (isShort || start.startsWith(SIGNS.postalCode)) return `${word(start)} *`;
    const words = this.#words.all(start, `${start}\u{10ffff}`);
    if (words.length === 0) return undefined;
    const names = words.reduce((sum, [, count]) => sum + count, 0);
    const isFew = words.length <= FEW_WORDS || (words.length <= MOST_WORDS && names > FEW_NAMES);
    return isFew ? `(${words.map(([one]) => word(one)).join(" OR ")})` : `${word(start)} *`;
  };
}
