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

/** A condition in the language of the index; undefined when nothing can satisfy it. */
export type Condition = string | undefined;

/** Gives the condition that a word of the index starts with `start`. */
export type StartsWith = (start: string) => Condition;

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
export function readings(q: string): NameQuery[] {
  const typed = q.slice(0, LONGEST_QUERY);
  const asTyped = normalise(typed);
  const joined = normalise(
    typed
      .split(/\s+/)
      .map((part) => joinedWord(part) || part)
      .join(" "),
  );
  const texts = new Set([asTyped, joined, withoutLegalForm(asTyped), withoutLegalForm(joined)]);
  return [...texts]
    .filter((normal) => normal !== "")
    .map((normal) => ({ typed, normal, words: normal.split(" "), namesLegalForm: namesLegalForm(normal) }));
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

export function nameConditions({ words }: NameQuery, startsWith: StartsWith): NameConditions {
  const last = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const asked = longest([...new Set(before)], MOST_INDEXED_WORDS - 1);
  const [firstWord = last] = before;
  const typed = startsWith(last);
  const first = before.length === 0 ? startsWith(SIGNS.first + last) : word(SIGNS.first + firstWord);
  return {
    first: all([first, ...asked.filter((one) => one !== firstWord).map(word), typed]),
    words: all([...asked.map(word), typed]),
    starts: all([...asked.map((one) => (one.length < SHORTEST_START ? word(one) : startsWith(one))), typed]),
    unasked: before.filter((one) => !asked.includes(one)),
  };
}

/** The conditions of what a search asks beside names. */
export function facetConditions(criteria: SearchCriteria, startsWith: StartsWith): Condition[] {
  const { city, postalCode, legalForm, sbiCode } = criteria;
  const conditions: Condition[] = [];
  if (city !== undefined) conditions.push(wordIfAny(cityWord(city)));
  if (postalCode !== undefined) conditions.push(startIfAny(postalCodeWord(postalCode), startsWith));
  if (legalForm !== undefined) conditions.push(word(legalFormWord(legalForm)));
  if (sbiCode !== undefined) conditions.push(startIfAny(sbiWord(sbiCode), startsWith));
  return conditions;
}

/** Every company once: the condition that a name is the company's own. */
export const OWN_NAME = word(SIGNS.main);

/** All of the conditions. */
export function all(conditions: readonly Condition[]): Condition {
  const known = conditions.filter((condition) => condition !== undefined);
  return known.length < conditions.length ? undefined : [...new Set(known)].join(" AND ");
}

/** Words hold letters, digits and our signs only, so that nothing in quotes is ever read as query language. */
export function word(text: string): string {
  return `"${text}"`;
}

function wordIfAny(text: string | undefined): Condition {
  return text === undefined ? undefined : word(text);
}

function startIfAny(text: string | undefined, startsWith: StartsWith): Condition {
  return text === undefined ? undefined : startsWith(text);
}

function longest(words: readonly string[], count: number): readonly string[] {
  return words.length <= count ? words : [...words].sort((a, b) => b.length - a.length).slice(0, count);
}
