/** Street and house number out of one line of text, by the habits of Dutch addresses. */
import { formatHouseNumber, PO_BOX_STREET } from "./address.ts";

export interface StreetAndNumber {
  readonly street: string;
  readonly houseNumber?: string;
}

const PO_BOX = /^(?:postbus|p[.\s]*o[.\s]*box|postal box)\s*(?:nr\.?\s*)?([0-9]{1,6})$/i;
const NUMBER = /[0-9]+/g;
/** What may stand between a street and its number besides space: `Markweg, nr. 194`, `Markweg #194`. */
const BEFORE_NUMBER = /[\s,]+(?:(?:nr|no|nummer)\.?\s*|#\s*)?$|\s*#\s*$/i;
/** A street named after a year or a period: `Plein 1940`, `Laan 1940-1945`, `Laan van 1813`. */
const YEAR = /^(?:1[5-9]|20)[0-9]{2}$/;
const TAKES_YEAR = /^(?:plein|laan|park|hof|kade|straat|weg)$|\s(?:van|de|der|den|het|'t|in)$|[0-9]{4}\s*-$/i;
/** `Oude 2e Weg`: a number within a street's name. */
const ORDINAL = /^(?:e|de|ste)\s+\p{L}{3,}/iu;
/** From here on a line says where in the building, which is no part of a house number. */
const INSIDE_BUILDING =
  /[\s,(-]*(?:\b[0-9]+(?:e|de|ste|st|nd|rd|th)\s+)?(?:\b(?:verd(?:ieping)?|etage|floor|gebouw|building|kamer|room|suite|kantoor|office|hal|ingang)\b|\b\p{L}*-?(?:toren|tower)\b|[,(]).*$/iu;
const LETTER = /^\s?([a-z])(?![a-z0-9])/i;
const ADDITION = /^[a-z0-9]{1,5}(?:[\s/-]+[a-z0-9]{1,5}){0,2}$/i;
const CARE_OF = /^(?:c\/o|p\/a|t\.?\s?a\.?\s?v\b|attn)/i;

/**
 * Longer than any line of an address. What is looked for in one takes time by the square of its length: the largest cell of a file would hold an
 * import for an hour.
 */
const MOST_LETTERS = 500;

/** Whether a text is longer than an address or a line of one can be. */
export function isNoAddress(text: string): boolean {
  return text.length > MOST_LETTERS;
}

/**
 * Splits `MARKWEG 194`, `Plein 1940 12 a`, `Laan 1940-1945 3-A`, `2e Oosterparkstraat 12 hs` or `Postbus 200`. The
 * number is the first one behind the street's name that is followed by nothing but a letter and an addition; a line
 * without such a number is a street as a whole, and so is what is longer than a line of an address.
 */
export function splitStreet(line: string): StreetAndNumber {
  const spaced = line.replace(/\s+/gu, " ").trim();
  if (isNoAddress(spaced)) return { street: spaced };
  const text = spaced.replace(/^[\s,]+|[\s,]+$/g, "");
  const box = PO_BOX.exec(text)?.[1];
  if (box !== undefined) return { street: PO_BOX_STREET, houseNumber: box };
  for (const found of text.matchAll(NUMBER)) {
    const number = found[0];
    const before = text.slice(0, found.index);
    const rest = text.slice(found.index + number.length);
    const street = before.replace(BEFORE_NUMBER, "");
    const canBegin = street !== before && /\p{L}{2}/u.test(street) && number.length <= 5;
    if (!canBegin || (YEAR.test(number) && TAKES_YEAR.test(street)) || ORDINAL.test(rest)) continue;
    const houseNumber = withAddition(number, rest);
    if (houseNumber !== undefined) return { street, houseNumber };
  }
  return { street: text };
}

/**
 * The street and number of an address whose lines are in no fixed order: the first line that holds both, else the
 * first line, with the number of the next one where that holds nothing else.
 */
export function splitStreetLines(lines: readonly string[]): StreetAndNumber | undefined {
  const used = lines.filter((line) => line.trim() !== "");
  const addressed = used.filter((line) => !CARE_OF.test(line.trim()));
  const split = addressed.map(splitStreet);
  const complete = split.find(({ houseNumber }) => houseNumber !== undefined);
  if (complete !== undefined) return complete;
  const [first, second] = addressed;
  if (first === undefined) return used[0] === undefined ? undefined : splitStreet(used[0]);
  const joined =
    second !== undefined && /^\s*[0-9]/.test(second) ? splitStreet(`${first} ${second}`) : undefined;
  return joined?.houseNumber === undefined ? split[0] : joined;
}

/** A house number that stands alone, such as `12 a` or `3-A`; undefined when it is none. */
export function parseHouseNumber(text: string): string | undefined {
  const found = /^([0-9]{1,5})(.*)$/.exec(text.trim());
  return found === null ? undefined : withAddition(found[1] ?? "", found[2] ?? "");
}

/** `12` and ` a-2` to `12a-2`; undefined when `rest` is more than a letter and an addition. */
function withAddition(number: string, rest: string): string | undefined {
  const text = rest.replace(INSIDE_BUILDING, "").replace(/\s*t\/m\s*/gi, "-");
  const letter = LETTER.exec(text);
  const addition = text.slice(letter?.[0].length ?? 0).replace(/^[\s/-]+|[\s/-]+$/g, "");
  if (addition !== "" && !ADDITION.test(addition)) return undefined;
  return formatHouseNumber(number, letter?.[1], addition);
}
