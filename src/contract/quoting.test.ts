import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { workedMs } from "../../test/kit/worked.ts";
import { makeKey } from "./keyForm.ts";
import { KEY_KINDS } from "./keyKinds.ts";
import { quoted } from "./quoting.ts";

const anyText = fc.string({ unit: "binary", maxLength: 80 });

describe("text quoted in an error", () => {
  it("has at most 40 characters, and none that a terminal or log would interpret", () => {
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

  it("never contains a key, whole or partial, at any position", () => {
    fc.assert(
      fc.property(fc.constantFrom(...KEY_KINDS), anyText, anyText, fc.nat(14), (kind, before, after, cut) => {
        const key = makeKey(kind, randomBytes);
        for (const part of [key, key.slice(cut), key.slice(0, key.length - cut), key.toUpperCase()]) {
          expect(quoted(before + part + after)).toBe("a value that may be secret");
        }
      }),
    );
  });

  it("never contains a Dutch VAT number, which may be a citizen number, in any notation", () => {
    for (const number of ["NL123456782B90", "nl 1234.56.782 b90", "123456782-B-90", "x=NL123456782B90/y"]) {
      expect(quoted(number)).toBe("a value that may be secret");
      expect(quoted("a".repeat(25) + number)).toBe("a value that may be secret");
    }
    expect(quoted("123456789")).toBe('"123456789"');
  });

  it.each([
    ..." +.,:;·_|/\\'’\"()-*#~•=&%<>[]{}!?§°\t",
    ..."\u00a0\u00ad\u034f\u115f\u180b\u2009\u2010\u2011\u2013\u2014\u200b\u200d\u202f\u2044\u2060\u2212\u2215",
    ..."\u2800\u3000\u3164\u30fb\ufe0f\ufe58\ufe63\ufeff\uff0d\uffa0\u{e0100}",
    " - ",
  ])("never contains one with a separator for which it may be refused: %j", (separator) => {
    for (const number of ["NL123456782B01", "nl123456782b01", "123456782B01", "DE136695976"]) {
      expect(quoted([...number].join(separator))).toBe("a value that may be secret");
      expect(quoted(number.replace(/(?<=[A-Z]{2}|[0-9]{9})/gi, separator))).toBe(
        "a value that may be secret",
      );
    }
  });
});

describe("a secret of the caller", () => {
  const token = () => randomBytes(32).toString("base64url");

  it.each([
    ["a token of a link or session", token],
    ["the end of a token", () => token().slice(12)],
    ["the beginning of a token", () => token().slice(0, 31)],
    ["a key without its beginning", () => makeKey("live", randomBytes).slice(12)],
    ["a key with an invisible character", () => makeKey("live", randomBytes).replace("_", "\u200b_\u200b")],
    ["a key in full-width characters", () => "ｏｐｚ＿ｌｉｖｅ＿ａｂｃ"],
    ["a browser's token", () => `opz_tok_${token()}`],
    ["a webhook's secret", () => `whsec_${randomBytes(24).toString("base64")}`],
    ["a secret in base64", () => "Zm9vYmFy+3F1eHh5enp5/A=="],
    ["a secret in hexadecimal digits", () => randomBytes(20).toString("hex")],
    ["a recovery code", () => "ABCD-EFGH-2345-MNOP"],
    ["a recovery code with spaces", () => "abcd efgh 2345 mnop"],
    ["a webhook's URL with a password", () => "https://user:pass@shop.example/hook"],
    ["a user and a password before a host", () => "user:pass@shop.example"],
    ["a URL with a query", () => "https://shop.example/hook?token=abc"],
    ["a link with its secret", () => "https://registry.example/#reset=abc"],
  ])("is not quoted: %s", (_what, make) => {
    for (let time = 0; time < 50; time++) {
      const secret = make();
      for (const text of [secret, `x ${secret}`, `${secret}, y`]) {
        expect(quoted(text), text).toBe("a value that may be secret");
      }
    }
  });

  it.each([
    "DE136695976",
    "de 136.695.976",
    "BE0403170701",
    "ATU12345678",
    "ESX1234567X",
    "FRK7399859412",
    "IE8Z49289F",
    "RO12",
    "NL820471616B01",
    "NL123456782",
    "XI123456789",
    "\u200bDE136695976",
    "number DE136695976",
    "vatDE136695976",
  ])("is not quoted: the VAT number %s", (number) => {
    expect(quoted(number)).toBe("a value that may be secret");
  });

  it.each([
    "50000001",
    "KVK 50000001",
    "123456789",
    "999999999999999999999",
    "yes",
    "1234 ABC",
    "https://shop.example/",
    "https://shop.example:8443/page",
    "import:klanten-amsterdam-2026-01-31",
    "person@fabel.example",
    "text/plain; charset=utf-8",
    "Basic-Fit Nederland B.V.",
    "Stichting Derdengelden De Leeuw",
    "besloten vennootschap met beperkte",
    "2026-01-01T00:00:00.000Z",
    "isActiveOrNot",
    "supported: 2025-06-18, 2025-11-25",
  ])("is not found in %s", (text) => {
    expect(quoted(text)).toBe(`"${text}"`);
  });

  it("is found in time that is linear in the length", () => {
    const startedMs = workedMs();
    for (const part of ["a", "aB1", "://", "a:", "a@", "NL", "NL1", "ABCD-", "1", "é"])
      quoted(part.repeat(100_000));
    expect(workedMs() - startedMs).toBeLessThan(5_000);
  });
});
