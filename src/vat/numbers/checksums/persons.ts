/** Checksums of states whose numbers may be personal: with a date of birth, or a citizen number. */
import { type Checksum, checkFault, type NumberFault, partFault } from "../fault.ts";
import { checksumRemainder, digitValues, isDayOfMonth, luhnCheckDigit, weightedSum } from "./arithmetic.ts";

/**
 * Bulgaria: nine digits for a company (BULSTAT); ten for a citizen (EGN), a foreigner (LNCh) or another person, which
 * must pass one of three rules. Source: python-stdnum `stdnum/bg/vat.py`, `egn.py`, `pnf.py`.
 */
export const bulgaria: Checksum = (national) => {
  if (national.length === 9) {
    return isBulgarianCompany(national) ? undefined : checkFault("check digit of a Bulgarian company", 9);
  }
  return isCitizen(national) || isForeigner(national) || isOther(national)
    ? undefined
    : checkFault("check digit of a Bulgarian citizen, foreigner or other person", 10);
};

function isBulgarianCompany(national: string): boolean {
  const digits = digitValues(national);
  const first = weightedSum(digits, [1, 2, 3, 4, 5, 6, 7, 8]) % 11;
  const check = first === 10 ? (weightedSum(digits, [3, 4, 5, 6, 7, 8, 9, 10]) % 11) % 10 : first;
  return check === digits[8];
}

/** The month has 20 added for births before 1900, and 40 for births after 1999. */
function isCitizen(national: string): boolean {
  const [year, codedMonth, day] = [0, 2, 4].map((at) => Number(national.slice(at, at + 2)));
  const [century, added] = centuryOf(codedMonth ?? 0);
  if (!isDayOfMonth(century + (year ?? 0), (codedMonth ?? 0) - added, day ?? 0)) return false;
  const digits = digitValues(national);
  return (weightedSum(digits, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === digits[9];
}

function centuryOf(codedMonth: number): readonly [century: number, added: number] {
  if (codedMonth > 40) return [2000, 40];
  return codedMonth > 20 ? [1800, 20] : [1900, 0];
}

function isForeigner(national: string): boolean {
  const digits = digitValues(national);
  return weightedSum(digits, [21, 19, 17, 13, 11, 9, 7, 3, 1]) % 10 === digits[9];
}

function isOther(national: string): boolean {
  const digits = digitValues(national);
  return (11 - (weightedSum(digits, [4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === digits[9];
}

const CZECH_WEIGHTS = [8, 7, 6, 5, 4, 3, 2] as const;

/**
 * Czechia: eight digits for a company, nine that start with 6 for special cases, otherwise a birth number (rodné
 * číslo). Source: python-stdnum `stdnum/cz/dic.py`, `rc.py`.
 */
export const czechia: Checksum = (national) => {
  if (national.length === 8) return czechCompany(national);
  return national.length === 9 && national.startsWith("6") ? czechSpecial(national) : birthNumber(national);
};

function czechCompany(national: string): NumberFault | undefined {
  if (national.startsWith("9")) {
    return partFault("kind of number", 1, "no Czech company's number begins with 9");
  }
  const digits = digitValues(national);
  const check = (11 - (weightedSum(digits, CZECH_WEIGHTS) % 11)) % 11;
  return (check || 1) % 10 === digits[7] ? undefined : checkFault("check digit of a Czech company", 8);
}

function czechSpecial(national: string): NumberFault | undefined {
  const digits = digitValues(national);
  const remainder = weightedSum(digits.slice(1), CZECH_WEIGHTS) % 11;
  // 18 instead of the rule's 8, so that the result is not negative.
  return (18 - (10 - remainder)) % 10 === digits[8]
    ? undefined
    : checkFault("check digit of a Czech special number", 9);
}

/**
 * YYMMDD and three digits until 1953, four since then. Women have 50 added to the month; 20 more are added when the
 * numbers of a day are used up.
 */
function birthNumber(national: string): NumberFault | undefined {
  const [twoDigits, month, day] = [0, 2, 4].map((at) => Number(national.slice(at, at + 2)));
  const year = bornIn(twoDigits ?? 0, national.length);
  if (year === undefined) {
    return partFault("length of a birth number", 1, "who was born after 1953 has a number of ten digits");
  }
  if (!isDayOfMonth(year, ((month ?? 0) % 50) % 20, day ?? 0)) {
    return partFault("date of birth", 1, "the first six digits are no date of birth");
  }
  if (national.length === 9) return undefined;
  return (Number(national.slice(0, 9)) % 11) % 10 === Number(national.charAt(9))
    ? undefined
    : checkFault("first nine digits modulo 11", 10);
}

/** The year of birth; undefined if a number of that year is longer. */
function bornIn(twoDigits: number, length: number): number | undefined {
  if (length === 10) return twoDigits < 54 ? 2000 + twoDigits : 1900 + twoDigits;
  if (twoDigits >= 80) return 1800 + twoDigits;
  return twoDigits > 53 ? undefined : 1900 + twoDigits;
}

const SLOVAK_COMPANY = /^[1-9][0-9][234789]/;

/**
 * Slovakia: a multiple of 11 without a leading zero and with 2, 3, 4, 7, 8 or 9 in the third place, or a birth number
 * as in Czechia. Source: python-stdnum `stdnum/sk/dph.py`, whose author calls the latter unclear.
 */
export const slovakia: Checksum = (national) => {
  if (birthNumber(national) === undefined) return undefined;
  if (!SLOVAK_COMPANY.test(national)) {
    return partFault("kind of number", 3, "a Slovak company has 2, 3, 4, 7, 8 or 9 there, and no 0 in front");
  }
  return Number(national) % 11 === 0 ? undefined : checkFault("multiple of 11", 10);
};

/**
 * Lithuania: nine digits for a company, twelve for others. The last but one is 1, the last follows from the repeated
 * weights 1 to 9, which start at 3 when the first sum leaves 10. Source: python-stdnum `stdnum/lt/pvm.py`.
 */
export const lithuania: Checksum = (national) => {
  const last = national.length;
  if (national.charAt(last - 2) !== "1") {
    return partFault("kind of number", last - 1, "the last digit but one is always 1");
  }
  const digits = digitValues(national);
  const remainder = (start: number) =>
    weightedSum(
      digits,
      Array.from({ length: last - 1 }, (_, index) => 1 + ((index + start) % 9)),
    ) % 11;
  const first = remainder(0);
  return (first === 10 ? remainder(2) % 10 : first) === digits[last - 1]
    ? undefined
    : checkFault("check digit by weights 1 to 9, then 3 to 9", last);
};

const isLatvianCompany = checksumRemainder([9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1], 11, 3);

/**
 * Latvia: a company's number starts with 4 to 9; a person's is DDMMYY, the century and four digits, or starts with 32
 * since
 * 2017. Source: python-stdnum `stdnum/lv/pvn.py`, whose author calls the rule for persons unconfirmed.
 */
export const latvia: Checksum = (national) =>
  national.charAt(0) > "3" ? isLatvianCompany(national) : latvianPerson(national);

function latvianPerson(national: string): NumberFault | undefined {
  const [day, month, year] = [0, 2, 4].map((at) => Number(national.slice(at, at + 2)));
  const century = 1800 + 100 * Number(national.charAt(6));
  if (!national.startsWith("32") && !isDayOfMonth(century + (year ?? 0), month ?? 0, day ?? 0)) {
    return partFault("date of birth", 1, "the first six digits are no date of birth");
  }
  const digits = digitValues(national);
  const check = ((1 + weightedSum(digits, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11) % 10;
  return check === digits[10] ? undefined : checkFault("check digit of a Latvian person", 11);
}

const SPANISH_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";
const SPANISH_COMPANY_LETTERS = "JABCDEFGHI";
/** Letters that replace the first digit of a foreigner's number. */
const FOREIGNERS = "XYZ";
/** Spaniards without a DNI: children, residents abroad and others. */
const SPECIAL_PERSONS = "KLM";
const SPANISH_COMPANIES = "ABCDEFGHJNPQRSUVW";

/**
 * Spain (NIF): for a person the last letter is the number modulo 23 in a table; for a company the last character is the
 * Luhn digit of the seven before it, or the letter of that digit. Source: Orden EHA/451/2008; python-stdnum
 * `stdnum/es/nif.py`, `dni.py`, `nie.py`, `cif.py`.
 */
export const spain: Checksum = (national) => {
  const first = national.charAt(0);
  if (first >= "0" && first <= "9") return spanishPerson(national.slice(0, 8), national);
  const foreigner = FOREIGNERS.indexOf(first);
  if (foreigner !== -1) return spanishPerson(`${foreigner}${national.slice(1, 8)}`, national);
  if (SPECIAL_PERSONS.includes(first)) return spanishPerson(national.slice(1, 8), national);
  if (SPANISH_COMPANIES.includes(first)) return spanishCompany(national);
  return partFault("kind of person", 1, "no Spanish number begins with this letter");
};

function spanishPerson(number: string, national: string): NumberFault | undefined {
  return SPANISH_LETTERS.charAt(Number(number) % 23) === national.charAt(8)
    ? undefined
    : checkFault("check letter by the number modulo 23", 9);
}

function spanishCompany(national: string): NumberFault | undefined {
  const digit = luhnCheckDigit(national.slice(1, 8));
  return [String(digit), SPANISH_COMPANY_LETTERS.charAt(digit)].includes(national.charAt(8))
    ? undefined
    : checkFault("Luhn check digit or its letter", 9);
}
