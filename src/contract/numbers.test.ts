import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isKvkNumber, parseKvkNumber, passesElfproef, passesKvkCheck } from "./numbers.ts";

const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{${count}}$`));
const changed = (text: string, at: number, by: number) =>
  text.slice(0, at) + String((Number(text[at]) + by) % 10) + text.slice(at + 1);

describe("a KVK number", () => {
  it("is exactly eight digits: nothing is trimmed, padded or converted", () => {
    fc.assert(
      fc.property(digits(8), (text) => {
        expect(parseKvkNumber(text)).toBe(text);
      }),
    );
    for (const bad of [
      "",
      "1234567",
      "123456789",
      " 12345678",
      "1234567\n",
      "12345678\n",
      "１２３４５６７８",
      "1234567a",
      "٠١٢٣٤٥٦٧",
    ]) {
      expect(parseKvkNumber(bad)).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.string({ maxLength: 9 }), (text) => {
        expect(isKvkNumber(text)).toBe(text.length === 8 && [...text].every(isDigit));
      }),
    );
  });

  it("passes the check with the weights 8 to 1, which detects any wrong digit", () => {
    fc.assert(
      fc.property(digits(8), fc.nat(7), fc.integer({ min: 1, max: 9 }), (text, at, by) => {
        const one = parseKvkNumber(text);
        const other = parseKvkNumber(changed(text, at, by));
        if (one === undefined || other === undefined) throw new RangeError("eight digits are a KVK number");
        const sum = [...text].reduce((total, digit, index) => total + (8 - index) * Number(digit), 0);
        expect(passesKvkCheck(one)).toBe(sum % 11 === 0);
        if (passesKvkCheck(one)) expect(passesKvkCheck(other)).toBe(false);
      }),
    );
  });
});

describe("the elfproef", () => {
  it("detects any wrong digit and rejects nine zeros", () => {
    fc.assert(
      fc.property(digits(9), fc.nat(8), fc.integer({ min: 1, max: 9 }), (text, at, by) => {
        if (passesElfproef(text)) expect(passesElfproef(changed(text, at, by))).toBe(false);
      }),
      { numRuns: 300 },
    );
    expect(passesElfproef("000000000")).toBe(false);
  });

  it("is passed by 9·d1 + … + 2·d8 − d9 ≡ 0 (mod 11)", () => {
    // 9·1+8·1+7·1+6·2+5·2+4·2+3·3+2·3−3 = 66
    expect(passesElfproef("111222333")).toBe(true);
    expect(passesElfproef("111222334")).toBe(false);
    for (const bad of ["11122233", "1112223330", "", "11122233a"]) expect(passesElfproef(bad)).toBe(false);
  });
});

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}
