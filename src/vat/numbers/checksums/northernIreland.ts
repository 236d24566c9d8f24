import { type Checksum, checkFault, partFault } from "../fault.ts";
import { digitsOf, weightedSum } from "./weights.ts";

/**
 * Northern Ireland, by the rules of the United Kingdom: nine digits whose weighted sum leaves 0 modulo 97 (or 42 or 55 from
 * 100 000 000 on), three more for a branch; GD000 to GD499 for government, HA500 to HA999 for health authorities.
 * Source: python-stdnum `stdnum/gb/vat.py`.
 */
export const northernIreland: Checksum = (national) => {
  if (national.startsWith("GD") || national.startsWith("HA")) {
    const isGovernment = national.startsWith("GD");
    return Number(national.slice(2)) < 500 === isGovernment
      ? undefined
      : partFault("department", 3, isGovernment ? "GD goes up to 499" : "HA begins at 500");
  }
  const remainder = weightedSum(digitsOf(national), [8, 7, 6, 5, 4, 3, 2, 10, 1]) % 97;
  const allowed = Number(national.slice(0, 3)) >= 100 ? [0, 42, 55] : [0];
  return allowed.includes(remainder)
    ? undefined
    : checkFault("weights 8, 7, 6, 5, 4, 3, 2, 10, 1 modulo 97", 9);
};
