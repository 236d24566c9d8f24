/** Straight, curly and look-alike apostrophes. They are removed: `'t` becomes `t`, and `Xiao's` becomes `xiaos`. */
const APOSTROPHES = /['`´‘’‚‛′ʹʻʼʽˈ＇]/g;
const APOSTROPHE = /['`´‘’′ʹʻʼ＇]/;
const TRADE_MARKS = /[™℠]/g;
/** An elided article or preposition, which becomes a separate word: `d'Oude`, `L'Oréal`, `'tHoekje`. */
const ELIDED_WORD =
  /(?<![\p{L}\p{N}])(?:([cdjlmnstCDJLMNST]|[Qq]u|(?:[Aa]|[Dd]a|[Dd]e|[Nn]e|[Ss]u)ll)['`´‘’′ʹʻʼ＇](?=\p{L}{2})|['`´‘’′ʹʻʼ＇]([st])(?=\p{Lu}))/gu;
/** Letters that Unicode does not decompose. */
const LETTER_FOLDS: Readonly<Record<string, string>> = {
  ø: "o",
  ß: "ss",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  æ: "ae",
  œ: "oe",
  ı: "i",
  ħ: "h",
  ŧ: "t",
  ŋ: "n",
  ĸ: "k",
  ς: "σ",
};
const FOLDED_LETTER = new RegExp(`[${Object.keys(LETTER_FOLDS).join("")}]`, "g");
/** Single letters with dots, which become one word: `b.v.`, `a.s.r`, `j.p.` */
const DOTTED = /(?<![\p{L}\p{N}])(?:\p{L}\.)+\p{L}?(?![\p{L}\p{N}])/gu;
/** Signs at the end of a word: `C++`, `Canal+`, `C#`. */
const TRAILING_SIGN = /(?<=[\p{L}\p{N}])(?:\+{1,2}|#)(?![\p{L}\p{N}+#])/gu;
/** A sign for "and" between two words, with or without spaces. */
const AND_SIGN =
  /(?<=[\p{L}\p{N}]\s*)&(?=\s*[\p{L}\p{N}])|(?<=[\p{L}\p{N}])\+(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}]\s+)\+(?=\s+[\p{L}\p{N}])/gu;
const NOT_WORD = /[^\p{L}\p{N}]+/gu;
const NOT_WORD_ASCII = /[^a-z0-9]+/g;
/** Only between two words, like `&`. */
const AND_WORD = /(?<=[^ ] )and(?= [^ ])/g;
/** Legal forms written with spaces. Other single letters stay separate, because they may be prefixes of words. */
const SPACED_LEGAL_FORM = /(?<![^ ])(?:[bnc] v|v o f|u a|s a r l|sa rl)(?![^ ])/g;

/**
 * Normalises a text for comparison. Removes case, accents, apostrophes, other punctuation and repeated spaces. `B.V.`
 * and `b v` become `bv`; `&`, `+` and `and` between words become `en`; `C++` becomes `c plus plus`, and `C#` `c sharp`;
 * `d'Oude` becomes `d oude`; `y`, `ÿ` and `ĳ` become `ij`, because Meyer and Meijer sound alike. The result consists of
 * letters, digits and single spaces. Idempotent.
 */
export function normalise(text: string): string {
  const normal = normaliseKeepingAnd(text);
  return normal.includes(" and ") ? normal.replace(AND_WORD, "en") : normal;
}

/** Normalises a text but keeps `and`. */
export function normaliseKeepingAnd(text: string): string {
  const isAscii = /^[\x00-\x7f]*$/.test(text);
  const withElisions = APOSTROPHE.test(text) ? text.replace(ELIDED_WORD, "$1$2 ") : text;
  const folded = isAscii ? withElisions.toLowerCase().replace(/['`]/g, "") : fold(withElisions);
  const withAbbreviations = folded.includes(".")
    ? folded.replace(DOTTED, (letters) => letters.replaceAll(".", ""))
    : folded;
  return (/[&+#]/.test(withAbbreviations) ? replaceSigns(withAbbreviations) : withAbbreviations)
    .replaceAll("y", "ij")
    .replace(isAscii ? NOT_WORD_ASCII : NOT_WORD, " ")
    .trim()
    .replace(SPACED_LEGAL_FORM, (letters) => letters.replaceAll(" ", ""));
}

function replaceSigns(text: string): string {
  return text
    .replace(TRAILING_SIGN, (sign) => (sign === "#" ? " sharp" : " plus".repeat(sign.length)))
    .replace(AND_SIGN, " en ");
}

function fold(text: string): string {
  return text
    .replace(APOSTROPHES, "")
    .replace(TRADE_MARKS, " ")
    .replace(/ÿ|Ÿ|[yY]\u0308/g, "ij")
    .normalize("NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(APOSTROPHES, "")
    .replace(FOLDED_LETTER, (letter) => LETTER_FOLDS[letter] ?? letter);
}

export function withoutSpaces(normal: string): string {
  return normal.replaceAll(" ", "");
}
