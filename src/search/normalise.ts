/** Straight, curly and look-alike apostrophes: dropped, so that `'t` is `t` and `Xiao's` is `xiaos`. */
const APOSTROPHES = /['`´‘’‚‛′ʹʻʼʽˈ＇]/g;
const TRADE_MARKS = /[™℠]/g;
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
/** Between two words, both glued or both loose: the plus of `Canal+` and `C++` is no "and". */
const AND_SIGN =
  /(?<=[\p{L}\p{N}]\s*)&(?=\s*[\p{L}\p{N}])|(?<=[\p{L}\p{N}])\+(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}]\s+)\+(?=\s+[\p{L}\p{N}])/gu;
const NOT_WORD = /[^\p{L}\p{N}]+/gu;
const NOT_WORD_ASCII = /[^a-z0-9]+/g;
/** Legal forms that are written in loose letters; other loose letters stay apart, as they may be words to come. */
const LOOSE_LEGAL_FORM = /(?<![^ ])(?:[bnc] v|v o f|u a|s a r l|sa rl)(?![^ ])/g;

/**
 * The form in which texts are compared, and the only place that says so. Case, accents, apostrophes, other
 * punctuation and runs of spaces do not matter; `B.V.`, `b v` and `bv` are one; `&` and `+` are `en`; `y`, `ÿ` and
 * `ĳ` are `ij`, since Meyer and Meijer sound alike. The result holds letters and digits in words with one space
 * between them; normalising it again changes nothing.
 */
export function normalise(text: string): string {
  const isAscii = /^[\x00-\x7f]*$/.test(text);
  const folded = isAscii ? text.toLowerCase().replace(/['`]/g, "") : fold(text);
  const joined = folded.includes(".")
    ? folded.replace(DOTTED, (letters) => letters.replaceAll(".", ""))
    : folded;
  const words = (/[&+]/.test(joined) ? joined.replace(AND_SIGN, " en ") : joined)
    .replaceAll("y", "ij")
    .replace(isAscii ? NOT_WORD_ASCII : NOT_WORD, " ")
    .trim();
  return words.replace(LOOSE_LEGAL_FORM, (letters) => letters.replaceAll(" ", ""));
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
