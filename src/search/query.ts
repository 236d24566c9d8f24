import { all, type Condition, type Vocabulary } from "./condition.ts";
import type { SearchCriteria } from "./criteria.ts";
import { cityWord, legalFormWord, postalCodeWord, SIGNS, sbiWord } from "./facets.ts";
import { namesLegalForm, withoutLegalForm } from "./legalWords.ts";
import { joinedWord } from "./names.ts";
import { normalise, squeeze } from "./normalise.ts";

/** What is read of a query; the rest of a longer one is left out. */
const LONGEST_QUERY = 200;
/** So many words are asked of the index; the others are looked for in the names that have these. */
const MOST_INDEXED_WORDS = 8;
/** Shorter words before the last are taken as they stand: their starts fit too much to be of use or fast. */
const SHORTEST_START = 3;

/** A query for names as it was understood. */
export interface NameQuery {
  readonly typed: string;
  readonly normal: string;
  /** At least one. The last may be the start of a word. */
  readonly words: readonly string[];
  /** Whether the words say a legal form, so that the form matters to who typed them. */
  readonly namesLegalForm: boolean;
}

/**
 * The ways in which a query can be understood, to be tried in this order until one has a hit: as typed; with what
 * punctuation holds together as one word (`e-commerce` for `Ecommerce`); without words that say a legal form, which
 * many registered names lack.
 */
export function* readings(q: string): Generator<NameQuery> {
  const typed = q.slice(0, LONGEST_QUERY);
  const given = new Set([""]);
  for (const read of READINGS) {
    const normal = read(typed);
    if (given.has(normal)) continue;
    given.add(normal);
    yield { typed, normal, words: normal.split(" "), namesLegalForm: namesLegalForm(normal) };
  }
}

const READINGS: readonly ((typed: string) => string)[] = [
  normalise,
  joinParts,
  (typed) => withoutLegalForm(normalise(typed)),
  (typed) => withoutLegalForm(joinParts(typed)),
];

function joinParts(typed: string): string {
  const parts = typed.split(/\s+/).map((part) => joinedWord(part) || part);
  return normalise(parts.join(" "));
}

/**
 * Whether a query comes to more than one word: names that have several common words can take long to find. No other reading has
 * more words than the first.
 */
export function mayHaveSeveralWords(q: string): boolean {
  return normalise(q).includes(" ");
}

/** The digits of a query that holds nothing else; undefined for any other. */
export function digitsOf({ normal }: NameQuery): string | undefined {
  const digits = squeeze(normal);
  return /^[0-9]{2,8}$/.test(digits) ? digits : undefined;
}

/** The conditions of a query for names, from the strictest to the widest: each includes those before it. */
export interface NameConditions {
  /** The name begins with the first word and has the others; the last as the start of a word. */
  readonly first: Condition;
  /** The name has every word, in any order; the last as the start of a word. */
  readonly words: Condition;
  /** The name has a word that starts with each of the words. */
  readonly starts: Condition;
  /** Words that are not part of the conditions, and must be looked for in the names. */
  readonly unasked: readonly string[];
}

export function nameConditions({ words }: NameQuery, vocabulary: Vocabulary): NameConditions {
  const last = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const asked = longest([...new Set(before)], MOST_INDEXED_WORDS - 1);
  const [firstWord = last] = before;
  const typed = vocabulary.start(last);
  const whole = asked.map((one) => vocabulary.word(one));
  const wholeButFirst = whole.filter((_, index) => asked[index] !== firstWord);
  const started = asked.map((one, index) =>
    one.length < SHORTEST_START ? whole[index] : vocabulary.start(one),
  );
  return {
    first: all(
      before.length === 0
        ? [vocabulary.start(SIGNS.first + last)]
        : [vocabulary.word(SIGNS.first + firstWord), ...wholeButFirst, typed],
    ),
    words: all([...whole, typed]),
    starts: all([...started, typed]),
    unasked: before.filter((one) => !asked.includes(one)),
  };
}

/** The conditions of what a search asks beside names. */
export function facetConditions(criteria: SearchCriteria, vocabulary: Vocabulary): Condition[] {
  const { city, postalCode, legalForm, sbiCode } = criteria;
  const ifAny = (word: string | undefined, condition: (word: string) => Condition) =>
    word === undefined ? undefined : condition(word);
  const conditions: Condition[] = [];
  if (city !== undefined) conditions.push(ifAny(cityWord(city), (word) => vocabulary.word(word)));
  if (postalCode !== undefined) {
    conditions.push(ifAny(postalCodeWord(postalCode), (word) => vocabulary.start(word)));
  }
  if (legalForm !== undefined) conditions.push(vocabulary.word(legalFormWord(legalForm)));
  if (sbiCode !== undefined) conditions.push(ifAny(sbiWord(sbiCode), (word) => vocabulary.start(word)));
  return conditions;
}

function longest(words: readonly string[], count: number): readonly string[] {
  return words.length <= count ? words : [...words].sort((a, b) => b.length - a.length).slice(0, count);
}
