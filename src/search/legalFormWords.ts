import { LEGAL_FORMS } from "../contract/legalForms.ts";
import { normalise, withoutSpaces } from "./normalise.ts";

/** Abbreviated Dutch legal forms and their full names. */
export const FULL_LEGAL_FORMS: Readonly<Record<string, readonly string[]>> = {
  bv: [LEGAL_FORMS.BV, "besloten vennootschap met beperkte aansprakelijkheid"],
  nv: [LEGAL_FORMS.NV],
  vof: [LEGAL_FORMS.VOF],
  cv: [LEGAL_FORMS.CV],
};
const EITHER_SIDE = [
  ...Object.keys(FULL_LEGAL_FORMS),
  ...Object.values(FULL_LEGAL_FORMS).flat(),
  LEGAL_FORMS.MTS,
  LEGAL_FORMS.COOP,
];
const BEFORE = [LEGAL_FORMS.STI, LEGAL_FORMS.VVE, LEGAL_FORMS.VER, "VvE", "coöperatieve"];
const AFTER = `U.A.,B.A.,W.A.,i.o.,in oprichting,in liquidatie,coöperatief,${LEGAL_FORMS.EMZ},uitgesloten aansprakelijkheid`;
/** Forms of foreign companies with a Dutch branch. */
const FOREIGN =
  "Ltd,limited,LLC,LLP,LP,PLC,Inc,Corp,GmbH,AG,KG,OHG,SE,SA,SAS,SARL,SpA,SRL,BVBA,SPRL,VZW,AB,ApS,Oy,Oyj,Kft,sp zoo";

/** Normalised, longest first, so that the longest match is removed. */
const phrases = (list: readonly string[]) => list.map(normalise).sort((a, b) => b.length - a.length);

const LEADING_PHRASES = phrases([...EITHER_SIDE, ...BEFORE]);

const TRAILING_PHRASES = phrases([...EITHER_SIDE, ...AFTER.split(","), ...FOREIGN.split(",")]);
const LEADING = new RegExp(`^(?:(?:${LEADING_PHRASES.join("|")}) )+`);
const TRAILING_PHRASE = ` (?:${TRAILING_PHRASES.join("|")})`;
const TRAILING = new RegExp(`(?= )(?<!${TRAILING_PHRASE})(?:${TRAILING_PHRASE})+$`);
/** A cheap first test before the regular expressions. */
const FIRST_WORDS: ReadonlySet<string> = new Set(LEADING_PHRASES.map((one) => one.split(" ")[0] ?? ""));
const LAST_WORDS: ReadonlySet<string> = new Set(TRAILING_PHRASES.map((one) => one.split(" ").at(-1) ?? ""));

/**
 * Removes the legal form from a normalised name: `jansen` for `jansen bv` and for `stichting jansen`. A name that
 * consists only of legal forms keeps its last word.
 */
export function withoutLegalForm(normal: string): string {
  const mayEndWithForm = LAST_WORDS.has(normal.slice(normal.lastIndexOf(" ") + 1));
  const rest = mayEndWithForm ? normal.replace(TRAILING, "") : normal;
  const end = rest.indexOf(" ");
  return end !== -1 && FIRST_WORDS.has(rest.slice(0, end)) ? rest.replace(LEADING, "") : rest;
}

/** Whether a normalised text contains a legal form. */
export function containsLegalForm(normal: string): boolean {
  const end = normal.indexOf(" ");
  if (end === -1) return false;
  if (FIRST_WORDS.has(normal.slice(0, end)) && LEADING.test(normal)) return true;
  return LAST_WORDS.has(normal.slice(normal.lastIndexOf(" ") + 1)) && TRAILING.test(normal);
}

/**
 * Returns a key that is equal for names that differ only by legal form, spaces and `en`: `Hill & Knowlton B.V.`,
 * `hill knowlton` and `HillKnowlton`.
 */
export function exactKey(normal: string): string {
  const base = withoutLegalForm(normal);
  return withoutSpaces(base.includes(" en ") ? base.replace(/(?<= )en /g, "") : base);
}

/**
 * Returns the keys under which a name is indexed and looked up: {@link exactKey}, and the same with `en`, as in
 * `Bergen Dal` for `Berg en Dal`. Names that share a key are considered equal.
 * @param key the exact key, if already known
 */
export function exactKeys(normal: string, key: string = exactKey(normal)): readonly string[] {
  if (!normal.includes(" en ")) return [key];
  const withEn = withoutSpaces(withoutLegalForm(normal));
  return withEn === key ? [key] : [key, withEn];
}

/** Legal forms that are one word, normalised. */
export const LEGAL_FORM_WORDS: ReadonlySet<string> = new Set(
  [...LEADING_PHRASES, ...TRAILING_PHRASES].filter((phrase) => !phrase.includes(" ")),
);

/** Abbreviated forms that also end other words, and names: `Kanova`, `Zwaag`. */
const isDistinct = (form: string) => form.length > 2 || form in FULL_LEGAL_FORMS || form === "ua";
const words = (phrases: readonly string[]) =>
  phrases.filter((phrase) => !phrase.includes(" ") && isDistinct(phrase)).join("|");
const GLUED_BEFORE = new RegExp(`^(?:${words(LEADING_PHRASES)})(?=.{3})`);
const GLUED_BEHIND = new RegExp(`(?<=.{3})(?:${words(TRAILING_PHRASES)})$`);

const asWritten = (phrases: readonly string[]) =>
  words(phrases)
    .replaceAll("o", "[oö]")
    .replace(/(?<=[a-z\]])(?=[a-z[])/g, "\\.?");
/** A cheap first test of a name as written: most have no form without a space. */
const PERHAPS_GLUED = new RegExp(
  `(?<=\\p{L}[\\p{L}.])(?:${asWritten(TRAILING_PHRASES)})(?!\\p{L})|(?<!\\p{L})(?:${asWritten(LEADING_PHRASES)})(?=\\p{L})`,
  "iu",
);

/**
 * Puts a space between a name and a legal form that is glued to it: `OrionB.V.`, `StichtingOrion`. Words that are known
 * stay as they are.
 * @param isKnown whether a name has a normalised word
 */
export function withSpacedForm(name: string, isKnown: (word: string) => boolean): string {
  if (!PERHAPS_GLUED.test(name)) return name;
  return name
    .split(" ")
    .map((part) => {
      const word = withoutSpaces(normalise(part.replace(/(?<=\p{L})\.(?=\p{L})/gu, "")));
      const spaced = word.replace(GLUED_BEHIND, " $&").replace(GLUED_BEFORE, "$& ");
      return spaced === word || isKnown(word) ? part : spaced;
    })
    .join(" ");
}
