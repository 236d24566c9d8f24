import { type Checksum, checkFault } from "../fault.ts";
import { digitsOf } from "./weights.ts";

/**
 * The Luhn check digit that goes behind these digits: with it, every second digit from the right is doubled (and the digits
 * of that added), and the sum is a multiple of ten. Source: ISO/IEC 7812-1, annex B.
 */
export function luhnCheckDigit(digits: string): number {
  return (10 - (luhnSum(`${digits}0`) % 10)) % 10;
}

/** The digits from the start up to and with position `length` end with their Luhn digit. */
export function luhn(length: number): Checksum {
  return (national) =>
    luhnCheckDigit(national.slice(0, length - 1)) === Number(national.charAt(length - 1))
      ? undefined
      : checkFault("Luhn check digit", length);
}

/**
 * Austria: the Luhn sum of the seven digits after `U`, with 4 added, is filled up to a multiple of ten.
 * Source: Bundesministerium für Finanzen, construction of the UID; python-stdnum `stdnum/at/uid.py`.
 */
export const austria: Checksum = (national) =>
  (10 - ((luhnSum(national.slice(1, 8)) + 4) % 10)) % 10 === Number(national.charAt(8))
    ? undefined
    : checkFault("check digit by the Luhn sum and 4", 9);

/** The digits summed, from the right every second one doubled and, above 9, its two digits added. */
function luhnSum(digits: string): number {
  return digitsOf(digits)
    .reverse()
    .reduce((sum, digit, index) => sum + (index % 2 === 1 ? doubled(digit) : digit), 0);
}

function doubled(digit: number): number {
  return digit > 4 ? digit * 2 - 9 : digit * 2;
}
