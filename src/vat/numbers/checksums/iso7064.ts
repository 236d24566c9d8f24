import { type Checksum, checkFault } from "../fault.ts";
import { digitsOf } from "./weights.ts";

/** The check digit of ISO 7064 MOD 11,10 at the end. Source: ISO/IEC 7064:2003, hybrid systems. */
export const mod11And10: Checksum = (national) => {
  let carry = 10;
  for (const digit of digitsOf(national.slice(0, -1))) {
    const sum = (carry + digit) % 10 || 10;
    carry = (sum * 2) % 11;
  }
  return (carry + Number(national.slice(-1))) % 10 === 1
    ? undefined
    : checkFault("check digit of ISO 7064 MOD 11,10", national.length);
};

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ+*";

/**
 * A text of `0-9A-Z+*` modulo 97, each character replaced by its number (A = 10 … Z = 35, + = 36, * = 37) and these
 * written one after the other. ISO 7064 MOD 97-10 holds when 1 is left.
 */
export function remainderBy97(text: string): number {
  return Array.from(text, (character) => ALPHABET.indexOf(character)).reduce(
    (remainder, value) => (remainder * (value > 9 ? 100 : 10) + value) % 97,
    0,
  );
}
