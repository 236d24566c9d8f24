import { checkVatNumber, type VatCheck } from "./check.ts";
import { isStateCode, type StateCode } from "./states.ts";

/** A VAT number in normal form. Its national form may still be wrong. */
export interface VatNumber {
  readonly countryCode: StateCode;
  /** Without the country code; VIES calls it `vatNumber`. */
  readonly national: string;
  /** Country code and national part. */
  readonly vatNumber: string;
}

/** A VAT number with the result of the rules of its state. */
export interface CheckedVatNumber extends VatNumber {
  readonly check: VatCheck;
}

/** Text that is not a VAT number. The message contains no part of the text. */
export interface NotAVatNumber {
  readonly problem: "INVALID_VAT_NUMBER";
  readonly message: string;
}

/**
 * Characters that people and programs put into a number: spaces, punctuation (`DE: 136,695 976`, `BE (0)403.019.261`),
 * all dashes and slashes of word processors, and invisible ones such as zero-width spaces and soft hyphens.
 */
const SEPARATORS =
  /[\s.,:;·_|/\\'’"()\p{Dash_Punctuation}\u2212\u2044\u2215\p{Default_Ignorable_Code_Point}]/gu;
const FORM = /^([A-Z]{2})([A-Z0-9+*]{2,12})$/;

/**
 * Reads a VAT number as people write it. Removes separators, and each `+` that stands for a space; puts letters into
 * upper case; replaces GR by EL; adds the leading zeros of a Dutch number, and the missing 0 of an old Belgian number
 * of nine digits or a Greek one of eight.
 * @returns the number, or the reason why it is not one: no country code, one that VIES does not serve or one given
 * twice, a character or a length that no VAT number has. Never throws.
 */
export function parseVatNumber(text: string): CheckedVatNumber | NotAVatNumber {
  const [, prefix = "", rest = ""] = FORM.exec(withoutBlanks(compactVat(text))) ?? [];
  if (prefix === "") {
    return refuse(
      "A VAT number is the country code (two letters, such as NL) and 2 to 12 digits, letters, + or *, and nothing else.",
    );
  }
  const countryCode = prefix === "GR" ? "EL" : prefix;
  if (countryCode === "GB") {
    return refuse("VIES serves no numbers of Great Britain since 2021, only those of Northern Ireland (XI).");
  }
  if (!isStateCode(countryCode)) {
    return refuse("VIES does not serve this country code: it knows the 27 EU states (Greece as EL) and XI.");
  }
  if (isPrefix(rest.slice(0, 2), countryCode) && !isFrenchKey(countryCode, rest)) {
    return refuse("The country code stands there twice: give it once.");
  }
  const national = completed(countryCode, rest);
  const number = { countryCode, national, vatNumber: countryCode + national };
  return { ...number, check: checkVatNumber(number) };
}

/** The text without separators, in upper case. */
export function compactVat(text: string): string {
  // Only a to z: toUpperCase would turn other letters into them (ß into SS).
  return text.replace(SEPARATORS, "").replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** An Irish number with a `+` after its first digit; there may be more between the letters and at the end. */
const IRISH_WITH_PLUS = /^\+*I\+*E\+*([0-9])\+([0-9+]*[A-Z])\+*$/;
const OLD_IRISH = /^[0-9]{5}[A-Z]$/;
/** The form of all Dutch numbers issued so far, possibly without leading zeros. */
const DUTCH = /^NL[0-9]{1,9}B[0-9]{2}$/;

/**
 * The text without each `+` that stands for a space, as some programs encode it in a path. Irish numbers from before
 * 2013 can contain a `+` in the second place, and so can announced Dutch ones.
 */
function withoutBlanks(compact: string): string {
  const plain = compact.replaceAll("+", "");
  if (plain.startsWith("IE")) {
    const [, first = "", rest = ""] = IRISH_WITH_PLUS.exec(compact) ?? [];
    const others = rest.replaceAll("+", "");
    return OLD_IRISH.test(others) ? `IE${first}+${others}` : plain;
  }
  return plain.startsWith("NL") && !DUTCH.test(plain) ? compact : plain;
}

/** Whether `parseVatNumber` returned a number. */
export function isVatNumber(parsed: CheckedVatNumber | NotAVatNumber): parsed is CheckedVatNumber {
  return !("problem" in parsed);
}

function refuse(message: string): NotAVatNumber {
  return { problem: "INVALID_VAT_NUMBER", message };
}

function isPrefix(letters: string, countryCode: StateCode): boolean {
  return letters === countryCode || (letters === "GR" && countryCode === "EL");
}

/** A French number can start with any two letters except I and O, so also with FR. */
function isFrenchKey(countryCode: StateCode, rest: string): boolean {
  return countryCode === "FR" && /^..[0-9]{9}$/.test(rest);
}

function completed(countryCode: StateCode, rest: string): string {
  if (countryCode === "NL")
    return rest.replace(/^[0-9]{1,8}(?=B[0-9]{2}$)/, (digits) => digits.padStart(9, "0"));
  if (countryCode === "BE" && /^[0-9]{9}$/.test(rest)) return `0${rest}`;
  if (countryCode === "EL" && /^[0-9]{8}$/.test(rest)) return `0${rest}`;
  return rest;
}
