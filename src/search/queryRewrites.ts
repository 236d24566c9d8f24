import { normalCityWord, partialCityWords } from "./facets.ts";
import { STOP_WORDS, withoutCompoundEnds } from "./habits.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import { type Place, placeTerms, type Query } from "./indexQuery.ts";
import { withoutLegalForm } from "./legalWords.ts";
import { wordsOf } from "./nameText.ts";
import { type NameQuery, normaliseTyped, queryOf, readings } from "./query.ts";
import { restated, vocabularyOf } from "./restated.ts";

/** A typed text read as a name, a place or both. */
export type Rewrite = Pick<Query, "name" | "restated" | "place">;

/** Rewrites of a typed text, to be tried in this order. */
export type Rewriter = (q: string, indexes: readonly NameIndex[]) => Generator<Rewrite>;

/** Words in the name of a city with its province: `Capelle aan den IJssel`. */
const MAX_CITY_WORDS = 5;

/** As the name of a company. */
export function* asName(q: string, indexes: readonly NameIndex[]): Generator<Rewrite> {
  for (const name of readings(q)) yield inWords(indexes, name);
}

/** A name and the same in other words. */
function inWords(indexes: readonly NameIndex[], name: NameQuery, place?: Place): Rewrite {
  const others = restated(name, vocabularyOf(indexes));
  return { name, ...(others.length > 0 && { restated: others }), ...(place !== undefined && { place }) };
}

const KVK_LABEL = /^[^\p{L}\p{N}]*k\.?v\.?k[^\p{L}\p{N}]*(?:(?:nummer|nr|no|number)[^\p{L}\p{N}]*)?(?=\d)/iu;
const DIGITS_ALONE = /^[\d. )-]+$/;
const KVK_NUMBER = /(?<![\d])(?:\d{8}|\d{2}[. ]\d{3}[. ]\d{3}|\d{4}[. ]\d{4})(?![. ]?\d)/;

/** The digits of a KVK number with its label, or with something else around it: `KVK 50000119`, `Molen De Hoop (50000119)`. */
export function labelledNumber(q: string): string | undefined {
  const behindLabel = q.replace(KVK_LABEL, "");
  const text = behindLabel !== q && DIGITS_ALONE.test(behindLabel) ? behindLabel : KVK_NUMBER.exec(q)?.[0];
  const digits = text?.replace(/[^0-9]/g, "") ?? "";
  return digits.length >= 2 && digits.length <= 8 ? digits : undefined;
}

/** As a KVK number with its label or a name around it. */
export function* asNumber(q: string): Generator<Rewrite> {
  const digits = labelledNumber(q);
  if (digits !== undefined) yield { name: queryOf(digits, digits) };
}

const POSTAL_CODE = /(?<![\p{L}\p{N}])([1-9][0-9]{3})[ \u00a0]?([a-z]{2})?(?![\p{L}\p{N}])/iu;

/** With a postal code, a city, or both as other words: `jansen utrecht` and `jansen 3511 AB` are Jansen there. */
export function* inPlace(q: string, indexes: readonly NameIndex[]): Generator<Rewrite> {
  const found = POSTAL_CODE.exec(q);
  if (found !== null) {
    const [text, digits = "", letters = ""] = found;
    const place = { postalCode: digits + letters };
    const rest = wordsOf(normaliseTyped(`${q.slice(0, found.index)} ${q.slice(found.index + text.length)}`));
    if (placeIn(indexes, place)) {
      if (rest.length === 0) yield { name: undefined, place };
      else yield* namedThere(indexes, rest, place);
      yield* inCity(indexes, rest, place);
    }
  }
  yield* inCity(indexes, wordsOf(normaliseTyped(q)), {});
}

function* inCity(indexes: readonly NameIndex[], words: readonly string[], other: Place): Generator<Rewrite> {
  for (let count = Math.min(MAX_CITY_WORDS, words.length - 1); count > 0; count--) {
    for (const [name, city] of [
      [words.slice(0, -count), words.slice(-count)],
      [words.slice(count), words.slice(0, count)],
    ] as const) {
      const word = normalCityWord(city.join(" "));
      if (word === undefined || !indexes.some((index) => index.hasCity(word))) continue;
      yield* namedThere(indexes, name, { ...other, cities: [word] });
    }
  }
}

/** A name at a place, then without its legal form. */
function* namedThere(
  indexes: readonly NameIndex[],
  name: readonly string[],
  place: Place,
): Generator<Rewrite> {
  const normal = name.join(" ");
  for (const one of new Set([normal, withoutLegalForm(normal)])) {
    yield inWords(indexes, queryOf(one, one), place);
  }
}

function placeIn(indexes: readonly NameIndex[], place: Place): boolean {
  return indexes.some((index) => placeTerms(index, place).every(({ names }) => names > 0));
}

const BEGUN_POSTAL_CODE = /^(?<name>.*[\p{L}\p{N}].*)\s(?<code>[1-9][0-9]{0,2}|[1-9][0-9]{3}\s?[a-z])$/iu;

/** With a place that is being typed: `jansen utr` and `jansen 35`. */
export function* withPartialPlace(q: string, indexes: readonly NameIndex[]): Generator<Rewrite> {
  const words = wordsOf(normaliseTyped(q));
  for (let count = Math.min(MAX_CITY_WORDS, words.length - 1); count > 0; count--) {
    const place = { cities: partialCityWords(words.slice(-count).join(" ")), areBegun: true };
    yield* wholeNameThere(indexes, words.slice(0, -count), place);
  }
  const { name, code } = BEGUN_POSTAL_CODE.exec(q)?.groups ?? {};
  if (name === undefined || code === undefined) return;
  yield* wholeNameThere(indexes, wordsOf(normaliseTyped(name)), { postalCode: code });
}

/** A name of whole words at a place that is still being typed. */
function* wholeNameThere(
  indexes: readonly NameIndex[],
  name: readonly string[],
  place: Place,
): Generator<Rewrite> {
  if (name.length === 0 || !placeIn(indexes, place)) return;
  const normal = name.join(" ");
  yield inWords(indexes, { ...queryOf(normal, normal), areWhole: name.map(() => true) }, place);
}

/** Without words that say little, and without parts of compounds that names leave out. */
export function* withFewerWords(q: string, indexes: readonly NameIndex[]): Generator<Rewrite> {
  const words = wordsOf(normaliseTyped(q));
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  if (telling.length > 0 && telling.length < words.length) {
    const normal = telling.join(" ");
    yield inWords(indexes, queryOf(normal, normal));
    yield* inCity(indexes, telling, {});
  }
  for (const { place, words: others } of withoutCompoundEnds(words)) {
    const normal = words.toSpliced(place, 1, ...others).join(" ");
    yield { name: { ...queryOf(normal, normal), areWhole: words.map((_, nth) => nth === place) } };
  }
}
