import { normalise } from "../../search/normalise.ts";
import type { NameKnowledge } from "./knowledge.ts";

/** The characters of the bytes 80 to BF in windows-1252, and in Latin-1. */
const LATER = `${new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 64 }, (_, nth) => 128 + nth))}\u0080-\u009f`;
/** UTF-8 that was read as windows-1252 or Latin-1, also in lower case. */
const MISREAD = new RegExp(`[Â-ßã][${LATER}]|[à-ï][${LATER}]{2}`, "g");
const BYTES = new Map(
  Array.from({ length: 128 }, (_, nth) => [
    new TextDecoder("windows-1252").decode(Uint8Array.of(128 + nth)),
    128 + nth,
  ]),
);
/** Quoted-printable, an encoded URL, and an escaped character: groups of two or four hexadecimal digits. */
const ESCAPED = /=([89A-F][0-9A-F])|%([2-9A-F][0-9A-F])|(?:\\u|_x)([0-9a-f]{4})_?/gi;
/** UTF-8 may have been misread twice. */
const MAX_MISREAD = 3;
/** A sign where a letter was: a sign for a lost letter, or a letter that was read in the code page of DOS or of old Macs. */
const LOST =
  /(?:(?<=\p{L})|(?<![^\s-])(?=[?\ufffd├√]{1,2}.?\p{L}{2}))(?:[ÃÂ]?[?\ufffd]{1,3}|[├┬√].|[‚‰”„‹Š…‡÷³ⁿ°±¤§¨¿ΘδÚÙÞ▀ŽŸš‘•´])(?=\p{L}|[\s.,-]|$)/gu;
/** What a lost letter may be, compared without accents. */
const LETTERS = ["e", "u", "o", "i", "a", "ss", "c", "n", "ij", "oe", "ae"];
/** The lost letters of a word with more count as typos. */
const MAX_LOST = 2;
/** The words to try for one word, and the ways to read a name. */
const MAX_WORDS_TRIED = 4;
const MAX_WAYS = 32;

/** Returns a text with its broken characters repaired; undefined if it has none. A lost letter becomes one that makes a word of some name. */
export function repaired(text: string, knowledge: NameKnowledge): string | undefined {
  let fixed = text.replace(ESCAPED, (_, ...hex: (string | undefined)[]) =>
    String.fromCharCode(Number.parseInt(hex[0] ?? hex[1] ?? hex[2] ?? "", 16)),
  );
  for (let nth = 0; nth < MAX_MISREAD; nth++) fixed = fixed.replace(MISREAD, decoded).replace(/Ã /g, "à");
  const words = fixed.split(" ").map((word) => withLetters(word, knowledge));
  const ways = words.reduce<string[]>(
    (starts, word) => starts.flatMap((start) => word.map((one) => `${start} ${one}`)).slice(0, MAX_WAYS),
    [""],
  );
  fixed = (ways.find(knowledge.isName) ?? ways[0] ?? "").trim();
  return fixed === text ? undefined : fixed;
}

/** Decodes one character. Keeps what is no letter or sign that names have. */
function decoded(misread: string): string {
  const bytes = [...misread.replace(/^ã(?=.$)/, "Ã")].map(
    (letter) => BYTES.get(letter) ?? letter.charCodeAt(0),
  );
  const text = new TextDecoder().decode(Uint8Array.from(bytes));
  return /^[\u0080-\u024f\u2010-\u203a€™]$/.test(text) ? text : misread;
}

/** Returns the words that a word with lost letters may be, the most common first. */
function withLetters(word: string, { informationOf, isWord }: NameKnowledge): string[] {
  const pieces = word.split(LOST);
  if (pieces.length === 1 || pieces.length > 1 + MAX_LOST) return [pieces.join("")];
  const variants = pieces.reduce<string[]>(
    (starts, piece, nth) =>
      nth === 0 ? [piece] : starts.flatMap((start) => LETTERS.map((letter) => start + letter + piece)),
    [],
  );
  const partsOf = (one: string) => normalise(one).split(" ");
  const rarity = (one: string) => partsOf(one).reduce((sum, part) => sum + informationOf(part), 0);
  const known = variants.filter((one) => partsOf(one).every(isWord));
  return [...known.sort((a, b) => rarity(a) - rarity(b)).slice(0, MAX_WORDS_TRIED), pieces.join("")];
}
