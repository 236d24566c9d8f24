import { type Checksum, checkFault } from "../fault.ts";

/** The digits of a text that holds nothing else. */
export function digitsOf(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0) - 48);
}

/** Each digit times its weight, summed. Digits beyond the weights are left out. */
export function weightedSum(digits: readonly number[], weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0);
}

/** The weighted sum of all digits leaves `remainder`. The last digit is told as the one that does not fit. */
export function sumLeaves(weights: readonly number[], modulus: number, remainder = 0): Checksum {
  const rule = `weights ${weights.join(", ")} modulo ${modulus} = ${remainder}`;
  return (national) =>
    weightedSum(digitsOf(national), weights) % modulus === remainder
      ? undefined
      : checkFault(rule, national.length);
}

/**
 * The digit after the weighted ones follows from their sum.
 * @param digitOf the digit for a sum; none of 0 to 9 when no digit fits such a sum
 */
export function checkDigit(weights: readonly number[], digitOf: (sum: number) => number): Checksum {
  const rule = `check digit by weights ${weights.join(", ")}`;
  return (national) => {
    const digits = digitsOf(national);
    return digitOf(weightedSum(digits, weights)) === digits[weights.length]
      ? undefined
      : checkFault(rule, weights.length + 1);
  };
}
