import { isStateCode, type StateCode } from "./states.ts";

/** A VAT number in the one form that everything else works with. Its national form may still be wrong. */
export interface VatNumber {
  readonly countryCode: StateCode;
  /** Without the country code: what VIES calls `vatNumber`. */
  readonly national: string;
  /** Country code and national part. */
  readonly vatNumber: string;
}

/** Text that is no VAT number at all: the caller's mistake. The message holds nothing of the text. */
export interface NotAVatNumber {
  readonly problem: "INVALID_VAT_NUMBER";
  readonly message: string;
}

/** Spaces, dots, slashes, and every dash that a text program may have made of a hyphen. */
const SEPARATORS = /[\s./\p{Dash_Punctuation}\u2212]/gu;
const FORM = /^([A-Z]{2})([A-Z0-9+*]{2,12})$/;

/**
 * Reads a VAT number as people write it. Spaces, dots, dashes and slashes are dropped, letters made large; GR means EL; a Dutch
 * number gets its zeros, an old Belgian one of nine digits and a Greek one of eight get the 0 that they miss.
 * @returns the number, or why it is none: no country code, one that VIES does not serve, one given twice, a character or
 * a length that no VAT number has. Never throws.
 */
export function parseVatNumber(text: string): VatNumber | NotAVatNumber {
  const [, prefix = "", rest = ""] = FORM.exec(compactVat(text)) ?? [];
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
  return { countryCode, national, vatNumber: countryCode + national };
}

/** The text without separators, its letters large. */
export function compactVat(text: string): string {
  // Only a to z: toUpperCase would make other letters into these (ß into SS).
  return text.replace(SEPARATORS, "").replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** Whether the text was a VAT number: tells the two outcomes of `parseVatNumber` apart. */
export function isVatNumber(parsed: VatNumber | NotAVatNumber): parsed is VatNumber {
  return !("problem" in parsed);
}

function refuse(message: string): NotAVatNumber {
  return { problem: "INVALID_VAT_NUMBER", message };
}

function isPrefix(letters: string, countryCode: StateCode): boolean {
  return letters === countryCode || (letters === "GR" && countryCode === "EL");
}

/** A French number may begin with any two letters but I and O, so also with FR. */
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
