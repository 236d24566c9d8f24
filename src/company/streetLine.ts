/**
 * Street and house number from one line of text, by the conventions of Dutch addresses. The patterns come first; begin
 * with {@link splitStreet}.
 */
import { FREEPOST_STREET, formatHouseNumber, kindOf, PO_BOX_STREET, STREET_ENDING } from "./address.ts";

/** Called with a part of an address that no field can hold. */
export type OnUnplaced = (text: string) => void;

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
  `(?<![\\s,;|/])[\\s,;|/]+(?:(?:nr|no|nummer|n[°º]|№|t\\.?\\s?o|t/o|to|tegenover|nabij|naast)\\.?\\s*|#\\s*|:\\s*|${DASH}\\s+){0,2}$|(?<!\\s)\\s*[#№:]\\s*$`,
  "i",
);
/** A street named after a year or a period: `Plein 1940`, `Laan 1940-1945`, `Laan van 1813`, `Plein 40-45`. */
const YEAR = /^(?:1[5-9]|20)[0-9]{2}$/;
const TAKES_YEAR = /^(?:plein|laan|park|hof|kade|straat|weg|boulevard)$|\s(?:van|de|der|den|het|'t|in)$/i;
const REST_OF_PERIOD = new RegExp(`^\\s?${DASH}\\s?(?:(?:1[5-9]|20)[0-9]{2}|45)(?![0-9])`);
const BEGUN_PERIOD = new RegExp(`[0-9]\\s*${DASH}\\s*$`);
const FOLLOWING_NUMBER = /^\s+([0-9]+)(?![0-9])/;
/** `Pier 3 nr 12`: the number comes later. */
const NUMBER_FOLLOWS = /^\s*,?\s(?:nr|no|nummer|n[°º])\.?\s*[0-9]|[#№]\s*[0-9]/i;
/** Roads with numbers for names: `Route 66`, `N 205`, `A27`. */
const NUMBERED_ROAD = /^(?:route|rijksweg|snelweg|autoweg|bundesstraße)$/i;
const ROAD_CODE = /^[ANEB]\s?[0-9]{1,3}$/i;
/** Words for a part of a building that no street is named after. */
const UNIT_WORDS =
  "verd(?:ieping)?|etage|floor|level|room|suite|unit|studio|appartement|apartment|appt?|apt|box|ligplaats|woonboot|chalet|stand|wohnung|whg";
const ENDS_IN_UNIT = new RegExp(`\\s(?:${UNIT_WORDS}|bus)\\.?$`, "i");
const BUILDING_WORDS = `${UNIT_WORDS}|gebouw|building|bouwdeel|kamer|kantoor|office|hal|loods|blok|block|ingang|entree|vleugel|wing|toren|tower|steiger|begane grond|bg|souterrain|kelder|parterre|bel-?etage`;
/** `4e`, `3de`, `eerste` or `ground` before such a word. */
const ORDINAL = "(?:[0-9]+(?:e|de|ste|st|nd|rd|th)|\\p{L}+(?:de|ste|st|nd|rd|th))\\s+";
/** A line, or its beginning, that says where in the building: `Unit 3.04`, `Gebouw B`, `4e verdieping`. */
const BUILDING = `(?:${ORDINAL})?(?:${BUILDING_WORDS})\\b[^,;]*`;
const BUILDING_LINE = new RegExp(`^${BUILDING}$`, "iu");
/** Input: at most 500 letters. */
const BUILDING_FIRST = new RegExp(`^${BUILDING}(?:[,;]|\\s[/|\u2013-])(?=.*\\p{L}{2})\\s*`, "iu");
/** A person or a department. */
const CARE_OF_WORDS =
  "c/o|p/a|t\\.?\\s?a\\.?\\s?v\\b|ter attentie|attn\\b|(?:afd|afdeling|dept?|department)(?!\\p{L})";
const CARE_OF = new RegExp(`^(?:${CARE_OF_WORDS})`, "iu");
/** Input: at most 500 letters. */
const CARE_OF_FIRST = new RegExp(`^((?:${CARE_OF_WORDS})[^,;|]*)[,;|](?=.*\\p{L}{2})\\s*`, "iu");
/**
 * The rest of a line from where it is no longer a house number; `t.o.` means opposite of it. Input: at most 500
 * letters.
 */
const BEHIND_NUMBER = new RegExp(
  `(?:(?<![\\s,(-])[\\s,(-]+)?(?:(?:\\b${ORDINAL})?\\b(?:${BUILDING_WORDS})\\b|\\b\\p{L}*-?(?:toren|tower)\\b|\\bt\\.\\s?o\\b|\\bt/o\\b|\\b(?:${CARE_OF_WORDS})|[,;|(]).*$`,
  "isu",
);
/** Texts there that are omitted without a note. */
const LEFT_OUT = new RegExp(
  `^(?:(?:${BUILDING}|\\p{L}*-?(?:toren|tower)\\b.*|t\\.?\\s?/?o\\b.*|[0-9]+(?:e|de|ste))$|$)`,
  "iu",
);
/** `t.o. Kade 12`: opposite of it. */
const OPPOSITE_FIRST = /^(?:t\.?\s?o\.|t\/o|tegenover)\s+/i;
/**
 * A house letter and an addition: `12 a`, `12a-2`. Of words only the usual ones: another belongs to the street's name.
 */
const LETTER = /^\s?([a-z])(?![a-z0-9.])/i;
const ADDITION_WORDS =
  "(?:achter|voor|boven|beneden|onder|tuin)?(?:huis|hoog)|bis|ter|quater|boven|ben(?:eden)?|rood|zwart|achter|voor|links|rechts|bus|tot";
const PART = `(?:[ivx]+|${ADDITION_WORDS}|(?!n[ro]\\b)[a-z]{1,2}|(?=[a-z]*[0-9])[a-z0-9]{1,6}(?:\\.[a-z0-9]{1,5}){0,2})`;
const ADDITION = new RegExp(`^${PART}(?:[\\s/-]+${PART}){0,3}$`, "i");
/** Between the numbers of a range: `12 – 14`, `12+14`, `12 & 14`, `12 t/m 14`, `12 en 14`. */
const RANGE =
  /(?:(?<!\s)\s+)?(?:t\s?\/\s?m|[+&\u2010-\u2015\u2212])\s*|(?<!\s)\s+(?:t\.?e?\.?m\.?|tot|tot en met|en|and)\s+(?=[0-9]|[a-z]$)/gi;
/** The Belgian word for a letter box, in French. */
const FRENCH_BOX = /\b(?:bte|bo[iî]te)\b\.?/gi;
const COMMA_BOX = /,(?=\s*(?:bus|bte|bo[iî]te)\b)/gi;
const UNNUMBERED = /(?<![\s,])[\s,]+(?:ong\.?|ongenummerd|[sz]\/?n\.?)$/i;
/** A whole number as a spreadsheet writes it. */
const DECIMALS = /^[.,]0+(?![0-9a-z])/i;

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

/**
 * A PO box or an Antwoordnummer from its number, in any form.
 * @param street which of the two, if the text does not say
 */
export function postalAddress(text: string, street = PO_BOX_STREET): StreetAndNumber {
  const whole = splitStreet(text);
  return isPostal(whole.street) ? whole : splitStreet(`${street} ${text.replace(/^[^0-9]+/, "")}`);
}

/**
 * Splits `MARKWEG 194`, `Plein 1940 12 a`, `Laan 1940-1945 3-A`, `2e Oosterparkstraat 12 hs`, `Postbus 200` or
 * `Antwoordnummer 123`. The number is the first one after the street's name that is followed only by a letter and an
 * addition; a line without such a number is a street as a whole, and so is a text that is too long for an address.
 * Units and floors are omitted.
 */
export function splitStreet(line: string, onUnplaced: OnUnplaced = () => {}): StreetAndNumber {
  const spaced = line.replace(/\s+/gu, " ").trim();
  if (isTooLong(spaced)) return { street: spaced };
  const text = spaced.replace(/^[\s,;|]+|(?<![\s,;|])[\s,;|]+$/g, "").replace(UNNUMBERED, "");
  const postal = postalLine(text);
  if (postal !== undefined) return postal;
  const [careOf = "", person] = CARE_OF_FIRST.exec(text) ?? [];
  const address = text.slice(careOf.length).replace(BUILDING_FIRST, "").replace(OPPOSITE_FIRST, "");
  if (CARE_OF.test(address)) return { street: text };
  for (const found of address.matchAll(NUMBER)) {
    const number = found[0];
    const before = address.slice(0, found.index);
    const rest = address.slice(found.index + number.length);
    const street = before.replace(BEFORE_NUMBER, "");
    const isStreet = ROAD_CODE.test(street) || (/\p{L}{2}/u.test(street) && !ENDS_IN_UNIT.test(street));
    const canBegin = street !== before && isStreet && /^0*[1-9][0-9]{0,4}$/.test(number);
    if (!canBegin || BEGUN_PERIOD.test(before) || isInName(street, number, rest)) continue;
    const houseNumber = withAddition(number.replace(/^0+/, ""), rest, onUnplaced);
    if (houseNumber === undefined) continue;
    if (person !== undefined) onUnplaced(person);
    return { street, houseNumber };
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
  if (NUMBER_FOLLOWS.test(rest)) return true;
  const isPeriod = (YEAR.test(number) || number === "40") && REST_OF_PERIOD.test(rest);
  if (isPeriod) return YEAR.test(number) || TAKES_YEAR.test(street) || /[0-9]\s+[0-9]/.test(rest);
  const following = FOLLOWING_NUMBER.exec(rest)?.[1];
  if (YEAR.test(number)) return TAKES_YEAR.test(street) || following !== undefined;
  if (following === undefined) return false;
  // `Duinpark 3 46` is number 46, but `Kerkstraat 3 46` is number 3, door 46.
  return NUMBERED_ROAD.test(street) || (following.length > number.length && !STREET_ENDING.test(street));
}

/**
 * The street and number of an address whose lines are in no fixed order: the first line that has both, a street before
 * a PO box; else the first line, with the number of the next one if that has nothing else.
 */
export function splitStreetLines(
  lines: readonly string[],
  onUnplaced: OnUnplaced = () => {},
): StreetAndNumber | undefined {
  const used = lines.map((line) => line.trim()).filter((line) => line !== "");
  const addressed = used.filter((line) => !CARE_OF.test(line) && !BUILDING_LINE.test(line));
  const split = addressed.map((line) => splitStreet(line));
  const complete = split.filter(({ houseNumber }) => houseNumber !== undefined);
  const best = complete.find((line) => kindOf(line) === "visiting") ?? complete[0];
  if (best !== undefined) return splitStreet(addressed[split.indexOf(best)] ?? "", onUnplaced);
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
export function parseHouseNumber(text: string, onUnplaced?: OnUnplaced): string | undefined {
  const found = /^(?:(?:nr|no|nummer|n[°º])\.?\s*|[#№]\s*)?0*([1-9][0-9]{0,4})(?![0-9])(.*)$/i.exec(
    text.trim(),
  );
  return found === null ? undefined : withAddition(found[1] ?? "", found[2] ?? "", onUnplaced);
}

/**
 * The house number with an addition from a field of its own: `12` and `hs` are `12-hs`. A unit or a floor is omitted;
 * undefined when the text is neither.
 */
export function addToNumber(houseNumber: string, addition: string): string | undefined {
  const text = addition.replace(/^[^\p{L}\p{N}]+/u, "");
  if (text === "" || houseNumber.endsWith(`-${text}`)) return houseNumber;
  const unplaced: string[] = [];
  const [, number = "", rest = ""] = /^([0-9]+)(.*)$/s.exec(houseNumber) ?? [];
  const whole = withAddition(number, `${rest}-${text}`, (part) => unplaced.push(part));
  return unplaced.length === 0 ? whole : undefined;
}

/** Joins `12` and ` a-2` to `12a-2`; undefined when `rest` is more than a letter and an addition. */
function withAddition(number: string, rest: string, onUnplaced: OnUnplaced = () => {}): string | undefined {
  const bare = rest.replace(DECIMALS, "").replace(COMMA_BOX, "");
  const behind = BEHIND_NUMBER.exec(bare)?.[0] ?? "";
  const text = bare
    .slice(0, bare.length - behind.length)
    .replace(/(?<![\s.])[\s.]+$/, "")
    .replace(RANGE, "-")
    .replace(/\s?½/g, "-1/2")
    .replace(FRENCH_BOX, "bus");
  const letter = LETTER.exec(text);
  const addition = text.slice(letter?.[0].length ?? 0).replace(/^[\s/.-]+|(?<![\s/.-])[\s/.-]+$/g, "");
  if (addition !== "" && !ADDITION.test(addition)) return undefined;
  for (const part of behind.split(/[,;|()]/)) {
    const trimmed = part.replace(/^[\s-]+/, "").trimEnd();
    if (!LEFT_OUT.test(trimmed)) onUnplaced(trimmed);
  }
  return formatHouseNumber(number, letter?.[1], addition);
}
