import { describe, expect, it } from "vitest";
import { isVatNumber, parseVatNumber } from "../numbers/parse.ts";
import { isAboutOtherNumber, readViesResponse } from "./readResponse.ts";

function asked(text: string) {
  const number = parseVatNumber(text);
  if (!isVatNumber(number)) throw new Error(number.message);
  return number;
}

describe("a response", () => {
  it.each([
    ["NL123456782B90", "NL", "123456782B90"],
    ["NL123456782B90", "nl", "123456782b90"],
    ["NL123456782B90", "NL", " 1234 56.782-B90 "],
    ["NL123456782B90", "NL", "NL123456782B90"],
    ["NL023456782B90", "NL", "23456782B90"],
    ["NL023456782B90", "NL", "NL23456782B90"],
    ["GR094259216", "EL", "094259216"],
    ["EL094259216", "GR", "094259216"],
    ["EL094259216", "EL", "GR094259216"],
    ["EL094259216", "EL", 94259216],
    ["XI123456782", "GB", "123456782"],
    ["XI123456782", "XI", "GB123456782"],
    ["FRFR123456782", "FR", "FR123456782"],
    ["IE1+23456W", "IE", "1+23456W"],
    ["NL123456782B90", undefined, undefined],
    ["NL123456782B90", "", "---"],
    ["NL123456782B90", null, null],
    ["NL123456782B90", "NL", undefined],
    ["NL123456782B90", undefined, "123456782B90"],
  ])("to %s that names %j %j is accepted", (text, countryCode, vatNumber) => {
    expect(isAboutOtherNumber({ countryCode, vatNumber }, asked(text))).toBe(false);
  });

  it.each([
    ["NL123456782B90", "NL", "123456782B91"],
    ["NL123456782B90", "NL", "12345678B290"],
    ["NL123456782B90", "NL", "1234567820B90"],
    ["NL123456782B90", "NL", "BE123456782B90"],
    ["NL123456782B90", "BE", "123456782B90"],
    ["NL123456782B90", undefined, "123456782B91"],
    ["NL123456782B90", "BE", undefined],
    ["EL094259216", "GB", "094259216"],
    ["XI123456782", "GR", "123456782"],
    ["FRFR123456782", "FR", "123456782"],
    ["IE1+23456W", "IE", "1*23456W"],
    ["NL123456782B90", "NL", ["123456782B90"]],
    ["NL123456782B90", { toString: 1 }, "123456782B90"],
    ["NL123456782B90", "NL", true],
  ])("to %s that names %j %j is rejected", (text, countryCode, vatNumber) => {
    expect(isAboutOtherNumber({ countryCode, vatNumber }, asked(text))).toBe(true);
  });
});

it("is rejected if it names another number, whatever its verdict", () => {
  const read = (body: unknown) =>
    readViesResponse(200, JSON.stringify(body), asked("CZ25123891"), "2026-11-11T11:11:11.111Z");
  const unnamed = { requestDate: "2026-10-03T21:02:05.698Z", name: "Made up s. r. o." };
  const named = { ...unnamed, countryCode: "CZ", vatNumber: "25123891" };
  for (const valid of [true, false]) {
    expect(read({ ...named, valid })).toMatchObject({ kind: "answer", valid });
    expect(read({ ...unnamed, valid })).toMatchObject({ kind: "answer", valid });
    for (const other of [{ vatNumber: "25123892" }, { countryCode: "SK" }, { vatNumber: 1 }]) {
      const result = read({ ...named, ...other, valid });
      expect(result).toMatchObject({ kind: "no-answer", reason: "OTHER_NUMBER", isFromUpstream: false });
      expect(JSON.stringify(result)).not.toMatch(/2512|Made up/);
    }
  }
  const error = { actionSucceed: false, errorWrappers: [{ error: "MS_UNAVAILABLE" }], vatNumber: "1" };
  expect(read(error)).toMatchObject({ reason: "MS_UNAVAILABLE" });
});
