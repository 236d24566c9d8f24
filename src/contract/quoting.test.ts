import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeKey } from "./keyForm.ts";
import { KEY_KINDS } from "./keyKinds.ts";
import { quoted } from "./quoting.ts";

const anyText = fc.string({ unit: "binary", maxLength: 80 });

describe("what is quoted in an error", () => {
  it("has at most 40 characters of what was received, and none that a terminal or a log obeys", () => {
    fc.assert(
      fc.property(anyText, (received) => {
        const text = quoted(received);
        expect([...text].length).toBeLessThanOrEqual(43);
        expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
      }),
    );
    expect(quoted("é".repeat(40))).toBe(`"${"é".repeat(40)}"`);
    expect(quoted("😀".repeat(41))).toBe(`"${"😀".repeat(40)}…"`);
    expect(quoted("a\nb\u001b[31m")).toBe('"a?b?[31m"');
  });

  it("never holds a key, whole or cut, wherever it stands", () => {
    fc.assert(
      fc.property(fc.constantFrom(...KEY_KINDS), anyText, anyText, fc.nat(14), (kind, before, after, cut) => {
        const key = makeKey(kind, randomBytes);
        for (const part of [key, key.slice(cut), key.slice(0, key.length - cut), key.toUpperCase()]) {
          expect(quoted(before + part + after)).toBe("a value that is not repeated here");
        }
      }),
    );
  });

  it("never holds a Dutch VAT number, which may be a citizen number, however it is written", () => {
    for (const number of ["NL123456782B90", "nl 1234.56.782 b90", "123456782-B-90", "x=NL123456782B90/y"]) {
      expect(quoted(number)).toBe("a value that is not repeated here");
      expect(quoted("a".repeat(25) + number)).toBe("a value that is not repeated here");
    }
    expect(quoted("123456789")).toBe('"123456789"');
  });
});
