import { type Checksum, checkFault, type Fault, partFault } from "../fault.ts";
import { isDay } from "./birthDate.ts";
import { digitsOf, weightedSum } from "./weights.ts";

const WEIGHTS = [8, 7, 6, 5, 4, 3, 2] as const;

/**
 * Czechia: eight digits are a company, nine that begin with 6 a special case, others a person's birth number (rodné číslo).
 * Source: python-stdnum `stdnum/cz/dic.py`, `rc.py`.
 */
export const czechia: Checksum = (national) => {
  if (national.length === 8) return company(national);
  return national.length === 9 && national.startsWith("6") ? special(national) : birthNumber(national);
};

function company(national: string): Fault | undefined {
  if (national.startsWith("9")) {
    return partFault("kind of number", 1, "no Czech company's number begins with 9");
  }
  const digits = digitsOf(national);
  const check = (11 - (weightedSum(digits, WEIGHTS) % 11)) % 11;
  return (check || 1) % 10 === digits[7] ? undefined : checkFault("check digit of a Czech company", 8);
}

function special(national: string): Fault | undefined {
  const digits = digitsOf(national);
  const remainder = weightedSum(digits.slice(1), WEIGHTS) % 11;
  // Ten more than the rule says, since a remainder below zero is not meant.
  return (18 - (10 - remainder)) % 10 === digits[8]
    ? undefined
    : checkFault("check digit of a Czech special number", 9);
}

/**
 * YYMMDD and three digits until 1953, four since then. Women have 50 added to the month; 20 more when a day's numbers were
 * used up.
 */
export function birthNumber(national: string): Fault | undefined {
  const [twoDigits, month, day] = [0, 2, 4].map((at) => Number(national.slice(at, at + 2)));
  const year = bornIn(twoDigits ?? 0, national.length);
  if (year === undefined) {
    return partFault("length of a birth number", 1, "who was born after 1953 has a number of ten digits");
  }
  if (!isDay(year, ((month ?? 0) % 50) % 20, day ?? 0)) {
    return partFault("date of birth", 1, "the first six digits are no date of birth");
  }
  if (national.length === 9) return undefined;
  return (Number(national.slice(0, 9)) % 11) % 10 === Number(national.charAt(9))
    ? undefined
    : checkFault("first nine digits modulo 11", 10);
}

/** The year of birth, or undefined when nobody of that year has so few digits. */
function bornIn(twoDigits: number, length: number): number | undefined {
  if (length === 10) return twoDigits < 54 ? 2000 + twoDigits : 1900 + twoDigits;
  if (twoDigits >= 80) return 1800 + twoDigits;
  return twoDigits > 53 ? undefined : 1900 + twoDigits;
}
