import { FORMS_IN_FULL } from "./legalWords.ts";
import { normalise } from "./normalise.ts";

/**
 * Words and phrases, normalised, that are written for each other: every line is one meaning. A short form of several words stands in a
 * line for each of them, so that `st` is `sint` and `stichting`, which are not each other.
 */
const WRITTEN_SO: readonly string[] = [
  // Titles and people.
  "wed=weduwe",
  "gebr=gebrs=gebroeders",
  "zn=zoon=zonen",
  "fam=familie",
  "prof=professor",
  "dr=doctor",
  "dr=dokter",
  "drs=doctorandus",
  "ir=ingenieur",
  "ing=ingenieur",
  "mr=meester",
  "mr=mister",
  "mw=mevr=mevrouw",
  "ds=dominee",
  "mgr=monseigneur",
  "past=pastoor",
  "burg=burgemeester",
  "jhr=jonkheer",
  "jr=junior",
  "sr=senior",
  "bros=brothers",
  // Kinds of companies and of their parts.
  "fa=firma",
  ...Object.entries(FORMS_IN_FULL).map(([short, full]) => [short, ...full].join("=")),
  "vve=vereniging van eigenaars=vereniging van eigenaren=ver van eigenaars",
  "st=stichting",
  "stg=stichting",
  "mij=maatschappij",
  "ver=vereniging",
  "ver=verenigde",
  "coop=cooperatie",
  "coop=cooperatieve",
  "ond=onderneming",
  "handelsond=handelsonderneming",
  "adm=administratie",
  "admkantoor=administratiekantoor",
  "ass=assurantie=assuranties=assurantien",
  "inst=instituut",
  "afd=afdeling",
  "dept=department",
  "gem=gemeente",
  "prov=provincie",
  "bur=bureau",
  "co=company",
  "cie=compagnie",
  "inc=incorporated",
  "corp=corporation",
  "ltd=limited",
  "assoc=associates=association",
  // Other words.
  "st=sint",
  "vd=van de",
  "vd=van den",
  "vd=van der",
  "vh=voorheen",
  "vh=van het",
  "tbv=ten behoeve van",
  "kon=koninklijke",
  "kon=koninklijk",
  "ned=nederlandse",
  "ned=nederlands",
  "ned=nederland",
  "int=internationaal=internationale",
  "int=intl=international",
  "nat=nationaal=nationale=national",
  "alg=algemene=algemeen",
  "techn=technisch=technische",
  "chr=christelijke=christelijk",
  "rk=rooms katholieke=rooms katholiek",
  "nr=nummer=no",
  "t=het",
  // Ordinals; the numbers are made below.
  "1e=1ste=eerste",
  "2e=2de=tweede",
  "3e=3de=derde",
  "4e=4de=vierde",
  "5e=5de=vijfde",
  "6e=6de=zesde",
  "7e=7de=zevende",
  "8e=8ste=achtste",
  "9e=9de=negende",
  "10e=10de=tiende",
  "1st=first",
  "2nd=second",
  "3rd=third",
];
/** Parts of longer words that are cut short with a full stop: `Adm.kantoor`, `Bouwmij`. */
const CUT_SHORT: readonly (readonly [short: string, full: string])[] = [
  ["adm", "administratie"],
  ["ass", "assurantie"],
  ["aann", "aannemers"],
  ["verz", "verzekerings"],
  ["techn", "technisch"],
];
const CUT_SHORT_BEHIND: readonly (readonly [short: string, full: string])[] = [["mij", "maatschappij"]];
/** Words that contain one of these, abbreviated or in full. */
const MAY_BE_CUT_SHORT = new RegExp(
  `^(?:${CUT_SHORT.flat().join("|")})|(?:${CUT_SHORT_BEHIND.flat().join("|")})$`,
);
/** Shorter remainders are not part of such a word. */
const MIN_REST_LENGTH = 3;

const UNDER_TWENTY =
  "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien".split(
    " ",
  );
const TENS = "twintig dertig veertig vijftig zestig zeventig tachtig negentig".split(" ");
const ENGLISH = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

function* numbersInWords(): Generator<readonly [number: number, word: string]> {
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

/** A phrase and those that may stand in its place, each by its words. */
const OTHERS = new Map<string, readonly string[][]>();
for (const line of [...WRITTEN_SO, ...numbersInWords().map(([number, word]) => `${number}=${word}`)]) {
  const phrases = line.split("=").map(normalise);
  for (const phrase of phrases) {
    const others = phrases.filter((other) => other !== phrase).map((other) => other.split(" "));
    OTHERS.set(phrase, [...(OTHERS.get(phrase) ?? []), ...others]);
  }
}
/** Written apart they are words as well: `v/d`, `v/h` and `r.k.` are two letters after they were normalised. */
for (const letters of ["vd", "vh", "rk"]) OTHERS.set([...letters].join(" "), OTHERS.get(letters) ?? []);
/** The number of words of the longest phrase that begins with a word. */
const MAX_FROM = new Map<string, number>();
for (const phrase of OTHERS.keys()) {
  const [first = "", ...others] = phrase.split(" ");
  MAX_FROM.set(first, Math.max(MAX_FROM.get(first) ?? 0, 1 + others.length));
}

/** Words with little meaning: a name may be meant without them. */
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

/** Words that may stand for `en` where `normalise` does not make it of them: as the last word so far, and in `Smit+ Zn`. */
const AND_WORDS: ReadonlySet<string> = new Set(["and", "plus"]);

/** A replacement of words of a query by others of the same meaning. */
export interface WordReplacement {
  /** The first replaced word, and the number of replaced words. */
  readonly place: number;
  readonly count: number;
  readonly words: readonly string[];
}

/** Each way to write a part of a query otherwise, by the habits above: `van den` for `vd`, `gebr` for `gebroeders`, `3` for `drie`. */
export function* spellingVariants(words: readonly string[]): Generator<WordReplacement> {
  for (const [place, word] of words.entries()) {
    if (place > 0 && AND_WORDS.has(word)) yield { place, count: 1, words: ["en"] };
    const longest = MAX_FROM.get(word) ?? 0;
    for (let count = Math.min(longest, words.length - place); count > 0; count--) {
      const phrase = count === 1 ? word : words.slice(place, place + count).join(" ");
      for (const other of OTHERS.get(phrase) ?? []) yield { place, count, words: other };
    }
    if (!MAY_BE_CUT_SHORT.test(word)) continue;
    for (const [short, full] of CUT_SHORT) {
      const next = words[place + 1];
      const rest = word.slice(full.length);
      if (word === short && next !== undefined) yield { place, count: 2, words: [full + next] };
      if (rest.length < MIN_REST_LENGTH || !word.startsWith(full)) continue;
      yield { place, count: 1, words: [short, rest] };
      yield { place, count: 1, words: [short + rest] };
    }
    for (const [short, full] of CUT_SHORT_BEHIND) {
      for (const [written, other] of [
        [short, full],
        [full, short],
      ] as const) {
        if (word.length < written.length + MIN_REST_LENGTH || !word.endsWith(written)) continue;
        yield { place, count: 1, words: [word.slice(0, -written.length) + other] };
      }
    }
  }
}

/** Last parts of compounds that a hyphen leaves out of the first: `Timmer- en Onderhoudsbedrijf`. */
const COMPOUND_ENDS =
  /^(.{3,}?)s?(?:bedrijf|bedrijven|werken|dienst|diensten|winkel|handel|kantoor|bureau|fabriek|centrum|praktijk|techniek|verhuur|onderneming|maatschappij|vereniging|school|installaties?)$/;

/** A query without the last part of its first compound, which is then a whole word: `timmer pietersen` for `timmerbedrijf pietersen`. */
export function withoutCompoundEnds(words: readonly string[]): WordReplacement[] {
  return words.flatMap((word, place) => {
    const [, stem] = COMPOUND_ENDS.exec(word) ?? [];
    if (stem === undefined) return [];
    return [stem, `${stem}s`].map((one) => ({ place, count: 1, words: [one] }));
  });
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

/** Words that are spoken as this one, each with one sound written otherwise; and with `ij`, which is one letter, turned round. */
export function soundAlikes(word: string): string[] {
  const found = new Set<string>();
  for (const [written, other] of SOUND_ALIKE) {
    if (word.includes(written)) found.add(word.replaceAll(written, other));
  }
  return [...found];
}
