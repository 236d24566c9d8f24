import { type Checksum, checkFault, partFault } from "../fault.ts";
import { digitsOf, weightedSum } from "./weights.ts";

/** The check letters, each at the place of its value. */
const CHECK_LETTERS = "WABCDEFGHIJKLMNOPQRSTUV";

/**
 * Ireland: seven digits weighted 8 to 2, plus nine times the value of a second letter, modulo 23 give the check letter. Old
 * numbers with a letter or sign in the second place count as 0, digits 3 to 7, digit 1.
 * Source: python-stdnum `stdnum/ie/vat.py`.
 */
export const ireland: Checksum = (national) => {
  const isOld = !/^[0-9]{2}/.test(national);
  const digits = isOld ? `0${national.slice(2, 7)}${national.charAt(0)}` : national.slice(0, 7);
  const second = national.length === 9 ? CHECK_LETTERS.indexOf(national.charAt(8)) : 0;
  if (second === -1) return partFault("second letter", 9, "the second letter is one from A to W");
  const sum = weightedSum(digitsOf(digits), [8, 7, 6, 5, 4, 3, 2]) + 9 * second;
  return CHECK_LETTERS.charAt(sum % 23) === national.charAt(7)
    ? undefined
    : checkFault("check letter by weights 8 to 2 modulo 23", 8);
};
