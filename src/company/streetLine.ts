/**
 * Street and house number from one line of text, by the conventions of Dutch addresses. The patterns come first; begin with
 * {@link splitStreet}.
 */
import { FREEPOST_STREET, formatHouseNumber, kindOf, PO_BOX_STREET } from "./address.ts";

export interface StreetAndNumber {
  readonly street: string;
  readonly houseNumber?: string;
}

const BEFORE_BOX = "\\s*(?:(?:(?:nr|no|nummer|number)\\b\\.?|#|:)\\s*)?";
const SEPARATOR = "[\\s,;|/()\u2010-\u2015-]";
const POSTAL_LINES = [
  [
    PO_BOX_STREET,
    "post[\\s-]?bus|postb\\.?|p[.\\s/-]*[ob][.\\s/-]*box|p[.\\s]*b\\.?|p\\.?o\\.?b\\.?|postal box|post[\\s-]?(?:office )?box",
  ],
  [FREEPOST_STREET, "antw(?:oord)?[.\\s-]*n(?:umme)?r\\.?|free[\\s-]?post|reply[\\s-]?number"],
].map(([street = "", words = ""]) => ({
  street,
  form: new RegExp(`^(?:${words})${BEFORE_BOX}([0-9][0-9. ]*)$`, "i"),
  /** Within a line that also has a visiting address: `Kade 12 / Postbus 200`. */
  inside: new RegExp(
    `(?:^|(?<!${SEPARATOR})${SEPARATOR}+)(?:${words})${BEFORE_BOX}([0-9]+(?:[. ][0-9]{3})*)(?:${SEPARATOR}+|$)`,
    "i",
  ),
}));
/** A cheap first test: most lines have none of these letters. */
const PERHAPS_POSTAL = /p[ob.\s/-]|antw|free|reply/i;
const NUMBER = /[0-9]+/g;
/** A hyphen or any other dash. */
const DASH = "[-\u2010-\u2015\u2212]";
/** Words and signs between a street and its number: `Markweg, nr. 194`, `Markweg #194`, `Kade t.o. 12`. */
const BEFORE_NUMBER = new RegExp(
  `(?<![\\s,])[\\s,]+(?:(?:nr|no|nummer|n[°º]|№|t\\.?\\s?o|t/o|to|tegenover)\\.?\\s*|#\\s*|:\\s*|${DASH}\\s+){0,2}$|(?<!\\s)\\s*[#№:]\\s*$`,
  "i",
);
/** A street named after a year or a period: `Plein 1940`, `Laan 1940-1945`, `Laan van 1813`, `Plein 40-45`. */
const YEAR = /^(?:1[5-9]|20)[0-9]{2}$/;
const TAKES_YEAR = /^(?:plein|laan|park|hof|kade|straat|weg|boulevard)$|\s(?:van|de|der|den|het|'t|in)$/i;
const REST_OF_PERIOD = new RegExp(`^\\s?${DASH}\\s?(?:(?:1[5-9]|20)[0-9]{2}|45)(?![0-9])`);
const BEGUN_PERIOD = new RegExp(`[0-9]\\s*${DASH}\\s*$`);
/** `Oude 2e Weg`: a number within the name of a street. */
const ORDINAL = /^(?:e|de|ste)\s+\p{L}{3,}/iu;
const FOLLOWING_NUMBER = /^\s+[0-9]/;
/** `Pier 3 nr 12`: the number comes later. */
const NUMBER_FOLLOWS = /^\s*,?\s(?:nr|no|nummer|n[°º])\.?\s*[0-9]|[#№]\s*[0-9]/i;
/** `16 april 1944 Pad 1`: a word with a number of its own. The words excluded here are additions. */
const OTHER_WORD =
  /^\s+(?!(?:bis|huis|hoog|boven|ben|rood|rd|zwart|achter|voor|links|rechts|bus|tot|and)\b)[a-z]{3,}\s+[0-9]/i;
/** Words for a part of a building. */
const BUILDING_WORDS =
  "verd(?:ieping)?|etage|floor|level|gebouw|building|bouwdeel|kamer|room|suite|kantoor|office|unit|hal|loods|blok|block|studio|appartement|apartment|appt?|apt|ingang|entree|vleugel|wing|toren|tower";
/** The rest of a line that says where in the building, which is not part of a house number; `t.o.` is opposite of it. */
const INSIDE_BUILDING = new RegExp(
  `(?:(?<![\\s,(-])[\\s,(-]+)?(?:\\b[0-9]+(?:e|de|ste|st|nd|rd|th)\\s+)?(?:\\b(?:${BUILDING_WORDS})\\b|\\b\\p{L}*-?(?:toren|tower)\\b|\\bt\\.\\s?o\\b|\\bt/o\\b|[,;|(]).*$`,
  "isu",
);
/** A line, or its beginning, that says where in the building: `Unit 3.04`, `Gebouw B`, `4e verdieping`. */
const BUILDING = `(?:(?:${BUILDING_WORDS})\\b[^,;]*|[0-9]+(?:e|de|ste|st|nd|rd|th)\\s+(?:${BUILDING_WORDS})\\b[^,;]*)`;
const BUILDING_LINE = new RegExp(`^${BUILDING}$`, "i");
/** Input: at most 500 letters. */
const BUILDING_FIRST = new RegExp(`^${BUILDING}(?:[,;]|\\s[/|\u2013-])(?=.*\\p{L}{2})\\s*`, "iu");
/** `t.o. Kade 12`: opposite of it. */
const OPPOSITE_FIRST = /^(?:t\.?\s?o\.|t\/o|tegenover)\s+/i;
/** A house letter and an addition: `12 a`, `12a-2`. */
const LETTER = /^\s?([a-z])(?![a-z0-9.])/i;
const PART = "[a-z0-9]{1,6}(?:\\.[a-z0-9]{1,5}){0,2}";
const ADDITION = new RegExp(`^${PART}(?:[\\s/-]+${PART}){0,2}$`, "i");
/** Between the numbers of a range: `12 – 14`, `12+14`, `12 & 14`, `12 t/m 14`, `12 en 14`. */
const RANGE =
  /(?:(?<!\s)\s+)?(?:t\s?\/\s?m|[+&\u2010-\u2015\u2212])\s*|(?<!\s)\s+(?:t\.?e?\.?m\.?|tot|tot en met|en|and)\s+(?=[0-9])/gi;
/** A whole number as a spreadsheet writes it. */
const DECIMALS = /^[.,]0+(?![0-9a-z])/i;
/** A line that names a person or a department. */
const CARE_OF = /^(?:c\/o|p\/a|t\.?\s?a\.?\s?v\b|attn|afd|dep)/i;

/**
 * Longer than any line of an address. Parsing takes time by the square of the length: the largest cell of a file would
 * block an import for an hour.
 */
const MAX_LINE_LENGTH = 500;

/** Whether a text is too long for an address or a line of one. */
export function isTooLong(text: string): boolean {
  return text.length > MAX_LINE_LENGTH;
}

/** Whether a street without its number is a PO box or an Antwoordnummer. */
export function isPostal(street: string): boolean {
  return POSTAL_LINES.some(({ form }) => form.test(`${street} 1`));
}

/** A PO box or an Antwoordnummer from its number, in any form. @param street which of the two, if the text does not say */
export function postalAddress(text: string, street = PO_BOX_STREET): StreetAndNumber {
  const whole = splitStreet(text);
  return isPostal(whole.street) ? whole : splitStreet(`${street} ${text.replace(/^[^0-9]+/, "")}`);
}

/**
 * Splits `MARKWEG 194`, `Plein 1940 12 a`, `Laan 1940-1945 3-A`, `2e Oosterparkstraat 12 hs`, `Postbus 200` or
 * `Antwoordnummer 123`. The number is the first one after the street's name that is followed only by a letter and an
 * addition; a line without such a number is a street as a whole, and so is a text that is too long for an address.
 */
export function splitStreet(line: string): StreetAndNumber {
  const spaced = line.replace(/\s+/gu, " ").trim();
  if (isTooLong(spaced)) return { street: spaced };
  const text = spaced.replace(/^[\s,;|]+|(?<![\s,;|])[\s,;|]+$/g, "");
  const postal = postalLine(text);
  if (postal !== undefined) return postal;
  const address = text.replace(BUILDING_FIRST, "").replace(OPPOSITE_FIRST, "");
  for (const found of address.matchAll(NUMBER)) {
    const number = found[0];
    const before = address.slice(0, found.index);
    const rest = address.slice(found.index + number.length);
    const street = before.replace(BEFORE_NUMBER, "");
    const canBegin = street !== before && /\p{L}{2}/u.test(street) && /^0*[1-9][0-9]{0,4}$/.test(number);
    if (!canBegin || BEGUN_PERIOD.test(before) || isInName(street, number, rest)) continue;
    const houseNumber = withAddition(number.replace(/^0+/, ""), rest);
    if (houseNumber !== undefined) return { street, houseNumber };
  }
  return { street: text };
}

/** A line that is or contains a PO box or an Antwoordnummer. A visiting address in the same line wins. */
function postalLine(text: string): StreetAndNumber | undefined {
  if (!PERHAPS_POSTAL.test(text)) return undefined;
  for (const { street, form, inside } of POSTAL_LINES) {
    const number = (form.exec(text) ?? inside.exec(text))?.[1]?.replace(/[. ]/g, "") ?? "";
    if (number === "" || number.length > 6) continue;
    const other = form.test(text) ? "" : text.replace(inside, " ").trim();
    const visiting = CARE_OF.test(other) || BUILDING_LINE.test(other) ? undefined : splitStreet(other);
    return visiting?.houseNumber === undefined ? { street, houseNumber: number } : visiting;
  }
  return undefined;
}

/** Whether a number belongs to the name of a street: it is a year, or the house number follows later. */
function isInName(street: string, number: string, rest: string): boolean {
  const nextWord = rest.replace(INSIDE_BUILDING, "");
  if (ORDINAL.test(rest) || NUMBER_FOLLOWS.test(rest) || OTHER_WORD.test(nextWord)) return true;
  const isPeriod = (YEAR.test(number) || number === "40") && REST_OF_PERIOD.test(rest);
  if (isPeriod) return YEAR.test(number) || TAKES_YEAR.test(street) || /[0-9]\s+[0-9]/.test(rest);
  return YEAR.test(number) && (TAKES_YEAR.test(street) || FOLLOWING_NUMBER.test(rest));
}

/**
 * The street and number of an address whose lines are in no fixed order: the first line that has both, a street before a
 * PO box; else the first line, with the number of the next one if that has nothing else.
 */
export function splitStreetLines(lines: readonly string[]): StreetAndNumber | undefined {
  const used = lines.map((line) => line.trim()).filter((line) => line !== "");
  const addressed = used.filter((line) => !CARE_OF.test(line) && !BUILDING_LINE.test(line));
  const split = addressed.map(splitStreet);
  const complete = split.filter(({ houseNumber }) => houseNumber !== undefined);
  const best = complete.find((line) => kindOf(line) === "visiting") ?? complete[0];
  if (best !== undefined) return best;
  const [first, second] = addressed;
  if (first === undefined) return used[0] === undefined ? undefined : splitStreet(used[0]);
  const joined =
    second !== undefined && /^[0-9]/.test(second) ? splitStreet(`${first} ${second}`) : undefined;
  return joined?.houseNumber === undefined ? split[0] : joined;
}

/**
 * Adds the house number from a field of its own to a street line. It wins over a number that the line seems to have
 * (`Plein 44`), unless the line says the same (`Kade 12`), or more (`Kade 12 a`), or is a PO box.
 */
export function withSeparateNumber(split: StreetAndNumber, own: string): StreetAndNumber {
  if (isPostal(split.street)) return splitStreet(`${split.street} ${split.houseNumber ?? own}`);
  if (split.houseNumber === undefined) return { ...split, houseNumber: own };
  if (numberOf(split.houseNumber) !== numberOf(own)) {
    return { street: `${split.street} ${split.houseNumber}`, houseNumber: own };
  }
  return own.length > split.houseNumber.length ? { ...split, houseNumber: own } : split;
}

function numberOf(houseNumber: string): string {
  return houseNumber.replace(/[^0-9].*$/s, "");
}

/** A house number on its own, such as `12 a`, `nr. 12`, `12.0` or `3-A`; undefined for other texts. */
export function parseHouseNumber(text: string): string | undefined {
  const found = /^(?:(?:nr|no|nummer|n[°º])\.?\s*|[#№]\s*)?0*([1-9][0-9]{0,4})(?![0-9])(.*)$/i.exec(
    text.trim(),
  );
  return found === null ? undefined : withAddition(found[1] ?? "", found[2] ?? "");
}

/** Joins `12` and ` a-2` to `12a-2`; undefined when `rest` is more than a letter and an addition. */
function withAddition(number: string, rest: string): string | undefined {
  const text = rest
    .replace(DECIMALS, "")
    .replace(INSIDE_BUILDING, "")
    .replace(/(?<![\s.])[\s.]+$/, "")
    .replace(RANGE, "-");
  const letter = LETTER.exec(text);
  const addition = text.slice(letter?.[0].length ?? 0).replace(/^[\s/.-]+|(?<![\s/.-])[\s/.-]+$/g, "");
  if (addition !== "" && !ADDITION.test(addition)) return undefined;
  return formatHouseNumber(number, letter?.[1], addition);
}
