/** Straight, curly and look-alike apostrophes: dropped, so that `'t` is `t` and `Xiao's` is `xiaos`. */
const APOSTROPHES = /['`´‘’‚‛′ʹʻʼʽˈ＇]/g;
const APOSTROPHE = /['`´‘’′ʹʻʼ＇]/;
const TRADE_MARKS = /[™℠]/g;
/** An article or preposition that an apostrophe glues to its word (`d'Oude`, `L'Oréal`, `'tHoekje`): a word of its own. */
const GLUED_WORD =
  /(?<![\p{L}\p{N}])(?:([cdjlmnstCDJLMNST]|[Qq]u|(?:[Aa]|[Dd]a|[Dd]e|[Nn]e|[Ss]u)ll)['`´‘’′ʹʻʼ＇](?=\p{L}{2})|['`´‘’′ʹʻʼ＇]([st])(?=\p{Lu}))/gu;
/** Letters that Unicode does not decompose. */
const UNDECOMPOSED: Readonly<Record<string, string>> = {
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
const UNDECOMPOSED_LETTER = new RegExp(`[${Object.keys(UNDECOMPOSED).join("")}]`, "g");
/** Single letters with dots between or behind them, as one abbreviation: `b.v.`, `a.s.r`, `j.p.` */
const DOTTED = /(?<![\p{L}\p{N}])(?:\p{L}\.)+\p{L}?(?![\p{L}\p{N}])/gu;
/** Signs that end a word and belong to it: `C++`, `Canal+`, `C#`. */
const SIGN_BEHIND = /(?<=[\p{L}\p{N}])(?:\+{1,2}|#)(?![\p{L}\p{N}+#])/gu;
/** Between two words, both glued or both loose. */
const AND_SIGN =
  /(?<=[\p{L}\p{N}]\s*)&(?=\s*[\p{L}\p{N}])|(?<=[\p{L}\p{N}])\+(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}]\s+)\+(?=\s+[\p{L}\p{N}])/gu;
const NOT_WORD = /[^\p{L}\p{N}]+/gu;
const NOT_WORD_ASCII = /[^a-z0-9]+/g;
/** Between two words, as `&` is. */
const AND_WORD = /(?<=[^ ] )and(?= [^ ])/g;
/** Legal forms that are written in loose letters; other loose letters stay apart, as they may be words to come. */
const LOOSE_LEGAL_FORM = /(?<![^ ])(?:[bnc] v|v o f|u a|s a r l|sa rl)(?![^ ])/g;

/**
 * The form in which texts are compared, and the only place that says so. Case, accents, apostrophes, other
 * punctuation and runs of spaces do not matter; `B.V.`, `b v` and `bv` are one; between words `&`, `+` and `and` are `en`; `C++` is
 * `c plus plus` and `C#` `c sharp`; `d'Oude` is `d oude`; `y`, `ÿ` and `ĳ` are `ij`, since Meyer and Meijer sound alike. The result
 * holds letters and digits in words with one space between them; normalising it again changes nothing.
 */
export function normalise(text: string): string {
  const normal = normaliseButAnd(text);
  return normal.includes(" and ") ? normal.replace(AND_WORD, "en") : normal;
}

/** The same with `and` as it stands. */
export function normaliseButAnd(text: string): string {
  const isAscii = /^[\x00-\x7f]*$/.test(text);
  const loose = APOSTROPHE.test(text) ? text.replace(GLUED_WORD, "$1$2 ") : text;
  const folded = isAscii ? loose.toLowerCase().replace(/['`]/g, "") : fold(loose);
  const joined = folded.includes(".")
    ? folded.replace(DOTTED, (letters) => letters.replaceAll(".", ""))
    : folded;
  return (/[&+#]/.test(joined) ? withoutSigns(joined) : joined)
    .replaceAll("y", "ij")
    .replace(isAscii ? NOT_WORD_ASCII : NOT_WORD, " ")
    .trim()
    .replace(LOOSE_LEGAL_FORM, (letters) => letters.replaceAll(" ", ""));
}

function withoutSigns(text: string): string {
  return text
    .replace(SIGN_BEHIND, (sign) => (sign === "#" ? " sharp" : " plus".repeat(sign.length)))
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
    .replace(UNDECOMPOSED_LETTER, (letter) => UNDECOMPOSED[letter] ?? letter);
}

/** A normalised text without its spaces: `hill en knowlton` and `hillen knowlton` alike. */
export function squeeze(normal: string): string {
  return normal.replaceAll(" ", "");
}
