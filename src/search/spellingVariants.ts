import { FULL_LEGAL_FORMS } from "./legalFormWords.ts";
import { normalise } from "./normalise.ts";

/**
 * Synonyms, each between commas. An abbreviation with several meanings has one entry for each: `st` stands for `sint`
 * and for `stichting`, but these are not synonyms of each other.
 */
const SYNONYMS: readonly string[] = [
  // Titles and people.
  "wed=weduwe, gebr=gebrs=gebroeders, zn=zoon=zonen, fam=familie, prof=professor, dr=doctor, dr=dokter, drs=doctorandus",
  "ir=ingenieur, ing=ingenieur, mr=meester, mr=mister, mw=mevr=mevrouw, ds=dominee, mgr=monseigneur, past=pastoor",
  "burg=burgemeester, jhr=jonkheer, jr=junior, sr=senior, bros=brothers",
  // Kinds of companies and departments.
  "fa=firma, vve=vereniging van eigenaars=vereniging van eigenaren=ver van eigenaars, st=stichting, stg=stichting",
  "mij=maatschappij, ver=vereniging, ver=verenigde, coop=cooperatie, coop=cooperatieve, ond=onderneming",
  "handelsond=handelsonderneming, adm=administratie, admkantoor=administratiekantoor",
  "ass=assurantie=assuranties=assurantien, inst=instituut, afd=afdeling, dept=department, gem=gemeente, prov=provincie",
  "bur=bureau, co=company, cie=compagnie, inc=incorporated, corp=corporation, ltd=limited, assoc=associates=association",
  // Other words.
  "st=sint, vd=van de, vd=van den, vd=van der, vh=voorheen, vh=van het, tbv=ten behoeve van, kon=koninklijke",
  "kon=koninklijk, ned=nederlandse, ned=nederlands, ned=nederland, ned=netherlands, int=internationaal=internationale",
  "int=intl=international, mgt=mgmt=management, nat=nationaal=nationale=national, alg=algemene=algemeen",
  "techn=technisch=technische, chr=christelijke=christelijk, rk=rooms katholieke=rooms katholiek, nr=nummer=no, t=het",
]
  .flatMap((line) => line.split(", "))
  .concat(Object.entries(FULL_LEGAL_FORMS).map(([short, full]) => [short, ...full].join("=")));
const ORDINALS =
  "1e=1ste=eerste 2e=2de=tweede 3e=3de=derde 4e=4de=vierde 5e=5de=vijfde 6e=6de=zesde 7e=7de=zevende 8e=8ste=achtste 9e=9de=negende 10e=10de=tiende 1st=first 2nd=second 3rd=third".split(
    " ",
  );
/** The minimum length of the rest of a compound. */
const MIN_REST_LENGTH = 3;
/** The end of compounds that is abbreviated without a dot: `Bouwmij`. */
const SHORT_END = /(?<=.{3})(?:mij|maatschappij)$/;

const UNDER_TWENTY =
  "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien".split(
    " ",
  );
const TENS = "twintig dertig veertig vijftig zestig zeventig tachtig negentig".split(" ");
const ENGLISH = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

function* numberWords(): Generator<readonly [number: number, word: string]> {
  for (const [number, word] of UNDER_TWENTY.entries()) yield [number, word];
  for (const [nth, tens] of TENS.entries()) {
    yield [20 + 10 * nth, tens];
    for (const [unit, word] of UNDER_TWENTY.slice(1, 10).entries()) {
      yield [21 + 10 * nth + unit, `${word}en${tens}`];
    }
  }
  yield [100, "honderd"];
  yield [1_000, "duizend"];
  for (const [number, word] of ENGLISH.entries()) yield [number, word];
}

const NUMBERS = [...ORDINALS, ...numberWords().map(([number, word]) => `${number}=${word}`)];
const NUMBER_TEXTS = NUMBERS.flatMap((line) => line.split("=")).sort((a, b) => b.length - a.length);
/**
 * A number in front of a compound: `vijftigplus`, `50plus`, `eerstelijns`. Its two first letters come first, as few
 * words have them.
 */
const GLUED_NUMBER = new RegExp(
  `^(?=[0-9]|${[...new Set(NUMBER_TEXTS.map((number) => number.slice(0, 2)))].join("|")})(${NUMBER_TEXTS.join("|")}|[0-9]{1,4})(\\p{L}{${MIN_REST_LENGTH},})$`,
  "u",
);

/** The synonyms of each phrase, as lists of words. */
const ALTERNATIVES = new Map<string, readonly string[][]>();
for (const line of [...SYNONYMS, ...NUMBERS]) {
  const phrases = line.split("=").map(normalise);
  for (const phrase of phrases) {
    const others = phrases.filter((other) => other !== phrase).map((other) => other.split(" "));
    ALTERNATIVES.set(phrase, [...(ALTERNATIVES.get(phrase) ?? []), ...others]);
  }
}
/** `v/d`, `v/h` and `r.k.` are normalised to two separate letters. */
for (const letters of ["vd", "vh", "rk"])
  ALTERNATIVES.set([...letters].join(" "), ALTERNATIVES.get(letters) ?? []);
/** The number of words of the longest phrase that begins with a word. */
const MAX_PHRASE_WORDS = new Map<string, number>();
for (const phrase of ALTERNATIVES.keys()) {
  const [first = "", ...others] = phrase.split(" ");
  MAX_PHRASE_WORDS.set(first, Math.max(MAX_PHRASE_WORDS.get(first) ?? 0, 1 + others.length));
}

/** Words that carry little meaning and may be missing in a name. */
export const STOP_WORDS: ReadonlySet<string> = new Set([
  "en",
  "de",
  "het",
  "van",
  "der",
  "den",
  "t",
  "d",
  "l",
  "voor",
  "te",
]);

/** Words that may stand for `en` where `normalise` does not replace them: the last word of a query, and `Smit+ Zn`. */
const AND_WORDS: ReadonlySet<string> = new Set(["and", "plus"]);

/** Replaces some words of a query. */
export interface WordReplacement {
  /** The position of the first replaced word. */
  readonly position: number;
  /** The number of replaced words. */
  readonly count: number;
  /** The replacement. */
  readonly words: readonly string[];
}

/** Yields replacements with the same meaning: `van den` for `vd`, `gebr` for `gebroeders`, `3` for `drie`. */
export function* spellingVariants(words: readonly string[]): Generator<WordReplacement> {
  for (const [position, word] of words.entries()) {
    if (position > 0 && AND_WORDS.has(word)) yield { position, count: 1, words: ["en"] };
    const longest = MAX_PHRASE_WORDS.get(word) ?? 0;
    for (let count = Math.min(longest, words.length - position); count > 0; count--) {
      const phrase = count === 1 ? word : words.slice(position, position + count).join(" ");
      for (const other of ALTERNATIVES.get(phrase) ?? []) yield { position, count, words: other };
    }
    const next = words[position + 1] ?? "";
    for (const [other = "", more] of next.length < MIN_REST_LENGTH ? [] : (ALTERNATIVES.get(word) ?? []))
      if (more === undefined && (other.length > word.length || /^[0-9]/.test(other)))
        yield { position, count: 2, words: [other + next] };
    const [, number = "", rest = ""] = GLUED_NUMBER.exec(word) ?? [];
    if (rest !== "") {
      yield { position, count: 1, words: [number, rest] };
      for (const [other = ""] of ALTERNATIVES.get(number) ?? [])
        yield* [[other, rest], [other + rest]].map((one) => ({ position, count: 1, words: one }));
    }
    const other = word.replace(SHORT_END, (end) => (end === "mij" ? "maatschappij" : "mij"));
    if (other !== word) yield { position, count: 1, words: [other] };
  }
}

const SOUND_ALIKE: readonly (readonly [string, string])[] = [
  ["ph", "f"],
  ["f", "ph"],
  ["ei", "ij"],
  ["ij", "ei"],
  ["ji", "ij"],
  ["ou", "au"],
  ["au", "ou"],
  ["th", "t"],
  ["x", "ks"],
  ["ks", "x"],
];

/** Returns spellings that sound the same, each with one sound replaced; also `ij` for `ji`. */
export function soundAlikes(word: string): string[] {
  const found = new Set<string>();
  for (const [written, other] of SOUND_ALIKE) {
    if (word.includes(written)) found.add(word.replaceAll(written, other));
  }
  return [...found];
}
