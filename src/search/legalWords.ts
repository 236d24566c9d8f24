import { LEGAL_FORMS } from "../contract/legalForms.ts";
import { normalise, squeeze } from "./normalise.ts";

/** Dutch legal forms that are written short or in full, by the short form. */
export const FORMS_IN_FULL: Readonly<Record<string, readonly string[]>> = {
  bv: [LEGAL_FORMS.BV, "besloten vennootschap met beperkte aansprakelijkheid"],
  nv: [LEGAL_FORMS.NV],
  vof: [LEGAL_FORMS.VOF],
  cv: [LEGAL_FORMS.CV],
};
const EITHER = [
  ...Object.keys(FORMS_IN_FULL),
  ...Object.values(FORMS_IN_FULL).flat(),
  LEGAL_FORMS.MTS,
  LEGAL_FORMS.COOP,
];
const BEFORE = [LEGAL_FORMS.STI, LEGAL_FORMS.VVE, LEGAL_FORMS.VER, "VvE", "coöperatieve"];
const BEHIND = `U.A.,B.A.,W.A.,i.o.,in oprichting,in liquidatie,coöperatief,${LEGAL_FORMS.EMZ},uitgesloten aansprakelijkheid`;
/** Forms of foreign companies with a branch here. */
const FOREIGN =
  "Ltd,limited,LLC,LLP,LP,PLC,Inc,Corp,GmbH,AG,KG,OHG,SE,SA,SAS,SARL,SpA,SRL,BVBA,SPRL,VZW,AB,ApS,Oy,Oyj,Kft,sp zoo";

/** Normalised, the longest first: of two that fit, the longer one is left out. */
const phrases = (list: readonly string[]) => list.map(normalise).sort((a, b) => b.length - a.length);

/** Phrases that are left out before a name. */
const LEADING_PHRASES = phrases([...EITHER, ...BEFORE]);
/** Phrases that are left out behind a name. */
const TRAILING_PHRASES = phrases([...EITHER, ...BEHIND.split(","), ...FOREIGN.split(",")]);
const LEADING = new RegExp(`^(?:(?:${LEADING_PHRASES.join("|")}) )+`);
const TRAILING = new RegExp(`(?: (?:${TRAILING_PHRASES.join("|")}))+$`);
/** Most names neither begin nor end with these: a look at one word is cheaper than an expression. */
const FIRST_WORDS: ReadonlySet<string> = new Set(LEADING_PHRASES.map((one) => one.split(" ")[0] ?? ""));
const LAST_WORDS: ReadonlySet<string> = new Set(TRAILING_PHRASES.map((one) => one.split(" ").at(-1) ?? ""));

/**
 * A normalised name without the words that only say its legal form: `jansen` for `jansen bv` and for
 * `stichting jansen`. A name that consists of nothing else keeps its last word.
 */
export function withoutLegalForm(normal: string): string {
  const mayEndSo = LAST_WORDS.has(normal.slice(normal.lastIndexOf(" ") + 1));
  const rest = mayEndSo ? normal.replace(TRAILING, "") : normal;
  const end = rest.indexOf(" ");
  return end !== -1 && FIRST_WORDS.has(rest.slice(0, end)) ? rest.replace(LEADING, "") : rest;
}

/** Whether a normalised text holds words that say a legal form. */
export function namesLegalForm(normal: string): boolean {
  const end = normal.indexOf(" ");
  if (end === -1) return false;
  if (FIRST_WORDS.has(normal.slice(0, end)) && LEADING.test(normal)) return true;
  return LAST_WORDS.has(normal.slice(normal.lastIndexOf(" ") + 1)) && TRAILING.test(normal);
}

/**
 * What two names have in common that are the same but for their legal form, their spaces and their `en`:
 * `Hill & Knowlton B.V.`, `hill knowlton` and `HillKnowlton`.
 */
export function exactKey(normal: string): string {
  const bare = withoutLegalForm(normal);
  return squeeze(bare.includes(" en ") ? bare.replace(/(?<= )en /g, "") : bare);
}

/**
 * The keys under which a name is kept and looked for: {@link exactKey}, and the same with its `en`, which `Bergen Dal` for `Berg en Dal`
 * has. Two names are the same where they share one.
 * @param key the first of them, where it is known
 */
export function exactKeys(normal: string, key: string = exactKey(normal)): readonly string[] {
  if (!normal.includes(" en ")) return [key];
  const withEn = squeeze(withoutLegalForm(normal));
  return withEn === key ? [key] : [key, withEn];
}

/** Normalised words that say a legal form by themselves. */
export const LEGAL_WORDS: ReadonlySet<string> = new Set(
  [...LEADING_PHRASES, ...TRAILING_PHRASES].filter((phrase) => !phrase.includes(" ")),
);
