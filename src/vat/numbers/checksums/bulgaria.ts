import { type Checksum, checkFault } from "../fault.ts";
import { isDay } from "./birthDate.ts";
import { digitsOf, weightedSum } from "./weights.ts";

/**
 * Bulgaria: nine digits are a company (BULSTAT); ten are a citizen (EGN), a foreigner (LNCh) or another person, and one of
 * these three rules must hold. Source: python-stdnum `stdnum/bg/vat.py`, `egn.py`, `pnf.py`.
 */
export const bulgaria: Checksum = (national) => {
  if (national.length === 9) {
    return isCompany(national) ? undefined : checkFault("check digit of a Bulgarian company", 9);
  }
  return isCitizen(national) || isForeigner(national) || isOther(national)
    ? undefined
    : checkFault("check digit of a Bulgarian citizen, foreigner or other person", 10);
};

function isCompany(national: string): boolean {
  const digits = digitsOf(national);
  const first = weightedSum(digits, [1, 2, 3, 4, 5, 6, 7, 8]) % 11;
  const check = first === 10 ? (weightedSum(digits, [3, 4, 5, 6, 7, 8, 9, 10]) % 11) % 10 : first;
  return check === digits[8];
}

/** Twenty is added to the month of who was born before 1900, forty to that of who was born after 1999. */
function isCitizen(national: string): boolean {
  const [year, codedMonth, day] = [0, 2, 4].map((at) => Number(national.slice(at, at + 2)));
  const [century, added] = centuryOf(codedMonth ?? 0);
  if (!isDay(century + (year ?? 0), (codedMonth ?? 0) - added, day ?? 0)) return false;
  const digits = digitsOf(national);
  return (weightedSum(digits, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === digits[9];
}

function centuryOf(codedMonth: number): readonly [century: number, added: number] {
  if (codedMonth > 40) return [2000, 40];
  return codedMonth > 20 ? [1800, 20] : [1900, 0];
}

function isForeigner(national: string): boolean {
  const digits = digitsOf(national);
  return weightedSum(digits, [21, 19, 17, 13, 11, 9, 7, 3, 1]) % 10 === digits[9];
}

function isOther(national: string): boolean {
  const digits = digitsOf(national);
  return (11 - (weightedSum(digits, [4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === digits[9];
}
