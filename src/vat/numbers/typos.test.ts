import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkVatNumber, type VatCheck } from "./check.ts";
import { STATE_CODES, STATES, type State, type StateCode } from "./states.ts";

const SAMPLES = 60;

/**
 * The minimum percentage of wrong digits that the rules of a state detect. 100 if guaranteed by the arithmetic: the
 * weights are coprime to the modulus, and each remainder has its own check digit. Less if remainders share a digit, one
 * of several rules suffices, or some digits are not checked (the Dutch suffix, a birth date).
 */
const NOTICED: Readonly<Record<StateCode, number>> = {
  AT: 100,
  BE: 100,
  BG: 90,
  CY: 100,
  CZ: 97,
  DE: 100,
  DK: 100,
  EE: 100,
  EL: 97,
  ES: 100,
  FI: 100,
  FR: 97,
  HR: 100,
  HU: 100,
  IE: 100,
  IT: 100,
  LT: 97,
  LU: 100,
  LV: 97,
  MT: 100,
  NL: 80,
  PL: 100,
  PT: 97,
  RO: 97,
  SE: 100,
  SI: 100,
  SK: 97,
  XI: 97,
};

/** For states that also have numbers without a check digit: only numbers with one. */
const WITH_CHECK_DIGIT: Readonly<Partial<Record<StateCode, RegExp>>> = {
  CZ: /^([0-9]{8}|6[0-9]{8}|[0-9]{10})$/,
  XI: /^[0-9]{9}$/,
};

/** A valid number of a rare form. */
const AS_ISSUED: Readonly<Partial<Record<StateCode, (national: string) => string>>> = {
  BE: (national) => `0${national.slice(1)}`,
  SE: (national) => `${national.slice(0, 10)}01`,
};

function check(countryCode: StateCode, national: string): VatCheck {
  return checkVatNumber({ countryCode, national });
}

/** A random number of a form, mostly with a wrong checksum. */
function ofSomeForm(countryCode: StateCode): fc.Arbitrary<string> {
  const { layouts }: State = STATES[countryCode];
  const forms = layouts.map((slots) =>
    fc.tuple(...slots.map(({ accepts }) => fc.constantFrom(...accepts))).map((chosen) => chosen.join("")),
  );
  return fc.oneof(...forms);
}

/** The same numbers in every run, for a stable rate. */
function valid(countryCode: StateCode): string[] {
  const numbers: string[] = [];
  for (let seed = 1; numbers.length < SAMPLES && seed <= 40; seed++) {
    const asIssued = AS_ISSUED[countryCode] ?? ((national) => national);
    const some = fc.sample(ofSomeForm(countryCode), { numRuns: 400, seed }).map(asIssued);
    const checked = some.filter((national) => WITH_CHECK_DIGIT[countryCode]?.test(national) ?? true);
    numbers.push(...checked.filter((national) => check(countryCode, national).checksumValid));
  }
  return numbers.slice(0, SAMPLES);
}

function withOneWrongDigit(national: string): string[] {
  return Array.from(national).flatMap((character, at) =>
    /[0-9]/.test(character)
      ? Array.from("0123456789")
          .filter((other) => other !== character)
          .map((other) => national.slice(0, at) + other + national.slice(at + 1))
      : [],
  );
}

describe("a mistyped digit", () => {
  it.each(STATE_CODES)("of %s is detected at the rate of its checksum", (countryCode) => {
    const numbers = valid(countryCode);
    expect(numbers.length).toBe(SAMPLES);
    const typos = numbers.flatMap(withOneWrongDigit);
    const noticed = typos.filter((national) => !check(countryCode, national).checksumValid);
    expect((100 * noticed.length) / typos.length).toBeGreaterThanOrEqual(NOTICED[countryCode]);
  });
});

describe("any text after a country code", () => {
  it("gets a consistent verdict without an exception", () => {
    const anyText = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[A-Z0-9+*]{2,12}$/),
      fc.stringMatching(/^[0-9]{8,12}$/),
    );
    fc.assert(
      fc.property(fc.constantFrom(...STATE_CODES), anyText, (countryCode, national) => {
        const { wellFormed, checksumValid, isMalformed, problem } = check(countryCode, national);
        expect(checksumValid).toBe(problem === undefined);
        expect(checksumValid && !wellFormed).toBe(false);
        expect(isMalformed).toBe(!wellFormed || (countryCode === "NL" && !checksumValid));
      }),
      { numRuns: 1_000 },
    );
  });
});
