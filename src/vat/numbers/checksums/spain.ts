import { type Checksum, checkFault, type Fault, partFault } from "../fault.ts";
import { luhnCheckDigit } from "./luhn.ts";

const PERSON_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";
const COMPANY_LETTERS = "JABCDEFGHI";
/** Letters that stand for a leading digit of a foreigner's number. */
const FOREIGNERS = "XYZ";
/** Spaniards without a DNI of their own: children, those who live abroad, others. */
const SPECIAL_PERSONS = "KLM";
const COMPANIES = "ABCDEFGHJNPQRSUVW";

/**
 * Spain (NIF): of a person the last letter is the number modulo 23 in a table; of a company the last place is the Luhn digit
 * of the seven before it, or the letter that stands for that digit.
 * Source: Orden EHA/451/2008; python-stdnum `stdnum/es/nif.py`, `dni.py`, `nie.py`, `cif.py`.
 */
export const spain: Checksum = (national) => {
  const first = national.charAt(0);
  if (first >= "0" && first <= "9") return person(national.slice(0, 8), national);
  const foreigner = FOREIGNERS.indexOf(first);
  if (foreigner !== -1) return person(`${foreigner}${national.slice(1, 8)}`, national);
  if (SPECIAL_PERSONS.includes(first)) return person(national.slice(1, 8), national);
  if (COMPANIES.includes(first)) return company(national);
  return partFault("kind of person", 1, "no Spanish number begins with this letter");
};

function person(number: string, national: string): Fault | undefined {
  return PERSON_LETTERS.charAt(Number(number) % 23) === national.charAt(8)
    ? undefined
    : checkFault("check letter by the number modulo 23", 9);
}

function company(national: string): Fault | undefined {
  const digit = luhnCheckDigit(national.slice(1, 8));
  return [String(digit), COMPANY_LETTERS.charAt(digit)].includes(national.charAt(8))
    ? undefined
    : checkFault("Luhn check digit or its letter", 9);
}
