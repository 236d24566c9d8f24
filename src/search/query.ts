import { MAX_QUERY_LENGTH } from "../contract/totals.ts";
import { namesLegalForm, withoutLegalForm } from "./legalWords.ts";
import { joinedWord } from "./nameText.ts";
import { normalise, squeeze } from "./normalise.ts";

/** A query for names as it was understood. */
export interface NameQuery {
  readonly typed: string;
  readonly normal: string;
  /** At least one. Words of a name may begin so. */
  readonly words: readonly string[];
  /** For each word whether it is a word of a name as it stands; absent: none is known to be one. */
  readonly areWhole?: readonly boolean[];
  /** Whether the words say a legal form, so that the form matters to who typed them. */
  readonly namesLegalForm: boolean;
  /** Absent: these are the words that were typed. */
  readonly rewriteRank?: RewriteRank;
  /** Whether it differs from what was typed by spaces alone, so that its exact names are those of that. */
  readonly isRespaced?: boolean;
}

/**
 * How a query that puts what was typed in other words of the same meaning is shown: its hits come among those of what was typed, `alike` ones
 * behind others that fit as well or a little less; `likelier` ones come before all but exact names. An `equal` one finds what
 * was found by what was typed, and puts those of its names that begin so among the others.
 */
export type RewriteRank = "likelier" | "equal" | "alike";

/**
 * The ways in which a query can be understood, to be tried in this order until one has a hit: as typed; with what
 * punctuation holds together as one word (`e-commerce` for `Ecommerce`); without words that say a legal form, which
 * many registered names lack.
 */
export function* readings(q: string): Generator<NameQuery> {
  const given = [""];
  for (const read of READINGS) {
    const normal = read(q);
    if (given.includes(normal)) continue;
    given.push(normal);
    yield queryOf(q, normal);
  }
}

/** A query as it is corrected: as typed, without words that say a legal form. Undefined when it has no word. */
export function queryToCorrect(q: string): NameQuery | undefined {
  const normal = withoutLegalForm(normaliseTyped(q));
  return normal === "" ? undefined : queryOf(q, normal);
}

/** A query of these words. @param normal a normalised text that is not empty */
export function queryOf(typed: string, normal: string): NameQuery {
  return { typed, normal, words: normal.split(" "), namesLegalForm: namesLegalForm(normal) };
}

/** Normalises a query, once for all of its readings. */
export const normaliseTyped = ofLast(normalise);

const joinParts = ofLast((typed: string): string => {
  if (!MAY_JOIN.test(typed)) return normaliseTyped(typed);
  const parts = typed.split(/\s+/).map((part) => (MAY_JOIN.test(part) && joinedWord(part)) || part);
  return normalise(parts.join(" "));
});

const READINGS: readonly ((typed: string) => string)[] = [
  normaliseTyped,
  joinParts,
  (typed) => withoutLegalForm(normaliseTyped(typed)),
  (typed) => withoutLegalForm(joinParts(typed)),
];

/** Punctuation before a letter or digit, or what Unicode may take apart. */
const MAY_JOIN = /[^\sA-Za-z0-9][A-Za-z0-9]|[^\x00-\x7f]/;

/** A pure function of a text that remembers the last one. */
function ofLast(resultOf: (text: string) => string): (text: string) => string {
  let last: { readonly text: string; readonly result: string } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: resultOf(text) };
    return last.result;
  };
}

/** The digits of a query that holds nothing else; undefined for any other. */
export function digitsOf({ normal }: NameQuery): string | undefined {
  const digits = squeeze(normal);
  return /^[0-9]{2,8}$/.test(digits) ? digits : undefined;
}

/** Invisible characters: soft hyphens, joiners, direction marks. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  lsquo: "'",
  rsquo: "'",
  quot: '"',
  nbsp: " ",
  shy: "",
  ndash: "-",
  mdash: "-",
  szlig: "ß",
};
/** Entities of accented letters and ligatures: `eacute`, `aelig`. */
const LETTER = /^([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron)$|^(ae|oe)lig$/i;

/** Cleans a query that was copied from a page: decodes HTML entities, also of text that was escaped twice, and removes invisible characters. */
export function cleanQuery(q: string): string {
  const text = q.slice(0, MAX_QUERY_LENGTH);
  const read = text.includes("&") && text.includes(";") ? withoutEntities(withoutEntities(text)) : text;
  return read.replace(INVISIBLE, "");
}

function withoutEntities(text: string): string {
  return text.replace(ENTITY, (entity, decimal?: string, hex?: string, name: string = "") => {
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    if (code > 0 && code <= 0x10ffff) return String.fromCodePoint(code);
    const [, letter, pair] = LETTER.exec(name) ?? [];
    return NAMED[name.toLowerCase()] ?? letter ?? pair ?? entity;
  });
}
