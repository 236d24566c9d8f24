import type { DatabaseSync } from "node:sqlite";
import { prepareQuery, type Query } from "../lib/rows.ts";
import { type Condition, quote, type Vocabulary } from "./condition.ts";
import { SIGNS } from "./facets.ts";
import { LONGEST_INDEXED_START } from "./tables.ts";

/** Up to so many words, asking for each of them streams: the first hits come at once, however common the words. */
const FEW_WORDS = 64;
const MOST_WORDS = 512;
/** A start that so many names have at most is gathered by the index in less than a millisecond. */
const FEW_NAMES = 4_000;
/** Postal codes are not counted: each is rare. */
const RARE = 100;

/** The words of a snapshot, with the number of names that have them. */
export class SnapshotVocabulary implements Vocabulary {
  readonly #names: Query<[names: number]>;
  readonly #startNames: Query<[names: number]>;
  readonly #words: Query<[word: string, names: number]>;

  constructor(db: DatabaseSync) {
    this.#names = prepareQuery(db, "SELECT names FROM word WHERE word = ?");
    this.#startNames = prepareQuery(db, "SELECT names FROM start WHERE start = ?");
    this.#words = prepareQuery(
      db,
      `SELECT word, names FROM word WHERE word >= ? AND word < ? ORDER BY word LIMIT ${MOST_WORDS + 1}`,
    );
  }

  word(word: string): Condition {
    if (word.startsWith(SIGNS.postalCode)) return { text: quote(word), names: RARE };
    const [names] = this.#names.get(word) ?? [];
    return names === undefined ? undefined : { text: quote(word), names };
  }

  /**
   * The index answers short starts from lists of its own. For a longer one it gathers every name of every word that
   * starts so before it gives the first: 80 ms for `stichti` at four million companies. The words themselves are
   * few, so they are asked for instead: 15 µs.
   */
  start(start: string): Condition {
    const ofIndex = `${quote(start)} *`;
    if (start.startsWith(SIGNS.postalCode)) return { text: ofIndex, names: RARE };
    if ([...start].length <= LONGEST_INDEXED_START) {
      const [names] = this.#startNames.get(start) ?? [];
      return names === undefined ? undefined : { text: ofIndex, names };
    }
    const words = this.#words.all(start, `${start}\u{10ffff}`);
    if (words.length === 0) return undefined;
    const names = words.reduce((sum, [, count]) => sum + count, 0);
    const isFew = words.length <= FEW_WORDS || (words.length <= MOST_WORDS && names > FEW_NAMES);
    return { text: isFew ? `(${words.map(([word]) => quote(word)).join(" OR ")})` : ofIndex, names };
  }
}
