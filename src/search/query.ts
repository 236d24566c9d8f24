import { MAX_QUERY_LENGTH } from "../contract/totals.ts";
import { decodeEntities } from "../lib/htmlEntities.ts";
import { containsLegalForm, withoutLegalForm } from "./legalFormWords.ts";
import { joinedWord } from "./nameText.ts";
import { normalise, withoutSpaces } from "./normalise.ts";

export interface NameQuery {
  readonly typed: string;
  readonly normal: string;
  /** At least one. Each is a prefix of a word of the name. */
  readonly words: readonly string[];
  /**
   * For each word, whether it must be a complete word of the name rather than a prefix. All are prefixes by default.
   */
  readonly isWholeWord?: readonly boolean[];
  /** Whether the query contains a legal form; names with another form then rank lower. */
  readonly hasLegalForm: boolean;
  /** Set for a rewritten query. */
  readonly rewriteRank?: RewriteRank;
  /** Whether it differs from the typed query only by spaces, so that its exact names are the same. */
  readonly isRespaced?: boolean;
}

/**
 * How hits of a rewritten query rank among the hits of the typed query: `preferred` before all but exact names,
 * `alternative` after hits that match as well or slightly worse. An `equal` query finds the same names; it only ranks
 * names that begin with it as if they began with the typed query.
 */
export type RewriteRank = "preferred" | "equal" | "alternative";

/**
 * Yields the interpretations of a query as a name, to be tried in order until one has a hit: as typed, with punctuation
 * inside words removed (`e-commerce` for `Ecommerce`), and without the legal form, which many registered names lack.
 */
export function* nameInterpretations(q: string): Generator<NameQuery> {
  const seen = [""];
  for (const normaliseVariant of NORMALISERS) {
    const normal = normaliseVariant(q);
    if (seen.includes(normal)) continue;
    seen.push(normal);
    yield nameQueryOf(q, normal);
  }
}

/** Returns the query to correct when nothing matches: without its legal form. Undefined when it has no word. */
export function queryToCorrect(q: string): NameQuery | undefined {
  const normal = withoutLegalForm(normaliseQuery(q));
  return normal === "" ? undefined : nameQueryOf(q, normal);
}

/** @param normal a normalised, non-empty text */
export function nameQueryOf(typed: string, normal: string): NameQuery {
  return { typed, normal, words: normal.split(" "), hasLegalForm: containsLegalForm(normal) };
}

/** Normalises a query. Caches the last result, which all interpretations need. */
export const normaliseQuery = memoiseLast(normalise);

const joinParts = memoiseLast((typed: string): string => {
  if (!HAS_INNER_PUNCTUATION.test(typed)) return normaliseQuery(typed);
  const parts = typed
    .split(/\s+/)
    .map((part) => (HAS_INNER_PUNCTUATION.test(part) && joinedWord(part)) || part);
  return normalise(parts.join(" "));
});

const NORMALISERS: readonly ((typed: string) => string)[] = [
  normaliseQuery,
  joinParts,
  (typed) => withoutLegalForm(normaliseQuery(typed)),
  (typed) => withoutLegalForm(joinParts(typed)),
];

/** Punctuation before a letter or digit, or any non-ASCII character, which may decompose into such. */
const HAS_INNER_PUNCTUATION = /[^\sA-Za-z0-9][A-Za-z0-9]|[^\x00-\x7f]/;

/** Caches the last result of a pure function. */
function memoiseLast(resultOf: (text: string) => string): (text: string) => string {
  let last: { readonly text: string; readonly result: string } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: resultOf(text) };
    return last.result;
  };
}

/** Returns the digits of a query that consists only of digits; otherwise undefined. */
export function digitsOf({ normal }: NameQuery): string | undefined {
  const digits = withoutSpaces(normal);
  return /^[0-9]{2,8}$/.test(digits) ? digits : undefined;
}

/** Soft hyphens, joiners, direction marks. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/**
 * Cleans a query copied from a web page: decodes HTML entities, even if escaped twice, and removes invisible
 * characters.
 */
export function cleanQuery(q: string): string {
  const text = q.slice(0, MAX_QUERY_LENGTH);
  const normaliseVariant =
    text.includes("&") && text.includes(";") ? decodeEntities(decodeEntities(text)) : text;
  return normaliseVariant.replace(INVISIBLE, "");
}
