import { type Checksum, checkFault } from "../fault.ts";

/**
 * Belgium: the last two digits are 97 less the first eight modulo 97.
 * Source: FOD Financiën, enterprise number; python-stdnum `stdnum/be/vat.py`.
 */
export const belgium: Checksum = (national) =>
  97 - (Number(national.slice(0, 8)) % 97) === Number(national.slice(8))
    ? undefined
    : checkFault("97 less the first eight digits modulo 97", 10);

/** Luxembourg: the last two digits are the first six modulo 89. Source: python-stdnum `stdnum/lu/tva.py`. */
export const luxembourg: Checksum = (national) =>
  Number(national.slice(0, 6)) % 89 === Number(national.slice(6))
    ? undefined
    : checkFault("first six digits modulo 89", 8);
