import { type Checksum, partFault } from "../fault.ts";
import { luhn } from "./luhn.ts";

const isLuhn = luhn(11);

/**
 * Italy: seven digits of the taxpayer (not all zero), three of the tax office's province (001 to 100, 120, 121, 888, 999), a
 * Luhn digit. Source: python-stdnum `stdnum/it/iva.py`. Offices were added before (888, 999), so an unknown one decides nothing.
 */
export const italy: Checksum = (national) => {
  if (national.startsWith("0000000")) {
    return partFault("taxpayer", 1, "the first seven digits are all zero");
  }
  const province = Number(national.slice(7, 10));
  const isProvince = (province >= 1 && province <= 100) || [120, 121, 888, 999].includes(province);
  if (!isProvince) return partFault("province", 8, "these three digits are no known Italian tax office");
  return isLuhn(national);
};
