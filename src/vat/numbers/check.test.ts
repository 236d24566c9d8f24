import { describe, expect, it } from "vitest";
import { FIXTURES } from "../../../test/kit/vatNumbers.ts";
import { checkVatNumber, type VatCheck } from "./check.ts";
import { isVatNumber, parseVatNumber } from "./parse.ts";
import { STATE_CODES } from "./states.ts";

function check(text: string): VatCheck {
  const parsed = parseVatNumber(text);
  if (!isVatNumber(parsed)) throw new Error(parsed.message);
  return checkVatNumber(parsed);
}

describe.each(STATE_CODES)("a number of %s", (countryCode) => {
  const { valid, wrongChecksum, wrongFormat } = FIXTURES[countryCode];

  it("is valid with the right form and checksum", () => {
    for (const national of valid) {
      expect(check(countryCode + national), national).toEqual({
        wellFormed: true,
        checksumValid: true,
        isMalformed: false,
      });
    }
  });

  it("is rejected without VIES for its checksum only if it is Dutch", () => {
    for (const national of wrongChecksum) {
      const { problem, ...verdict } = check(countryCode + national);
      expect(verdict, national).toEqual({
        wellFormed: true,
        checksumValid: false,
        isMalformed: countryCode === "NL",
      });
      expect(problem?.position, national).toBeGreaterThan(0);
      expect(problem?.position).toBeLessThanOrEqual(national.length);
    }
  });

  it("is rejected without VIES for its form", () => {
    for (const national of wrongFormat) {
      const { problem, ...verdict } = check(countryCode + national);
      expect(verdict, national).toEqual({ wellFormed: false, checksumValid: false, isMalformed: true });
      expect(problem?.rule, national).toMatch(/^(length|format)$/);
    }
  });

  it("is never quoted in the message, not even in part", () => {
    const wrong = [...wrongChecksum, ...wrongFormat].filter(({ length }) => length > 4);
    for (const national of wrong) {
      const message = check(countryCode + national).problem?.message ?? "";
      expect(message).not.toBe("");
      for (let at = 0; at + 4 <= national.length; at++) {
        expect(message, national).not.toContain(national.slice(at, at + 4));
      }
    }
  });
});

describe("a broken rule", () => {
  it("names the expected length", () => {
    expect(check("HU1289231").problem).toEqual({
      rule: "length",
      message:
        "It has the wrong length: 7 characters after the country code. A Hungarian number is 8 digits.",
    });
    expect(check("LT11951151").problem?.message).toMatch(
      /: 8 characters .* A Lithuanian number is 9 or 12 digits\.$/,
    );
  });

  it("names the first wrong position and the expected character of the intended form", () => {
    expect(check("AT113585627").problem).toMatchObject({ rule: "format", position: 1 });
    expect(check("XIGD00A").problem).toMatchObject({
      position: 5,
      message: expect.stringMatching(/be a digit\./),
    });
    expect(check("NL123456782B00").problem).toMatchObject({ rule: "format", position: 12 });
    expect(check("ESB583784A1").problem).toMatchObject({ rule: "format", position: 8 });
  });

  it("says that Dutch numbers with letters, + and * are announced but not yet in use", () => {
    for (const text of ["NLA+*456782B90", "NLABCDEFGHIJKL", "NL12345678*B01"]) {
      expect(check(text)).toMatchObject({
        isMalformed: true,
        problem: { message: expect.stringContaining("announced for later") },
      });
    }
  });

  it("names the checksum and its check digit", () => {
    expect(check("NL123456789B01").problem).toMatchObject({ rule: "elfproef or modulo 97", position: 9 });
    expect(check("DE136695978").problem).toMatchObject({
      rule: "check digit of ISO 7064 MOD 11,10",
      position: 9,
    });
    expect(check("FR41303265045").problem).toMatchObject({ rule: "key of the SIREN", position: 2 });
    expect(check("CZ1103492745").problem).toMatchObject({ rule: "date of birth", position: 1 });
    expect(check("RO18547291").problem).toMatchObject({ position: 8 });
  });
});

describe("the Dutch rules", () => {
  it("are two, of which one must match", () => {
    // Only the elfproef, only modulo 97, neither: calculated by hand.
    expect(check("NL123456782B90").checksumValid).toBe(true);
    expect(check("NL000099998B57").checksumValid).toBe(true);
    expect(check("NL123456789B13").checksumValid).toBe(true);
    expect(check("NL123456789B12").checksumValid).toBe(false);
  });

  it("apply to a number without its leading zeros", () => {
    expect(parseVatNumber("NL99998B57")).toEqual(parseVatNumber("NL000099998B57"));
    expect(check("NL99998B57").checksumValid).toBe(true);
  });
});
