import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passesElfproef } from "../../contract/numbers.ts";
import { checkVatNumber } from "./check.ts";
import { isVatNumber, parseVatNumber } from "./parse.ts";

/**
 * The published rules once more, the other way round: from the free digits to the number, in another arithmetic than the
 * check has. Undefined when no number has these digits.
 */
type Maker = (free: string) => string | undefined;

const two = (value: number) => String(value).padStart(2, "0");
const sum = (digits: string, weights: string) =>
  weights.split(" ").reduce((total, weight, at) => total + Number(weight) * Number(digits[at]), 0);
const toTen = (value: number) => (10 - (value % 10)) % 10;
const oneDigit = (value: number) => (value < 10 ? String(value) : undefined);
const append = (free: string, check: string | undefined) => (check === undefined ? undefined : free + check);

const DOUBLED = "0246813579";
function luhnDigit(free: string): number {
  const digits = Array.from(free).reverse();
  return toTen(
    digits.reduce((total, digit, at) => total + Number(at % 2 === 0 ? DOUBLED[Number(digit)] : digit), 0),
  );
}

function iso7064Digit(free: string): number {
  let product = 10;
  for (const digit of free) product = (2 * ((Number(digit) + product) % 10 || 10)) % 11;
  return (11 - product) % 10;
}

/** The two digits after `NL…B` by ISO 7064: 98 minus the number followed by 00, modulo 97. */
function dutchSuffix(nineDigits: string): string {
  return two(Number(98n - (BigInt(`2321${nineDigits}1100`) % 97n)));
}

const MAKERS: Readonly<Record<string, readonly [freeDigits: number, maker: Maker]>> = {
  "AT, as the Ministry writes it": [
    7,
    (free) => {
      const even = [1, 3, 5].map((at) => Number(free[at]));
      const odd = [0, 2, 4, 6].map((at) => Number(free[at]));
      const total =
        odd.reduce((a, b) => a + b, 0) + even.reduce((a, b) => a + Math.floor(b / 5) + ((2 * b) % 10), 0);
      return `ATU${free}${toTen(total + 4)}`;
    },
  ],
  BE: [7, (free) => `BE0${free}${two(97 - (Number(free) % 97))}`],
  CZ: [
    7,
    (free) => {
      const check = 11 - (sum(free, "8 7 6 5 4 3 2") % 11);
      if (free.startsWith("9")) return undefined;
      return `CZ${free}${check === 10 ? 0 : check === 11 ? 1 : check}`;
    },
  ],
  DE: [8, (free) => (free.startsWith("0") ? undefined : `DE${free}${iso7064Digit(free)}`)],
  DK: [
    7,
    (free) =>
      free.startsWith("0")
        ? undefined
        : append(`DK${free}`, oneDigit((11 - (sum(free, "2 7 6 5 4 3 2") % 11)) % 11)),
  ],
  EE: [8, (free) => `EE${free}${toTen(sum(free, "3 7 1 3 7 1 3 7"))}`],
  EL: [
    8,
    (free) =>
      `EL${free}${(Array.from(free).reduce((total, digit) => (total + Number(digit)) * 2, 0) % 11) % 10}`,
  ],
  "ES, a person": [8, (free) => `ES${free}${"TRWAGMYFPDXBNJZSQVHLCKE"[Number(free) % 23]}`],
  "ES, a company": [7, (free) => `ESB${free}${luhnDigit(free)}`],
  "ES, a public body": [7, (free) => `ESQ${free}${"JABCDEFGHI"[luhnDigit(free)]}`],
  FI: [7, (free) => append(`FI${free}`, oneDigit((11 - (sum(free, "7 9 10 5 8 4 2") % 11)) % 11))],
  FR: [
    8,
    (free) => {
      const siren = `${free}${luhnDigit(free)}`;
      return `FR${two((12 + 3 * (Number(siren) % 97)) % 97)}${siren}`;
    },
  ],
  HR: [10, (free) => `HR${free}${iso7064Digit(free)}`],
  HU: [7, (free) => `HU${free}${toTen(sum(free, "9 7 3 1 9 7 3"))}`],
  IE: [7, (free) => `IE${free}${"WABCDEFGHIJKLMNOPQRSTUV"[sum(free, "8 7 6 5 4 3 2") % 23]}`],
  "IE, H": [7, (free) => `IE${free}${"WABCDEFGHIJKLMNOPQRSTUV"[(sum(free, "8 7 6 5 4 3 2") + 72) % 23]}H`],
  IT: [6, (free) => `IT1${free}058${luhnDigit(`1${free}058`)}`],
  LU: [6, (free) => `LU${free}${two(Number(free) % 89)}`],
  "LV, a company": [
    9,
    (free) => append(`LV4${free}`, oneDigit((14 - ((36 + sum(free, "1 4 8 3 10 2 5 7 6")) % 11)) % 11)),
  ],
  MT: [5, (free) => `MT1${free}${two(37 - ((3 + sum(free, "4 6 7 8 9")) % 37))}`],
  "NL, elfproef": [
    8,
    (free) => append(`NL${free}`, oneDigit(sum(free, "9 8 7 6 5 4 3 2") % 11))?.concat("B01"),
  ],
  "NL, modulo 97": [9, (free) => `NL${free}B${dutchSuffix(free)}`],
  PL: [9, (free) => append(`PL${free}`, oneDigit(sum(free, "6 5 7 2 3 4 5 6 7") % 11))],
  PT: [
    7,
    (free) => {
      const remainder = (45 - 36 + sum(free, "8 7 6 5 4 3 2")) % 11;
      return `PT1${free}${remainder < 2 ? 0 : 11 - remainder}`;
    },
  ],
  SE: [9, (free) => `SE${free}${luhnDigit(free)}01`],
  SI: [
    6,
    (free) => {
      const check = 11 - ((8 + sum(free, "7 6 5 4 3 2")) % 11);
      return check === 11 ? undefined : `SI1${free}${check % 10}`;
    },
  ],
  SK: [6, (free) => append(`SK202${free}`, oneDigit(Number(`202${free}`) % 11))],
  "XI, the older rule": [7, (free) => `XI${free}${two(97 - (sum(free, "8 7 6 5 4 3 2") % 97))}`],
  "XI, the newer rule": [6, (free) => `XI1${free}${two(97 - ((8 + sum(free, "7 6 5 4 3 2") + 55) % 97))}`],
};

describe("every number generated by the published rule passes", () => {
  it.each(Object.entries(MAKERS))("%s", (_, [freeDigits, maker]) => {
    fc.assert(
      fc.property(fc.stringMatching(new RegExp(`^[0-9]{${freeDigits}}$`)), (free) => {
        const text = maker(free);
        // Zeros alone do not count as passing the elfproef.
        fc.pre(text !== undefined && !text.startsWith("NL000000000"));
        const parsed = parseVatNumber(text);
        expect(isVatNumber(parsed) && checkVatNumber(parsed), text).toEqual({
          wellFormed: true,
          checksumValid: true,
          isMalformed: false,
        });
      }),
    );
  });

  it("and the two Dutch rules differ: numbers issued since 2020 mostly fail the elfproef", () => {
    const nineDigits = fc.sample(fc.stringMatching(/^[0-9]{9}$/), { numRuns: 1_000, seed: 2020 });
    const share = nineDigits.filter(passesElfproef).length / nineDigits.length;
    expect(share).toBeGreaterThan(0.06);
    expect(share).toBeLessThan(0.13);
  });
});
