/** A condition on names in the language of the index. Undefined: nothing satisfies it. */
export type Condition = Known | undefined;

interface Known {
  readonly text: string;
  /** About how many names satisfy it, at most. */
  readonly names: number;
}

/** What the index can be asked about single words. */
export interface Vocabulary {
  /** Names that have the word. */
  word(word: string): Condition;
  /** Names that have a word which starts so. */
  start(start: string): Condition;
}

/** A word that no name has: names hold letters and digits, and signs stand before those. */
const NOWHERE = '"!!"';

/**
 * All of the conditions, the rarest first. The index leaps through all words of an AND alike, so that a common word
 * is read wherever any other one is. `NOT` something that is nowhere makes of the first two one condition, of these
 * and the third another, and so on: a common word is then read only where all rarer ones agree. At four million
 * companies that is 1 ms instead of 11 for `de wit en visser stamrecht bv`.
 */
export function all(conditions: readonly Condition[]): Condition {
  const known = conditions.filter((condition) => condition !== undefined);
  if (known.length < conditions.length) return undefined;
  const [rarest, ...others] = [...new Map(known.map((one) => [one.text, one])).values()].sort(
    (a, b) => a.names - b.names,
  );
  if (rarest === undefined) return undefined;
  let text = rarest.text;
  for (const [index, other] of others.entries()) {
    text = index === 0 ? `${text} AND ${other.text}` : `((${text}) NOT ${NOWHERE}) AND ${other.text}`;
  }
  return { text, names: rarest.names };
}

/** Words hold letters, digits and our signs only, so that nothing in quotes is ever read as query language. */
export function quote(word: string): string {
  return `"${word}"`;
}
