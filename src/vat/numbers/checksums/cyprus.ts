import { type Checksum, checkFault, partFault } from "../fault.ts";
import { digitsOf } from "./weights.ts";

/** What a digit at an odd position counts. */
const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21] as const;

/**
 * Cyprus: digits at odd positions are mapped, those at even ones count as they are; the sum modulo 26 is the letter. No
 * number begins with 12. Source: python-stdnum `stdnum/cy/vat.py`.
 */
export const cyprus: Checksum = (national) => {
  if (national.startsWith("12")) return partFault("kind of number", 1, "no Cypriot number begins with 12");
  const sum = digitsOf(national.slice(0, 8)).reduce(
    (total, digit, index) => total + (index % 2 === 0 ? (ODD[digit] ?? 0) : digit),
    0,
  );
  return String.fromCharCode(65 + (sum % 26)) === national.charAt(8)
    ? undefined
    : checkFault("check letter by the sum modulo 26", 9);
};
