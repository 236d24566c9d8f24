import { normalise } from "../../search/normalise.ts";
import { isCountryWord, isGroupWord, isNumeral, isPartOfCountry } from "../familyWords.ts";
import type { NameKnowledge } from "./knowledge.ts";
import { END_AFTER, END_BEFORE, endOfForm, MARKED, NAME_NUMBER, ONLY_NOISE } from "./markers.ts";
import { DOUBT, type NameReading, shorter } from "./reading.ts";

/** A word of more than one in so many names may distinguish companies, nats. */
const COMMON = 8;

/** Capitals do not make a remark of these departments. */
const ALWAYS_CAPITALS = /^(?:hrm?|p&o|ict)$/i;

/** Whether a text in brackets is a remark, a subject or a customer's number. */
export function isNoise(text: string): boolean {
  return (ONLY_NOISE.test(text.trim()) && !NAME_NUMBER.test(text.trim())) || MARKED.exec(text)?.index === 0;
}

/**
 * How doubtful it is that a text may be left out. It distinguishes companies if many names have its words, or if it is
 * a number or a letter.
 * @param isBehindForm then names rarely go on
 */
export function doubtOf(
  text: string,
  { informationOf, isCity }: NameKnowledge,
  isBehindForm: boolean,
): number {
  if (isCity(text)) return DOUBT.unlessInCity;
  const isTelling = (word: string) =>
    word.length === 1 ||
    NAME_NUMBER.test(word) ||
    isGroupWord(word) ||
    isPartOfCountry(word) ||
    (!/[0-9]/.test(word) && isNumeral(word)) ||
    (!isBehindForm && (isCountryWord(word) || informationOf(word) < COMMON));
  return normalise(text).split(" ").some(isTelling) ? DOUBT.doubtful : DOUBT.certain;
}

/** Leaves out a number, a remark, a label, or a loud word, before or after a name; undefined if there is none. */
export function withoutEnd(one: NameReading, knowledge: NameKnowledge): NameReading | undefined {
  const { text } = one;
  for (const pattern of [END_BEFORE, END_AFTER]) {
    const [found = "", groups = {}] = [pattern.exec(text)?.[0], pattern.exec(text)?.groups];
    const { code, remark, loud, label = "", sign = "" } = groups;
    const rest =
      pattern === END_BEFORE ? text.slice(found.length) : text.slice(0, text.length - found.length);
    if (found === "" || !/\p{L}/u.test(rest)) continue;
    const end = pattern === END_AFTER ? endOfForm(rest) : undefined;
    const isApart = sign.trim() !== "" || end === rest.length;
    const isLower = /\p{Ll}/u.test(rest);
    if (code !== undefined) {
      const digits = code.replace(/[^0-9./-]/g, "");
      const mayBeName = NAME_NUMBER.test(digits) && !code.startsWith("#") && !(isApart && digits.length > 2);
      return shorter(one, rest, mayBeName ? DOUBT.doubtful : DOUBT.certain);
    }
    if (loud !== undefined) {
      if (isLower && knowledge.isName(rest)) return shorter(one, rest, doubtOf(loud, knowledge, false));
      continue;
    }
    // The whole text behind a legal form is left out later.
    if (remark !== undefined && end !== undefined && !isApart) continue;
    const isLoud = isLower && remark === remark?.toUpperCase() && !ALWAYS_CAPITALS.test(remark ?? "");
    const isPlain = isApart || isLoud || /\S \S|^[zx]+$|.administratie$/i.test(remark ?? "");
    const isSure = remark === undefined ? !knowledge.isName(label) : isPlain;
    return shorter(one, rest, isSure ? DOUBT.certain : DOUBT.doubtful);
  }
  return undefined;
}
