import { normalise } from "../../search/normalise.ts";
import type { NameKnowledge } from "./knowledge.ts";

/**
 * Letters and signs of names that are not ASCII, by the text that their UTF-8 becomes when it is read in another
 * encoding.
 */
const MISREAD = new Map(
  Array.from("’‘“”–—…•€™‚„†‡ˆ‰Š‹ŒšœŸŽžƒ˜›", (sign) => sign)
    .concat(Array.from({ length: 0x180 - 0xa0 }, (_, nth) => String.fromCharCode(0xa0 + nth)))
    .flatMap((sign) =>
      [
        ...["windows-1252", "macintosh"].map((encoding) =>
          new TextDecoder(encoding).decode(Buffer.from(sign)),
        ),
        Buffer.from(sign).toString("latin1"),
      ].map((misread) => [misread.replace("\u00a0", " "), sign] as const),
    ),
);
const ANY_MISREAD = new RegExp([...MISREAD.keys()].join("|"), "g");
/** UTF-8 may have been misread twice. */
const MAX_MISREAD = 3;
/** Quoted-printable, an encoded URL, and an escaped character: groups of two or four hexadecimal digits. */
const ESCAPED = /=([89A-F][0-9A-F])|%([2-9A-F][0-9A-F])|(?:\\u|_x)([0-9a-f]{4})_?/gi;
/**
 * A sign where a letter was: a sign for a lost letter, or a letter that was read in the code page of DOS or of old
 * Macs.
 */
const LOST =
  /(?:(?<=\p{L})|(?<![^\s-])(?=[?\ufffd├]{1,2}.?\p{L}{2}))(?:[ÃÂ]?[?\ufffd]{1,3}|[├┬].|[‚‰”„‹Š…‡÷³ⁿ°±¤§¨¿ΘδÚÙÞ▀ŽŸš‘•´])(?=\p{L}|[\s.,-]|$)/gu;
/** The letters that may have been lost, without accents, as names are compared. */
const LETTERS = ["e", "u", "o", "i", "a", "ss", "c", "n", "ij", "oe", "ae"];
/** The lost letters of a word with more count as typos. */
const MAX_LOST = 2;
/** The words to try for one word, and the ways to read a name. */
const MAX_WORDS_TRIED = 4;
const MAX_WAYS = 32;

/**
 * Returns a text with its broken characters repaired. A lost letter becomes one that makes a name of the registry, or
 * else a word of some name.
 */
export function repaired(text: string, knowledge: NameKnowledge): string {
  let fixed = text.replace(ESCAPED, (_, byte?: string, part?: string, code?: string) =>
    String.fromCharCode(Number.parseInt(byte ?? part ?? code ?? "", 16)),
  );
  for (let nth = 0; nth < MAX_MISREAD; nth++)
    fixed = fixed.replace(ANY_MISREAD, (misread) => MISREAD.get(misread) ?? misread);
  if (fixed.search(LOST) === -1) return fixed;
  const ways = fixed.split(" ").reduce<string[]>(
    (starts, word) => {
      const words = starts.length < MAX_WAYS ? withLetters(word, knowledge) : [word];
      return starts.flatMap((start) => words.map((one) => `${start} ${one}`)).slice(0, MAX_WAYS);
    },
    [""],
  );
  return (ways.find(knowledge.isName) ?? ways[0] ?? "").trim();
}

/** Returns the words that a word with lost letters may be, the most common first. */
function withLetters(word: string, { informationOf }: NameKnowledge): string[] {
  const pieces = word.split(LOST);
  const whole = pieces.join("");
  if (pieces.length === 1 || pieces.length > 1 + MAX_LOST) return [whole];
  const rarity = (one: string) => Math.max(...normalise(one).split(" ").map(informationOf));
  return pieces
    .slice(1)
    .reduce(
      (starts, piece) => starts.flatMap((start) => LETTERS.map((letter) => start + letter + piece)),
      pieces.slice(0, 1),
    )
    .filter((one) => rarity(one) < informationOf(""))
    .sort((a, b) => rarity(a) - rarity(b))
    .slice(0, MAX_WORDS_TRIED)
    .concat(whole);
}
