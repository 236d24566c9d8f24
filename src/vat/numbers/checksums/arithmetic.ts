/** Methods that the checksums of several states share. */
import { type Checksum, checkFault } from "../fault.ts";

/** The digits of a text that contains nothing else. */
export function digitValues(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0) - 48);
}

/** The sum of each digit times its weight. Digits without a weight are ignored. */
export function weightedSum(digits: readonly number[], weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0);
}

/** Checks that the weighted sum of all digits leaves `remainder`. A failure is reported at the last digit. */
export function checksumRemainder(weights: readonly number[], modulus: number, remainder = 0): Checksum {
  const rule = `weights ${weights.join(", ")} modulo ${modulus} = ${remainder}`;
  return (national) =>
    weightedSum(digitValues(national), weights) % modulus === remainder
      ? undefined
      : checkFault(rule, national.length);
}

/**
 * Checks that the digit after the weighted ones follows from their sum.
 * @param digitOf the digit for a sum; outside 0 to 9 when no digit fits
 */
export function checkDigit(weights: readonly number[], digitOf: (sum: number) => number): Checksum {
  const rule = `check digit by weights ${weights.join(", ")}`;
  return (national) => {
    const digits = digitValues(national);
    return digitOf(weightedSum(digits, weights)) === digits[weights.length]
      ? undefined
      : checkFault(rule, weights.length + 1);
  };
}

/** The Luhn check digit that follows these digits. Source: ISO/IEC 7812-1, annex B. */
export function luhnCheckDigit(digits: string): number {
  return (10 - (luhnSum(`${digits}0`) % 10)) % 10;
}

/** Checks that the first `length` digits end with their Luhn check digit. */
export function luhn(length: number): Checksum {
  return (national) =>
    luhnCheckDigit(national.slice(0, length - 1)) === Number(national.charAt(length - 1))
      ? undefined
      : checkFault("Luhn check digit", length);
}

/** The sum of the digits; from the right every second one is doubled, and 9 subtracted if that is above 9. */
export function luhnSum(digits: string): number {
  return digitValues(digits)
    .reverse()
    .reduce((sum, digit, index) => {
      const value = index % 2 === 1 ? digit * 2 : digit;
      return sum + (value > 9 ? value - 9 : value);
    }, 0);
}

/** Checks the ISO 7064 MOD 11,10 check digit at the end. Source: ISO/IEC 7064:2003, hybrid systems. */
export const mod11And10: Checksum = (national) => {
  let carry = 10;
  for (const digit of digitValues(national.slice(0, -1))) {
    const sum = (carry + digit) % 10 || 10;
    carry = (sum * 2) % 11;
  }
  return (carry + Number(national.slice(-1))) % 10 === 1
    ? undefined
    : checkFault("check digit of ISO 7064 MOD 11,10", national.length);
};

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ+*";

/**
 * A text of `0-9A-Z+*` modulo 97, with each character replaced by its number (A = 10 … Z = 35, + = 36, * = 37). ISO
 * 7064 MOD 97-10 requires 1.
 */
export function remainderBy97(text: string): number {
  return Array.from(text, (character) => ALPHABET.indexOf(character)).reduce(
    (remainder, value) => (remainder * (value > 9 ? 100 : 10) + value) % 97,
    0,
  );
}

const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Whether a day exists. It may be in the future. */
export function isDayOfMonth(year: number, month: number, day: number): boolean {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeapYear ? 29 : (DAYS_OF_MONTH[month - 1] ?? 0);
  return day >= 1 && day <= days;
}
