import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FIXTURES } from "../../../test/kit/vatNumbers.ts";
import { workedMs } from "../../../test/kit/worked.ts";
import { isVatNumber, type NotAVatNumber, parseVatNumber, type VatNumber } from "./parse.ts";
import { STATE_CODES } from "./states.ts";

/** Parses a valid number. */
function read(text: string): VatNumber {
  const parsed = parseVatNumber(text);
  if (!isVatNumber(parsed)) throw new Error(`${text}: ${parsed.message}`);
  return parsed;
}

function refusal(text: string): NotAVatNumber {
  const parsed = parseVatNumber(text);
  if (isVatNumber(parsed)) throw new Error(`${text} was read as ${parsed.vatNumber}`);
  return parsed;
}

const written = fc.constantFrom(
  ...STATE_CODES.flatMap((code) => FIXTURES[code].valid.map((national) => code + national)),
);
const separators = fc.string({
  unit: fc.constantFrom(
    " ",
    ".",
    "-",
    "/",
    "\u00a0",
    "\u2013",
    "\t",
    "\u200b",
    "\u00ad",
    ":",
    ",",
    "_",
    "\ufeff",
  ),
  maxLength: 3,
});

describe("a VAT number", () => {
  it("consists of country code and national part", () => {
    expect(read("NL123456782B90")).toMatchObject({
      countryCode: "NL",
      national: "123456782B90",
      vatNumber: "NL123456782B90",
    });
  });

  it("is parsed with any separators and in any case", () => {
    fc.assert(
      fc.property(
        written,
        fc.array(fc.tuple(separators, fc.boolean()), { minLength: 15, maxLength: 15 }),
        (text, how) => {
          const spelled = Array.from(text, (character, index) => {
            const [separator, isSmall] = how[index] ?? ["", false];
            return separator + (isSmall ? character.toLowerCase() : character);
          }).join("");
          expect(read(spelled)).toEqual(read(text));
        },
      ),
    );
  });

  it("is unchanged when parsed again", () => {
    fc.assert(
      fc.property(
        fc.oneof(written, fc.stringMatching(/^(NL|BE|EL|GR|FR|RO|AT)[A-Z0-9+*]{2,12}$/)),
        (text) => {
          const parsed = parseVatNumber(text);
          if (isVatNumber(parsed)) expect(parseVatNumber(parsed.vatNumber)).toEqual(parsed);
        },
      ),
    );
  });

  it.each([
    ["EL: 094259216", "EL094259216"],
    ["DE 136,695 976", "DE136695976"],
    ["DE_136_695_976", "DE136695976"],
    ["DE|136695976|", "DE136695976"],
    ["DE;136695976", "DE136695976"],
    ["DE\\136695976", "DE136695976"],
    ["BE (0)403.019.261", "BE0403019261"],
    ["BE·0403·019·261", "BE0403019261"],
    ["'DE136695976", "DE136695976"],
    ['"DE136695976"', "DE136695976"],
    ["DE\u2009136\u202f695\u3000976", "DE136695976"],
    ["DE\u2010136\u2212695\u2014976", "DE136695976"],
    ["DE\u2044136\u2215695\\976", "DE136695976"],
    ["\r\nDE136695976\r\n", "DE136695976"],
    // Invisible characters: zero-width ones, direction marks, joiners, a soft hyphen, a variation selector.
    ...Array.from(
      "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060\u2063\u2066\u2069\u3164\ufe0f\ufeff",
      (hidden): [string, string] => [`${hidden}NL${hidden}123456782${hidden}B90${hidden}`, "NL123456782B90"],
    ),
  ])("is parsed with other characters in between: %j", (text, vatNumber) => {
    expect(read(text).vatNumber).toBe(vatNumber);
  });

  it.each([
    ["DE+136+695+976", "DE136695976"],
    ["+DE136695976++", "DE136695976"],
    ["D+E+1+3+6+6+9+5+9+7+6", "DE136695976"],
    ["BE+0403019261", "BE0403019261"],
    ["BE+403+019+261", "BE0403019261"],
    ["SE+123456+7897+01", "SE123456789701"],
    ["gr+094259216", "EL094259216"],
    ["XI+980+7806+84", "XI980780684"],
    ["ES+B58378431", "ESB58378431"],
    ["RO+19", "RO19"],
    // Dutch numbers with a sign are announced but not yet issued.
    ["NL+123456782B90", "NL123456782B90"],
    ["NL+1234+56782+B+90", "NL123456782B90"],
    ["NL+4495445B01", "NL004495445B01"],
    ["NLA+*456782B90", "NLA+*456782B90"],
    ["NL+B456782B90", "NL+B456782B90"],
    // Old Irish numbers may have one in the second position only.
    ["IE8+79739I", "IE8+79739I"],
    ["+IE+8+79739I+", "IE8+79739I"],
    ["IE+8+79+739+I", "IE8+79739I"],
    ["IE+6433435F", "IE6433435F"],
    ["IE6+433435F", "IE6433435F"],
    ["IE+6433435OA", "IE6433435OA"],
    ["IE+8D79739I", "IE8D79739I"],
  ])("loses a `+` that encodes a space but keeps one of its own: %s", (text, vatNumber) => {
    expect(read(text).vatNumber).toBe(vatNumber);
  });

  it("with an added `+` is never rejected if it is valid", () => {
    const plusses = fc.array(fc.nat({ max: 2 }), { minLength: 15, maxLength: 15 });
    fc.assert(
      fc.property(written, plusses, (text, counts) => {
        const spelled = Array.from(text, (character, index) => "+".repeat(counts[index] ?? 0) + character);
        expect(read(`${spelled.join("")}+`)).toEqual(read(text));
      }),
    );
  });

  it("of any length is parsed or rejected quickly", () => {
    for (const text of ["+", "IE8+", "NL+", "IE8+7+", "DE\u200b"].map((part) => part.repeat(200_000))) {
      const startedMs = workedMs();
      refusal(text);
      expect(workedMs() - startedMs).toBeLessThan(10_000);
    }
  });

  it("of Greece has the code EL, also if written with GR", () => {
    expect(read("GR 094259216").vatNumber).toBe("EL094259216");
  });

  it("gets missing leading zeros: Dutch up to nine digits, old Belgian and Greek ones", () => {
    expect(read("NL.4495445.B.01").vatNumber).toBe("NL004495445B01");
    expect(read("NL1B01").vatNumber).toBe("NL000000001B01");
    expect(read("BE 403.019.261").vatNumber).toBe("BE0403019261");
    expect(read("EL23456780").vatNumber).toBe("EL023456780");
    // Anything else is kept as typed and rejected.
    expect(read("BE40301926").vatNumber).toBe("BE40301926");
    expect(read("NL4495445B1").vatNumber).toBe("NL4495445B1");
  });

  it("may contain the letters, + and * of the Commission's table", () => {
    expect(read("ie 7a*12345-w").national).toBe("7A*12345W");
    expect(read("NLA+*456782B90").national).toBe("A+*456782B90");
  });

  it("may have the key FR in France", () => {
    expect(read("FRFR123456789").national).toBe("FR123456789");
  });
});

describe("an invalid VAT number", () => {
  it("lacks a country code, contains other characters, or is too short or long", () => {
    for (const text of [
      "",
      "NL",
      "NL1",
      "123456782B90",
      "N1123456782",
      "NL123456782B901",
      "NL 123456782 B 90!",
      "NL%20123456782B90",
      "NL123456782B90?",
      "NL#123456782B90",
      "NL１２３４５６７８２B90",
      "ﬁ20774740",
      "ıt00743110157",
      "\u0000NL123456782B90",
    ]) {
      expect(refusal(text).problem).toBe("INVALID_VAT_NUMBER");
    }
  });

  it("may be of a state that VIES does not serve, which the message says", () => {
    for (const text of ["CH123456788", "NO123456785", "US12", "EU372000041", "TR1234567890"]) {
      expect(refusal(text).message).toMatch(/does not serve this country code/);
    }
    expect(refusal("GB980780684").message).toMatch(/Great Britain since 2021/);
  });

  it("may have its country code twice", () => {
    for (const text of ["NLNL12345678", "BE BE 0220764971", "GREL12345678", "ELGR12345678", "FRFR12345678"]) {
      expect(refusal(text).message).toMatch(/twice/);
    }
  });

  it("is reported without quoting it", () => {
    for (const text of ["GB980780684", "NLNL12345678", "980780684B01"]) {
      expect(refusal(text).message).not.toMatch(/[0-9]{5}/);
    }
  });

  it("never throws", () => {
    const anyUnits = fc
      .array(fc.nat(0xffff), { maxLength: 20 })
      .map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(fc.oneof(fc.string(), anyUnits), (text) => {
        const parsed = parseVatNumber(text);
        if (isVatNumber(parsed)) expect(parsed.vatNumber).toMatch(/^[A-Z]{2}[A-Z0-9+*]{2,12}$/);
        else expect(parsed.problem).toBe("INVALID_VAT_NUMBER");
      }),
    );
  });
});
