/** Words that separate companies of one family, which otherwise have the same name. */
import { memoise } from "../lib/memoise.ts";
import { isInitial } from "../search/nameText.ts";
import { STOP_WORDS, spellingVariants } from "../search/spellingVariants.ts";

const GROUP_WORDS: ReadonlySet<string> = new Set(
  (
    "holding holdings houdstermaatschappij beheer beheermaatschappij beheers groep group management beleggingen belegging " +
    "beleggingsmaatschappij participaties participatie deelnemingen administratiekantoor stak vastgoed vastgoedmaatschappij " +
    "onroerend onroerende pensioenfonds pensioen stamrecht lijfrente investments investment invest exploitatie " +
    "exploitatiemaatschappij assets properties property werkmaatschappij personeel payroll"
  ).split(" "),
);
/**
 * Words of parts of groups that a name often omits, so they tell companies apart only where the registry has several.
 */
const BUSINESS_WORDS: ReadonlySet<string> = new Set(
  "services service trading ventures capital finance financial international products production operations".split(
    " ",
  ),
);
/** Words for countries. A name often omits them, so they tell companies apart only where the registry has several. */
const COUNTRY_WORDS: ReadonlySet<string> = new Set(
  "nederland nederlandse netherlands holland dutch benelux belgie europe european europa emea international nl eu".split(
    " ",
  ),
);
const PARTS_OF_COUNTRY: ReadonlySet<string> = new Set(
  (
    "noord zuid oost west midden noordoost noordwest zuidoost zuidwest centrum randstad brabant limburg zeeland friesland " +
    "gelderland drenthe overijssel flevoland twente veluwe achterhoek betuwe"
  ).split(" "),
);
const ROMAN = /^(?=[ivx]{2})x{0,3}(?:ix|iv|v?i{0,3})$/;

export const isBusinessWord = (word: string) => BUSINESS_WORDS.has(word);
export const isGroupWord = (word: string) => GROUP_WORDS.has(word);
export const isCountryWord = (word: string) => COUNTRY_WORDS.has(word);
export const isPartOfCountry = (word: string) => PARTS_OF_COUNTRY.has(word);

const MAX_WORDS_KNOWN = 1 << 14;

/** Whether a word is a number in any notation: `2`, `2e`, `2019`, `II`, `twee`, `tweede`. */
export const isNumeral = memoise(
  MAX_WORDS_KNOWN,
  (word) =>
    /[0-9]/.test(word) ||
    word === "nr" ||
    word === "nummer" ||
    /^(?:alpha|beta|gamma|delta|omega)$/.test(word) ||
    ROMAN.test(word) ||
    spellingVariants([word]).some(({ words }) => /^[0-9]+(?:e|ste|de|st|nd|rd)?$/.test(words.join(" "))),
);

/** Whether a word, if it is written correctly, is never another one misspelled. */
export function isFamilyWord(word: string): boolean {
  return (
    GROUP_WORDS.has(word) ||
    BUSINESS_WORDS.has(word) ||
    COUNTRY_WORDS.has(word) ||
    PARTS_OF_COUNTRY.has(word) ||
    isNumeral(word)
  );
}

/**
 * Whether the word at a position is a letter that numbers companies, as in `Jansen A B.V.`, not an initial of a person.
 */
export function isNumberingLetter(words: readonly string[], at: number): boolean {
  const next = words[at + 1];
  return (
    isInitial(words[at] ?? "") &&
    words.slice(0, at).some((word) => !isInitial(word) && !STOP_WORDS.has(word)) &&
    (next === undefined || isFamilyWord(next))
  );
}
