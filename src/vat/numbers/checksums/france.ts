import { type Checksum, checkFault } from "../fault.ts";
import { luhn } from "./luhn.ts";

/** The characters of a key: neither I nor O. */
export const KEY_CHARACTERS = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ";

const isLuhn = luhn(9);

/**
 * France: a key of two characters, then the SIREN, which ends with its Luhn digit (those of Monaco, 000…, do not). A key of digits
 * is the SIREN followed by 12, modulo 97; a key with a letter has a rule of its own.
 * Source: python-stdnum `stdnum/fr/tva.py`.
 */
export const france: Checksum = (national) => {
  const siren = national.slice(2);
  if (!siren.startsWith("000") && isLuhn(siren) !== undefined) {
    return checkFault("Luhn check digit of the SIREN", 11);
  }
  return isKey(national.slice(0, 2), Number(siren)) ? undefined : checkFault("key of the SIREN", 2);
};

function isKey(key: string, siren: number): boolean {
  if (/^[0-9]{2}$/.test(key)) return (siren * 100 + 12) % 97 === Number(key);
  const [first = 0, second = 0] = Array.from(key, (character) => KEY_CHARACTERS.indexOf(character));
  const value = first < 10 ? first * 24 + second - 10 : first * 34 + second - 100;
  return (siren + 1 + Math.floor(value / 11)) % 11 === value % 11;
}
