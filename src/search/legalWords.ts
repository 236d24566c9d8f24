import { normalise, squeeze } from "./normalise.ts";

const phrases = (list: string) => list.split(",").map(normalise);

/** What is left out before a name, normalised; of two that fit, the first. */
export const LEADING_PHRASES = phrases(
  "B.V.,N.V.,V.O.F.,C.V.,besloten vennootschap met beperkte aansprakelijkheid,besloten vennootschap,naamloze vennootschap," +
    "vennootschap onder firma,commanditaire vennootschap,stichting,vereniging van eigenaars,vereniging,VvE,maatschap,coöperatieve,coöperatie",
);
/** What is left out behind a name, normalised. */
export const TRAILING_PHRASES = phrases(
  "B.V.,N.V.,V.O.F.,C.V.,U.A.,B.A.,W.A.,i.o.,in oprichting,in liquidatie,coöperatief,coöperatie,eenmanszaak,maatschap," +
    "besloten vennootschap met beperkte aansprakelijkheid,besloten vennootschap,naamloze vennootschap,vennootschap onder firma," +
    "commanditaire vennootschap,uitgesloten aansprakelijkheid," +
    "Ltd,limited,LLC,LLP,LP,PLC,Inc,Corp,GmbH,AG,KG,OHG,SE,SA,SAS,SARL,SpA,SRL,BVBA,SPRL,VZW,AB,ApS,Oy,Oyj,Kft,sp zoo",
);
/** Before a name. */
const LEADING = new RegExp(`^(?:(?:${LEADING_PHRASES.join("|")}) )+`);
/** Behind a name: Dutch legal forms and those of foreign companies with a branch here. */
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
