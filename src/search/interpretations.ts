import { parseKvkNumberText } from "../contract/kvkNumberText.ts";
import { citiesWithPartialProvince, normalCityWord, partialCityWords } from "./facets.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import { type Place, placeTerms, type SearchQuery } from "./indexQuery.ts";
import { withoutLegalForm, withSpacedForm } from "./legalFormWords.ts";
import { wordsOf } from "./nameText.ts";
import { normalise } from "./normalise.ts";
import { type NameQuery, nameInterpretations, nameQueryOf, normaliseQuery } from "./query.ts";
import { rewrittenQueries, vocabularyOf } from "./rewrittenQueries.ts";
import { STOP_WORDS } from "./spellingVariants.ts";

/** A query interpreted as a name, a place, or both. */
export type Interpretation = Pick<SearchQuery, "name" | "rewritten" | "place">;

/** Yields interpretations of a query, to be tried in order. */
export type Interpreter = (q: string, indexes: readonly NameIndex[]) => Generator<Interpretation>;

/** The maximum number of words in a city with its province: `Hoek van Holland Zuid-Holland`. */
const MAX_CITY_WORDS = 5;

/**
 * Interprets the query as the name of a company, then with a space before or behind a legal form that is glued to a
 * word.
 */
export function* asName(q: string, indexes: readonly NameIndex[]): Generator<Interpretation> {
  for (const name of nameInterpretations(q)) yield nameWithRewrites(indexes, name);
  const spaced = withSpacedForm(q.trim(), vocabularyOf(indexes).hasPrefix);
  if (spaced === q.trim()) return;
  for (const text of [normalise(spaced), withoutLegalForm(normalise(spaced))])
    yield nameWithRewrites(indexes, nameQueryOf(q, text));
}

function nameWithRewrites(indexes: readonly NameIndex[], name: NameQuery, place?: Place): Interpretation {
  const others = rewrittenQueries(name, vocabularyOf(indexes));
  return { name, ...(others.length > 0 && { rewritten: others }), ...(place !== undefined && { place }) };
}

const KVK_NUMBER_LABEL =
  /^[^\p{L}\p{N}]*k\.?v\.?k[^\p{L}\p{N}]*(?:(?:nummer|nr|no|number)[^\p{L}\p{N}]*)?(?=\d)/iu;
const DIGITS_ALONE = /^[\d. )-]+$/;
const KVK_NUMBER = /(?<![\d])(?:\d{8}|\d{2}[. ]\d{3}[. ]\d{3}|\d{4}[. ]\d{4})(?![. ]?\d)/;

/**
 * Returns the digits of a KVK number with a label or with other text around it: `KVK 50000119`,
 * `Molen De Hoop (50000119)`.
 */
export function labelledNumber(q: string): string | undefined {
  const afterLabel = q.replace(KVK_NUMBER_LABEL, "");
  const text = afterLabel !== q && DIGITS_ALONE.test(afterLabel) ? afterLabel : KVK_NUMBER.exec(q)?.[0];
  const digits = text?.replace(/[^0-9]/g, "") ?? "";
  return digits.length >= 2 && digits.length <= 8 ? digits : undefined;
}

/** Interprets the query as a KVK number, ignoring its label and other text, or as one that lost its zero. */
export function* asNumber(q: string): Generator<Interpretation> {
  const read = parseKvkNumberText(q);
  for (const digits of [labelledNumber(q), read.kind === "short" ? read.number : undefined])
    if (digits !== undefined) yield { name: nameQueryOf(digits, digits) };
}

const POSTAL_CODE = /(?<![\p{L}\p{N}])([1-9][0-9]{3})[ \u00a0]?([a-z]{2})?(?![\p{L}\p{N}])/iu;

/** A house number with its addition, behind a postal code or before it. */
const HOUSE_BEHIND =
  /^[\s,]*(?:nr\.?\s?)?([0-9]{1,5})(?:[ -]?(?:[a-z]|[0-9]{1,4}|bis|hs))?(?![\p{L}\p{N}])/iu;
const HOUSE_BEFORE = /(?<![\p{L}\p{N}])([0-9]{1,5})(?:[ -]?[a-z])?[\s,]*$/iu;

/**
 * Interprets part of the query as a postal code, also with a house number, a city, or both: `jansen utrecht`,
 * `jansen 3511 AB`, `3511ab 12`.
 */
export function* withPlace(q: string, indexes: readonly NameIndex[]): Generator<Interpretation> {
  const found = POSTAL_CODE.exec(q);
  if (found !== null) {
    const [text, digits = "", letters = ""] = found;
    const place = { postalCode: digits + letters };
    const [before, behind] = [q.slice(0, found.index), q.slice(found.index + text.length)];
    if (hasPlace(indexes, place)) {
      yield* atPostalCode(indexes, `${before} ${behind}`, place);
      const [, houseNumber] =
        (letters !== "" && (HOUSE_BEHIND.exec(behind) ?? HOUSE_BEFORE.exec(before))) || [];
      const rest = `${before.replace(HOUSE_BEFORE, "")} ${behind.replace(HOUSE_BEHIND, "")}`;
      if (houseNumber !== undefined) yield* atPostalCode(indexes, rest, { ...place, houseNumber });
    }
  }
  yield* withCity(indexes, wordsOf(normaliseQuery(q)), {});
}

/** Yields the rest of a query with a postal code: nothing, a city, a name, or both. */
function* atPostalCode(indexes: readonly NameIndex[], text: string, place: Place): Generator<Interpretation> {
  const rest = wordsOf(normaliseQuery(text));
  const city = normalCityWord(rest.join(" "));
  if (rest.length > 0) yield* nameAtPlace(indexes, rest, place);
  const isCity = city !== undefined && indexes.some((index) => index.hasCity(city));
  if (rest.length === 0 || isCity)
    yield { name: undefined, place: { ...place, ...(isCity && { cities: [city] }) } };
  yield* withCity(indexes, rest, place);
}

function* withCity(
  indexes: readonly NameIndex[],
  words: readonly string[],
  other: Place,
): Generator<Interpretation> {
  for (let count = Math.min(MAX_CITY_WORDS, words.length - 1); count > 0; count--) {
    for (const [name, city] of [
      [words.slice(0, -count), words.slice(-count)],
      [words.slice(count), words.slice(0, count)],
    ] as const) {
      const word = normalCityWord(city.join(" "));
      if (word === undefined || !indexes.some((index) => index.hasCity(word))) continue;
      yield* nameAtPlace(indexes, name, { ...other, cities: [word] });
    }
  }
}

/** Yields a name at a place, then without its legal form. */
function* nameAtPlace(
  indexes: readonly NameIndex[],
  name: readonly string[],
  place: Place,
): Generator<Interpretation> {
  const normal = name.join(" ");
  for (const text of new Set([normal, withoutLegalForm(normal)])) {
    yield nameWithRewrites(indexes, nameQueryOf(text, text), place);
  }
}

function hasPlace(indexes: readonly NameIndex[], place: Place): boolean {
  return indexes.some((index) => placeTerms(index, place).every(({ maxNames }) => maxNames > 0));
}

const PARTIAL_POSTAL_CODE =
  /^(?<name>[^\p{L}\p{N}\n]*[\p{L}\p{N}].*)\s(?<code>[1-9][0-9]{0,2}|[1-9][0-9]{3}\s?[a-z])$/iu;

/** Interprets the end of the query as a place that is still being typed: `jansen utr`, `jansen 35`. */
export function* withPartialPlace(q: string, indexes: readonly NameIndex[]): Generator<Interpretation> {
  const words = wordsOf(normaliseQuery(q));
  for (let count = Math.min(MAX_CITY_WORDS, words.length - 1); count > 0; count--) {
    const [name, city] = [words.slice(0, -count), words.slice(-count)];
    const place = { cities: partialCityWords(city.join(" ")), arePrefixes: true };
    yield* wholeNameAtPlace(indexes, name, place);
    const cities = citiesWithPartialProvince(city);
    if (cities.length > 0) yield* wholeNameAtPlace(indexes, name, { cities });
  }
  const { name, code } = PARTIAL_POSTAL_CODE.exec(q)?.groups ?? {};
  if (name === undefined || code === undefined) return;
  yield* wholeNameAtPlace(indexes, wordsOf(normaliseQuery(name)), { postalCode: code });
}

/** Yields a name whose words are complete, because its place is still being typed. */
function* wholeNameAtPlace(
  indexes: readonly NameIndex[],
  name: readonly string[],
  place: Place,
): Generator<Interpretation> {
  if (name.length === 0 || !hasPlace(indexes, place)) return;
  const normal = name.join(" ");
  yield nameWithRewrites(
    indexes,
    { ...nameQueryOf(normal, normal), isWholeWord: name.map(() => true) },
    place,
  );
}

/** Tries the query without stop words. */
export function* withFewerWords(q: string, indexes: readonly NameIndex[]): Generator<Interpretation> {
  const words = wordsOf(normaliseQuery(q));
  const significant = words.filter((word) => !STOP_WORDS.has(word));
  if (significant.length > 0 && significant.length < words.length) {
    const normal = significant.join(" ");
    yield nameWithRewrites(indexes, nameQueryOf(normal, normal));
    yield* withCity(indexes, significant, {});
  }
}
