import { type Checksum, checkFault, partFault } from "../fault.ts";
import { birthNumber } from "./czechia.ts";

/** A number as issued to a company. */
const COMPANY = /^[1-9][0-9][234789]/;

/**
 * Slovakia: the whole number is a multiple of 11; no leading zero, and 2, 3, 4, 7, 8 or 9 in the third place. A person's birth number (rodné
 * číslo), which is made as in Czechia, passes as well. Source: python-stdnum `stdnum/sk/dph.py`, whose author calls the latter unclear.
 */
export const slovakia: Checksum = (national) => {
  if (birthNumber(national) === undefined) return undefined;
  if (!COMPANY.test(national)) {
    return partFault("kind of number", 3, "a Slovak company has 2, 3, 4, 7, 8 or 9 there, and no 0 in front");
  }
  return Number(national) % 11 === 0 ? undefined : checkFault("multiple of 11", 10);
};
