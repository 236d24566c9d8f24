/** Checksums of the other states that have a rule of their own. */
import { passesElfproef } from "../../../contract/numbers.ts";
import { type Checksum, checkFault, partFault } from "../fault.ts";
import { checkDigit, digitValues, luhn, luhnSum, remainderBy97, weightedSum } from "./arithmetic.ts";

/**
 * Austria: the check digit completes the Luhn sum of the seven digits after `U`, plus 4, to a multiple of ten.
 * Source: Bundesministerium für Finanzen, construction of the UID; python-stdnum `stdnum/at/uid.py`.
 */
export const austria: Checksum = (national) =>
  (10 - ((luhnSum(national.slice(1, 8)) + 4) % 10)) % 10 === Number(national.charAt(8))
    ? undefined
    : checkFault("check digit by the Luhn sum and 4", 9);

/**
 * Belgium: the last two digits are 97 minus the first eight modulo 97.
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

/** The values of digits at odd positions. */
const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21] as const;

/**
 * Cyprus: digits at odd positions are mapped, those at even ones count as they are; the sum modulo 26 gives the letter.
 * No number starts with 12. Source: python-stdnum `stdnum/cy/vat.py`.
 */
export const cyprus: Checksum = (national) => {
  if (national.startsWith("12")) return partFault("kind of number", 1, "no Cypriot number begins with 12");
  const sum = digitValues(national.slice(0, 8)).reduce(
    (total, digit, index) => total + (index % 2 === 0 ? (ODD[digit] ?? 0) : digit),
    0,
  );
  return String.fromCharCode(65 + (sum % 26)) === national.charAt(8)
    ? undefined
    : checkFault("check letter by the sum modulo 26", 9);
};

/** The characters of a key: all but I and O. */
export const KEY_CHARACTERS = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/**
 * France: a key of two characters, then the SIREN, which ends with its Luhn digit (except in Monaco, 000…). A key of
 * digits is the SIREN followed by 12, modulo 97; a key with a letter has another rule. Source: python-stdnum
 * `stdnum/fr/tva.py`.
 */
export const france: Checksum = (national) => {
  const siren = national.slice(2);
  if (!siren.startsWith("000") && luhn(9)(siren) !== undefined) {
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

/** The check letters, each at the index of its value. */
const CHECK_LETTERS = "WABCDEFGHIJKLMNOPQRSTUV";

/**
 * Ireland: seven digits weighted 8 to 2, plus nine times the value of a second letter, modulo 23 give the check letter.
 * Old numbers with a letter or sign in the second place are read as 0, digits 3 to 7, digit 1. Source: python-stdnum
 * `stdnum/ie/vat.py`.
 */
export const ireland: Checksum = (national) => {
  const isOld = !/^[0-9]{2}/.test(national);
  const digits = isOld ? `0${national.slice(2, 7)}${national.charAt(0)}` : national.slice(0, 7);
  const second = national.length === 9 ? CHECK_LETTERS.indexOf(national.charAt(8)) : 0;
  if (second === -1) return partFault("second letter", 9, "the second letter is one from A to W");
  const sum = weightedSum(digitValues(digits), [8, 7, 6, 5, 4, 3, 2]) + 9 * second;
  return CHECK_LETTERS.charAt(sum % 23) === national.charAt(7)
    ? undefined
    : checkFault("check letter by weights 8 to 2 modulo 23", 8);
};

/**
 * Italy: seven digits of the taxpayer (not all zero), three of the tax office's province (001 to 100, 120, 121, 888,
 * 999), a Luhn digit. Source: python-stdnum `stdnum/it/iva.py`.
 */
export const italy: Checksum = (national) => {
  if (national.startsWith("0000000")) {
    return partFault("taxpayer", 1, "the first seven digits are all zero");
  }
  const province = Number(national.slice(7, 10));
  const isProvince = (province >= 1 && province <= 100) || [120, 121, 888, 999].includes(province);
  if (!isProvince) return partFault("province", 8, "these three digits are no known Italian tax office");
  return luhn(11)(national);
};

/**
 * The Netherlands: the elfproef over the nine digits (an RSIN or a citizen number), or, for sole traders since 2020, 1
 * modulo 97 over the whole number with `NL`. Source: Belastingdienst, btw-identificatienummer; python-stdnum
 * `stdnum/nl/btw.py`.
 */
export const dutch: Checksum = (national) =>
  passesElfproef(national.slice(0, 9)) || remainderBy97(`NL${national}`) === 1
    ? undefined
    : {
        rule: "elfproef or modulo 97",
        position: 9,
        message:
          "Neither Dutch rule holds: not the elfproef, whose check digit is position 9, and not modulo 97 over the " +
          "whole number, whose check digits are positions 11 and 12. Look for a mistyped digit.",
      };

const isRomanian = checkDigit([7, 5, 3, 2, 1, 7, 5, 3, 2], (sum) => ((10 * sum) % 11) % 10);
/** Romania: numbers are weighted as if zeros filled them up to ten digits. */
export const romania: Checksum = (national) =>
  isRomanian(national.padStart(10, "0")) &&
  checkFault("check digit by the last of the weights 7, 5, 3, 2, 1, 7, 5, 3, 2", national.length);

/**
 * Northern Ireland, by the rules of the United Kingdom: nine digits whose weighted sum modulo 97 is 0 (or 42 or 55 from
 * 100 000 000), three more for a branch; GD000 to GD499 for government, HA500 to HA999 for health authorities.
 * Source: python-stdnum `stdnum/gb/vat.py`.
 */
export const northernIreland: Checksum = (national) => {
  if (national.startsWith("GD") || national.startsWith("HA")) {
    const isGovernment = national.startsWith("GD");
    return Number(national.slice(2)) < 500 === isGovernment
      ? undefined
      : partFault("department", 3, isGovernment ? "GD goes up to 499" : "HA begins at 500");
  }
  const remainder = weightedSum(digitValues(national), [8, 7, 6, 5, 4, 3, 2, 10, 1]) % 97;
  const allowed = Number(national.slice(0, 3)) >= 100 ? [0, 42, 55] : [0];
  return allowed.includes(remainder)
    ? undefined
    : checkFault("weights 8, 7, 6, 5, 4, 3, 2, 10, 1 modulo 97", 9);
};
