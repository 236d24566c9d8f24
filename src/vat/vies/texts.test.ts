import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { STATE_CODES } from "../numbers/states.ts";
import { readAddress, readName } from "./texts.ts";

describe("a name", () => {
  it.each([
    ["Made up B.V.", "Made up B.V."],
    ["  MADE UP\n\tHOLDING  ", "MADE UP HOLDING"],
    ['SIA "Made Up, 1,5"', 'SIA "Made Up, 1,5"'],
    ["MADE UP || ΚΑΤΙ\u0000", "MADE UP || ΚΑΤΙ"],
  ])("is one line: %j", (text, line) => {
    expect(readName(text)).toBe(line);
  });

  it.each(["---", "-", "-----", "", " ", "\n", "---\n---", " --- ", undefined, null, 0, false, {}, ["A"]])(
    "is absent when VIES withholds it: %j",
    (text) => {
      expect(readName(text)).toBeUndefined();
      for (const state of STATE_CODES) expect(readAddress(text, state)).toBeUndefined();
    },
  );
});

describe("an address", () => {
  it.each([
    ["NL", "\nVERZONNENGRACHT 00001\n1234XX VERZONNEN\n", "VERZONNENGRACHT 1, 1234XX VERZONNEN"],
    ["NL", "LAAN 00012A\r\n1234XX DORP", "LAAN 12A, 1234XX DORP"],
    ["NL", "LAAN 00012-3 00400\n1234XX DORP", "LAAN 12-3 400, 1234XX DORP"],
    ["NL", "POSTBUS 00000\n1234XX DORP", "POSTBUS 0, 1234XX DORP"],
    ["NL", "LAAN 1945 00010\n1000AA DORP", "LAAN 1945 10, 1000AA DORP"],
    ["NL", "---\nDORP", "DORP"],
    ["AT", "Straße 3\nAT-5020 Stadt", "Straße 3, AT-5020 Stadt"],
    ["CZ", "Dlouhá 1444/2\nPRAHA 4 - MOCK\n140 00  PRAHA 4", "Dlouhá 1444/2, PRAHA 4 - MOCK, 140 00 PRAHA 4"],
    ["DK", "Vej 7\n2800 By\n", "Vej 7, 2800 By"],
    ["IE", "MADE UP HOUSE, , THE ROAD, DUBLIN 00002,", "MADE UP HOUSE, THE ROAD, DUBLIN 00002"],
    ["LV", "Iela 6–8, Pilsēta, Nov., LV-2150", "Iela 6–8, Pilsēta, Nov., LV-2150"],
    ["PL", "ULICA 7\n09-411 MIASTO", "ULICA 7, 09-411 MIASTO"],
    ["EE", "Tee 1,\n,\n00001 Linn", "Tee 1, 00001 Linn"],
  ] as const)("of %s is one line: %j", (state, text, line) => {
    expect(readAddress(text, state)).toBe(line);
  });

  it("is one trimmed line or absent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.constantFrom(...STATE_CODES), (text, state) => {
        for (const line of [readName(text), readAddress(text, state)]) {
          if (line === undefined) continue;
          expect(line).not.toBe("");
          expect(line).toBe(line.trim());
          expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]|^-*$/u);
        }
      }),
    );
  });
});
