/** Rules by which people write a name differently from how it is registered. */

/** A pattern, and its replacement; a replacement of undefined leaves the text alone. */
export type Rule = readonly [pattern: RegExp, written: string | ((found: string) => string | undefined)];

/** Returns the text with one rule applied at one place, for each rule and place. */
export function rewrites(text: string, rules: readonly Rule[]): string[] {
  return rules.flatMap(([pattern, written]) =>
    [...text.matchAll(pattern)].flatMap(({ 0: found, index }) => {
      const other = typeof written === "string" ? written : written(found);
      return other === undefined ? [] : [text.slice(0, index) + other + text.slice(index + found.length)];
    }),
  );
}

/** Dutch spellings that sound alike, as pattern=replacement; they apply to one word in lower case. */
export const SOUND_ALIKE: readonly Rule[] = `
  ij=y ij=ei ei=ij y=ij y=i c(?=[aoulrkt])|c$=k k(?=[aoulr])|k$=c c(?=[eiy])=s ck=k ph=f f=ph th=t
  t(?=[eiorhu])=th au=ou ou=au d$=t t$=d dt$=t x=ks ks=x qu=kw kw=qu ^v=f ^z=s ch(?!$)=g gh=g ae=aa
  oe=u ie=i
`
  .trim()
  .split(/\s+/)
  .map((rule) => {
    const end = rule.lastIndexOf("=");
    return [new RegExp(rule.slice(0, end), "g"), rule.slice(end + 1)];
  });

const word = (pattern: string) => new RegExp(`(?<!\\S)(?:${pattern})(?!\\S)`, "giu");

const DIGITS = "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf".split(" ");
const ENGLISH_DIGITS = "zero one two three four five six seven eight nine ten".split(" ");
const numberOf = (words: readonly string[]) => (found: string) => String(words.indexOf(found.toLowerCase()));

/** Words that one person writes in full and another abbreviates. "St." stands for both Sint and Stichting. */
export const HABITS: readonly Rule[] = [
  [word("van (?:de|der|den)"), "v.d."],
  [word("van (?:de|der|den)"), "v/d"],
  [word("van (?:de|der|den)"), "vd"],
  [word("gebroeders"), "gebr."],
  [word("gebr\\.?"), "gebroeders"],
  [word("stichting|sint"), "st."],
  [word("st\\."), "sint"],
  [word("en|and|&"), (found) => (found === "&" ? "en" : "&")],
  [word("en|&"), "+"],
  [word("&"), "and"],
  [word("\\d{1,2}"), (found) => DIGITS[Number(found)]],
  [word("\\d{1,2}"), (found) => ENGLISH_DIGITS[Number(found)]],
  // "Een" is far more often an article than a number.
  [word(DIGITS.slice(2).join("|")), numberOf(DIGITS)],
  [word(ENGLISH_DIGITS.join("|")), numberOf(ENGLISH_DIGITS)],
];

/** Abbreviations and their full forms; each is typed for the other. */
const ABBREVIATIONS = `
  wed.=weduwe fa.=firma kon.=koninklijke ned.=nederlandse ned.=nederland int.=international int.=internationaal
  prof.=professor dr.=dokter fam.=familie mij.=maatschappij ver.=vereniging inst.=instituut
  adm.kantoor=administratiekantoor nr.=nummer v/h=voorheen 't=het 1e=eerste 2e=tweede 3e=derde
`;

/** The same in other words, or as HTML: `Wed. Jansen` for `Weduwe Jansen`. */
export const WORDINGS: readonly Rule[] = [
  ...Array.from(ABBREVIATIONS.matchAll(/(\S+)=(\S+)/g)).flatMap(([, short = "", full = ""]): Rule[] => [
    [word(full), short],
    [word(short.replace(/\.$/, "\\.?")), full],
  ]),
  [word("b\\.?v\\.?"), "besloten vennootschap"],
  [word("n\\.?v\\.?"), "naamloze vennootschap"],
  [word("v\\.?o\\.?f\\.?"), "vennootschap onder firma"],
  [word("v\\.?v\\.?e\\.?"), "vereniging van eigenaars"],
  [word("vereniging van eigenaars"), "vve"],
  // Initials.
  [word("(?:\\p{L}\\.){2,}\\p{L}?"), (found) => [...found.replaceAll(".", "")].join(" ")],
  [word("(?:\\p{L}\\.){2,}\\p{L}?"), (found) => found.replaceAll(".", "")],
  [word("\\p{L}(?: \\p{L}){2,}"), (found) => found.replaceAll(" ", "")],
  [/ & /g, " &amp; "],
  [/(?<=\p{L})['’](?=\p{L})/gu, "&#39;"],
  [/é/g, "&eacute;"],
  [/ë/g, "&euml;"],
];
