/** A KVK number: exactly eight digits, as text because leading zeros count. */
export type KvkNumber = string & { readonly __brand: "KvkNumber" };

const KVK_NUMBER = /^[0-9]{8}$/;

/** The eight digits as a KVK number, or undefined when `text` is anything else. Nothing is trimmed or padded. */
export function parseKvkNumber(text: string): KvkNumber | undefined {
  return isKvkNumber(text) ? text : undefined;
}

export function isKvkNumber(text: string): text is KvkNumber {
  return KVK_NUMBER.test(text);
}

/**
 * Eight digits that no company has, used by files and programs for an unknown number. Other unusual numbers may be
 * real.
 */
export const PLACEHOLDER_KVK_NUMBER = "00000000";

/** The KVK number that was stored as a whole number, with its leading zeros. @throws {RangeError} for other numbers */
export function kvkNumberOf(wholeNumber: number): KvkNumber {
  const kvkNumber = parseKvkNumber(String(wholeNumber).padStart(8, "0"));
  if (kvkNumber === undefined) throw new RangeError("a row of the snapshot has an invalid KVK number");
  return kvkNumber;
}

/**
 * A KVK number of seven digits has most likely passed through a spreadsheet, or a program that treated it as a number.
 */
export const LOST_ZERO = { pattern: "^[0-9]{7}$", hint: "a leading zero may have been lost" } as const;
const SEVEN_DIGITS = new RegExp(LOST_ZERO.pattern);

/** A hint to append to the message about an invalid KVK number; may be empty. */
export function lostZeroHint(text: string): string {
  return SEVEN_DIGITS.test(text) ? `; ${LOST_ZERO.hint}` : "";
}

/** An RSIN: nine digits, the tax authority's number of a legal person. */
export const RSIN_PATTERN = "^[0-9]{9}$";
/** The VAT number of a legal person that is not in a fiscal unit. */
export function vatNumberOfRsin(rsin: string): string {
  return `NL${rsin}B01`;
}

/** A branch number (vestigingsnummer): twelve digits. */
export const BRANCH_NUMBER_PATTERN = "^[0-9]{12}$";
export const KVK_NUMBER_PATTERN = "^[0-9]{8}$";

/**
 * The weighted sum that KVK numbers from 50000000 on satisfy (weights 8..1, modulo 11 = 0). Measured on public lists,
 * not documented by KVK, and older numbers fail it at chance level: a hint, never a reason to refuse a number.
 */
export function passesKvkCheck(kvkNumber: KvkNumber): boolean {
  let sum = 0;
  for (let index = 0; index < 8; index++) sum += (8 - index) * (kvkNumber.charCodeAt(index) - 48);
  return sum % 11 === 0;
}

/**
 * The elfproef of nine digits as the Dutch tax authority applies it to an RSIN:
 * 9·d1 + 8·d2 + … + 2·d8 − d9 ≡ 0 (mod 11), all zeros excluded.
 */
export function passesElfproef(nineDigits: string): boolean {
  if (!/^[0-9]{9}$/.test(nineDigits) || nineDigits === "000000000") return false;
  let sum = -(nineDigits.charCodeAt(8) - 48);
  for (let index = 0; index < 8; index++) sum += (9 - index) * (nineDigits.charCodeAt(index) - 48);
  return sum % 11 === 0;
}

/**
 * The digits of an SBI code: `4711` for `47.11`, a spreadsheet's `4711.0` and `47,11`; `0113` for `1.13`, which lost
 * its zero. Undefined for other texts.
 */
export function parseSbiCode(text: string): string | undefined {
  const code = text
    .trim()
    .replace(",", ".")
    .replace(/(?<=^[0-9]{4,6})[.]0+$/, "");
  const digits = code.replace(/^(?=[0-9][.][0-9]{2}(?:[.]|$))/, "0").replaceAll(".", "");
  return /^[0-9]{2,6}$/.test(digits) ? digits : undefined;
}

export const EUID_PATTERN = "^NLNHR\\.[0-9]{8}$";
/** Also without its dot. `NLNHR` is the Dutch trade register in the European system of business registers (BRIS). */
const EUID = /^NLNHR\.?([0-9]{8})$/;

export function euidOf(kvkNumber: string): string {
  return `NLNHR.${kvkNumber}`;
}

/** The KVK number in a Dutch EUID, whose case, spaces and dot are ignored. Undefined for other texts. */
export function kvkNumberOfEuid(text: string): KvkNumber | undefined {
  return parseKvkNumber(EUID.exec(compact(text))?.[1] ?? "");
}

export const LEI_PATTERN = "^[A-Z0-9]{18}[0-9]{2}$";
const LEI = new RegExp(LEI_PATTERN);

/** The rules for identifiers that callers send, for errors. */
export const IDENTIFIER_RULES = {
  lei: "an LEI: 20 letters and digits with the right check digits",
  euid: "a Dutch EUID: NLNHR. and eight digits",
} as const;

/** An LEI in capitals without spaces. Undefined when its form or its check digits are wrong. */
export function parseLei(text: string): string | undefined {
  const lei = compact(text);
  return LEI.test(lei) && hasCheckDigits(lei) ? lei : undefined;
}

/** Longer than either identifier with spaces. */
const MAX_LENGTH = 60;

function compact(text: string): string {
  return text.length > MAX_LENGTH ? "" : text.replace(/\s/g, "").toUpperCase();
}

/** ISO 17442: with A = 10 to Z = 35, the number is 1 modulo 97. */
function hasCheckDigits(lei: string): boolean {
  let rest = 0;
  for (const letter of lei) {
    const value = Number.parseInt(letter, 36);
    rest = (rest * (value < 10 ? 10 : 100) + value) % 97;
  }
  return rest === 1;
}
