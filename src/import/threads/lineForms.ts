/** The forms that texts of a line must have, by their bytes: those of the contract's schemas. */
import { COUNTRY_CODES } from "../../company/country.ts";
import { isRealDay } from "../../company/dates.ts";
import { LEGAL_FORM_CODES } from "../../contract/legalForms.ts";
import { numberAt, type Span } from "../../snapshot/incoming/factsSpans.ts";

const ZERO = 0x30;
const NINE = 0x39;
const DASH = 0x2d;

export function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

export function areDigits(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isDigit(bytes[at] ?? 0)) return false;
  return true;
}

export function isTextAt(bytes: Uint8Array, { from, to }: Span, text: Uint8Array): boolean {
  if (to - from !== text.length) return false;
  for (let nth = 0; nth < text.length; nth++) if (bytes[from + nth] !== text[nth]) return false;
  return true;
}

function isCapital(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}

/** `1234 AB`, or nothing. */
export function isPostalCodeAt(bytes: Uint8Array, { from, to }: Span): boolean {
  if (from === to) return true;
  if (to - from !== 7 || bytes[from + 4] !== 0x20 || !areDigits(bytes, from, from + 4)) return false;
  return isCapital(bytes[from + 5] ?? 0) && isCapital(bytes[from + 6] ?? 0);
}

/** `NL` or another code that is assigned, or nothing. */
export function isCountryAt(bytes: Uint8Array, { from, to }: Span): boolean {
  return from === to || (to - from === 2 && COUNTRIES.has(lettersAt(bytes, from, to)));
}

/** Two letters and two to twelve of `A-Z0-9+*`. */
export function isVatNumber(bytes: Uint8Array, { from, to }: Span): boolean {
  if (to - from < 4 || to - from > 14) return false;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0;
    if (isCapital(byte)) continue;
    if (at < from + 2 || !(isDigit(byte) || byte === 0x2a || byte === 0x2b)) return false;
  }
  return true;
}

/** A day that exists, as YYYY-MM-DD. */
export function isDayAt(bytes: Uint8Array, { from, to }: Span): boolean {
  if (to - from !== 10 || bytes[from + 4] !== DASH || bytes[from + 7] !== DASH) return false;
  if (!areDigits(bytes, from, from + 4) || !areDigits(bytes, from + 5, from + 7)) return false;
  if (!areDigits(bytes, from + 8, to)) return false;
  const part = (start: number, end: number) => numberAt(bytes, { from: start, to: end });
  return isRealDay(part(from, from + 4), part(from + 5, from + 7), part(from + 8, to));
}

/** The number of a legal form, see `formNumber`; 0 for what is none. */
export function formAt(bytes: Uint8Array, { from, to }: Span): number {
  return to - from > LONGEST_FORM ? 0 : (FORMS.get(lettersAt(bytes, from, to)) ?? 0);
}

/** A few letters as one number. */
function lettersAt(bytes: Uint8Array, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) number = number * 256 + (bytes[at] ?? 0);
  return number;
}

const COUNTRIES = new Set([...COUNTRY_CODES].map((code) => lettersAt(Buffer.from(code), 0, code.length)));
const LONGEST_FORM = Math.max(...LEGAL_FORM_CODES.map((code) => code.length));
const FORMS = new Map(
  LEGAL_FORM_CODES.map((code, nth) => [lettersAt(Buffer.from(code), 0, code.length), nth + 1]),
);
