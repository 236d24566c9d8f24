/** Whether two texts are spellings of the same name, street or city, by the rules of search and matching. */
import { cityWord, PROVINCE_SEPARATOR } from "./facets.ts";
import { withoutLegalForm } from "./legalFormWords.ts";
import { wordsOf } from "./nameText.ts";
import { normalise, withoutSpaces } from "./normalise.ts";
import { spellingVariants, type WordReplacement } from "./spellingVariants.ts";
import { normalStreet } from "./streetText.ts";

/** Longer texts are compared without synonyms, because the time grows with the product of their words. */
const MAX_WORDS = 40;
/** States of a company that names include: they are news, unlike a legal form. */
const STATE = /(?<![^ ])(?:in liquidatie|in oprichting|io)$/;

/** Whether two names differ only by spelling, or by a legal form that one of them lacks. */
export function isSameName(one: string, other: string): boolean {
  const [a, b] = [normalise(one) || one.trim(), normalise(other) || other.trim()];
  const [coreOfA, coreOfB] = [withoutLegalForm(a), withoutLegalForm(b)];
  // Only the whole names of `St. Jansen` and `Stichting Jansen` are spellings.
  return (
    areSpellings(a, b) ||
    (areSpellings(coreOfA, coreOfB) && areCompatible(a.replace(coreOfA, ""), b.replace(coreOfB, "")))
  );
}

export function isSameStreet(one: string, other: string): boolean {
  return areSpellings(normalStreet(one) || one, normalStreet(other) || other);
}

/** Whether two cities are the same. One may lack its province: `Rijswijk (ZH)` and `Rijswijk`. */
export function isSameCity(one: string, other: string): boolean {
  const [a = one, b = other] = [cityWord(one), cityWord(other)];
  return a === b || a.startsWith(b + PROVINCE_SEPARATOR) || b.startsWith(a + PROVINCE_SEPARATOR);
}

/** Whether one company may have both legal forms, normalised: a name may contain a part of its form, or none. */
function areCompatible(one: string, other: string): boolean {
  if (STATE.exec(one)?.[0] !== STATE.exec(other)?.[0]) return false;
  const [a, b] = [wordsOf(one.replace(STATE, "").trim()), wordsOf(other.replace(STATE, "").trim())];
  const isPart = a.every((word) => b.includes(word)) || b.every((word) => a.includes(word));
  return isPart || areSpellings(a.join(" "), b.join(" "));
}

/**
 * Whether two normalised texts have the same words, apart from spaces, `en` between words, and synonyms such as `gebr`
 * and `gebroeders`.
 */
function areSpellings(one: string, other: string): boolean {
  if (withoutSpaces(one) === withoutSpaces(other)) return true;
  const [a, b] = [wordsOf(one), wordsOf(other)];
  if (a.length + b.length > MAX_WORDS) return false;
  const [ofA, ofB] = [[...spellingVariants(a)], [...spellingVariants(b)]];
  const failed = new Set<number>();
  /** Whether the words from two positions on are the same. */
  const areSame = (i: number, j: number): boolean => {
    if (i >= a.length || j >= b.length) return i === a.length && j === b.length;
    const key = i * MAX_WORDS + j;
    if (failed.has(key)) return false;
    failed.add(key);
    const [left, right] = [a[i], b[j]];
    return (
      (left === right && areSame(i + 1, j + 1)) ||
      (left === `${right}${b[j + 1]}` && areSame(i + 1, j + 2)) ||
      (right === `${left}${a[i + 1]}` && areSame(i + 2, j + 1)) ||
      (i > 0 && left === "en" && areSame(i + 1, j)) ||
      (j > 0 && right === "en" && areSame(i, j + 1)) ||
      ofA.some((v) => isVariant(v, i, b, j) && areSame(i + v.count, j + v.words.length)) ||
      ofB.some((v) => isVariant(v, j, a, i) && areSame(i + v.words.length, j + v.count))
    );
  };
  return areSame(0, 0);
}

/** Whether a replacement for words at a position is what the other text has. */
function isVariant({ position, words }: WordReplacement, own: number, others: readonly string[], at: number) {
  return position === own && words.every((word, nth) => others[at + nth] === word);
}
