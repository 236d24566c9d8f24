import { type Checksum, checkFault, type Fault, partFault } from "../fault.ts";
import { isDay } from "./birthDate.ts";
import { digitsOf, sumLeaves, weightedSum } from "./weights.ts";

/**
 * Lithuania: nine digits of a company or twelve of another person; the last but one is 1, the last follows from weights 1 to 9
 * over and over, begun two later when the first sum leaves 10. Source: python-stdnum `stdnum/lt/pvm.py`.
 */
export const lithuania: Checksum = (national) => {
  const last = national.length;
  if (national.charAt(last - 2) !== "1") {
    return partFault("kind of number", last - 1, "the last digit but one is always 1");
  }
  const digits = digitsOf(national);
  const remainder = (begun: number) =>
    weightedSum(
      digits,
      Array.from({ length: last - 1 }, (_, index) => 1 + ((index + begun) % 9)),
    ) % 11;
  const first = remainder(0);
  return (first === 10 ? remainder(2) % 10 : first) === digits[last - 1]
    ? undefined
    : checkFault("check digit by weights 1 to 9, then 3 to 9", last);
};

const isLatvianCompany = sumLeaves([9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1], 11, 3);

/**
 * Latvia: a company's number begins with 4 to 9; a person's is DDMMYY, the century and four digits, or begins with 32 since
 * 2017. Source: python-stdnum `stdnum/lv/pvn.py`, whose author calls the rule for persons unconfirmed.
 */
export const latvia: Checksum = (national) =>
  national.charAt(0) > "3" ? isLatvianCompany(national) : latvianPerson(national);

function latvianPerson(national: string): Fault | undefined {
  const [day, month, year] = [0, 2, 4].map((at) => Number(national.slice(at, at + 2)));
  const century = 1800 + 100 * Number(national.charAt(6));
  if (!national.startsWith("32") && !isDay(century + (year ?? 0), month ?? 0, day ?? 0)) {
    return partFault("date of birth", 1, "the first six digits are no date of birth");
  }
  const digits = digitsOf(national);
  const check = ((1 + weightedSum(digits, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11) % 10;
  return check === digits[10] ? undefined : checkFault("check digit of a Latvian person", 11);
}
