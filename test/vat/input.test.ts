/** A VAT number is read as people write it; an invalid one is refused without repeating any of it. */
import { beforeAll, describe, expect, it } from "vitest";
import { messageOf, numberIn } from "../kit/answer.ts";
import { expectBalance, expectError } from "../kit/contractAnswer.ts";
import { composeOverVies, type OverVies, verdictIn } from "../kit/vat.ts";
import { REGISTERED, requestsFor } from "../kit/vies.ts";

let over: OverVies;
beforeAll(async () => {
  over = await composeOverVies({ vies: { companyOf: () => REGISTERED } });
});

describe("one number", () => {
  it.each([
    ["NL123456782B01", ["nl123456782b01", "NL 123456782 B01", "NL.1234.56.782.B.01", "NL-123456782-B01"]],
    [
      "NL123456782B90",
      ["NL123456782%2FB90", "%20NL123456782B90%20", "NL123456782%E2%80%93B90", "%4eL123456782B90"],
    ],
    ["NL000099998B57", ["NL99998B57", "NL 99998 B57", "nl000099998b57"]],
    ["EL094259216", ["GR094259216", "GR94259216", "el 094.259.216"]],
    [
      "DE136695976",
      ["DE+136+695+976", "DE%20136,695%20976", "+DE136695976", "DE_136_695_976", "DE%3A136695976"],
    ],
    ["IE8+79739I", ["IE8%2B79739I", "IE+8+79739I", "+ie8+79739i"]],
    ["NL820471616B01", ["NL%E2%80%8B820471616B01", "NL%C2%AD820471616B01", "NL+820471616+B01"]],
    [
      "BE0403019261",
      ["BE403019261", "BE+0403019261", "BE 0403.019.261", "BE-403/019/261".replaceAll("/", "%2F")],
    ],
  ])("%s is found in any notation, with one query to VIES", async (number, writings) => {
    for (const writing of [number, ...writings]) {
      const answer = await over.validate(writing.replaceAll(" ", "%20"));
      expect(verdictIn(answer)).toMatchObject({ vatNumber: number, valid: true, status: "validated" });
    }
    expect(requestsFor(over.vies, number)).toBe(1);
  });

  it.each([
    "gr%2094.259-216",
    "gr+94+259+216",
    "DE%E2%80%8B136%2C695+976",
    "DE%2B136695976",
    "EU+372+000+041",
    "EU%2B372000041",
    "eu%C2%AD372.000.041",
  ])("is read in the same way as a requester: %s", async (requester) => {
    const answer = await over.validate(`NL123456782B01?requester=${requester}`);
    expect(verdictIn(answer).consultationNumber).toMatch(/^WAPIAAAA/);
  });

  it.each([
    "BE2403019261",
    "BE9403019261",
    "DE036695976",
    "DK03585628",
    "IE6433435X",
    "IE6433435OZ",
    "MT01679112",
    "PT001964843",
    "RO018547290",
    "SE123456789702",
    "SI05022305",
    "SK0122749619",
    "SK2012749619",
  ])(
    "%s, in the Commission's format table, is queried at VIES although no such number was issued",
    async (number) => {
      const verdict = verdictIn(await over.validate(number));
      expect(verdict).toMatchObject({
        vatNumber: number,
        valid: true,
        status: "validated",
        checksumValid: false,
      });
      expect(requestsFor(over.vies, number)).toBe(1);
    },
  );
});

const ODD = [
  ["Great Britain's", "GB123456789"],
  ["Switzerland's", "CHE123456789"],
  ["Norway's", "NO123456789MVA"],
  ["of the one-stop shop", "EU372000041"],
  ["without a country code", "123456782B01"],
  ["of a country code alone", "NL"],
  ["with its country code twice", "NLNL123456782B01"],
  ["that is too long", "DE1234567890123"],
  ["that is too short", "DE1"],
  ["of another alphabet", encodeURIComponent("ΕΛ094259216")],
  ["of fullwidth digits", encodeURIComponent("NL１２３４５６７８２B01")],
  ["that is a word", "__proto__"],
  ["that is another word", "constructor"],
  ["with a NUL", "NL123456782B01%00"],
  ["with only a space", "%20"],
  ["of 5,000 digits", `NL${"1".repeat(5_000)}`],
  ["of 5,000 spaces", "%20".repeat(1_500)],
] as const;

describe("an invalid number", () => {
  it.each(ODD)("%s is INVALID_VAT_NUMBER, free of charge, and not repeated", async (_what, text) => {
    const requestsBefore = over.vies.counts.all.requests;
    const answer = await over.validate(text);
    expectError(answer, "INVALID_VAT_NUMBER");
    expectBalance(answer);
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
    for (const part of ["1234", "0942", "3720", "1111", "proto", "constructor", "１２"]) {
      expect(answer.text).not.toContain(part);
    }
    expect(over.vies.counts.all.requests).toBe(requestsBefore);
  });

  it.each(["%zz", "%", "NL%c3%28123", "NL12345678%ff", "%ed%a0%80", "%c0%af"])(
    "with an undecodable escape (%s) is 400, free of charge",
    async (text) => {
      const answer = await over.validate(text);
      expectError(answer, "INVALID_REQUEST");
      expectBalance(answer);
      expect(messageOf(answer)).toContain("path");
      expect(numberIn(answer, "x-tokens-charged")).toBe(0);
      expect(answer.text).not.toContain("1234");
    },
  );

  it.each([
    "NL123456782B01%2F..%2F..%2Fusage",
    "..%2F..%2Flookup",
    "NL123456782B01%3FmaxAge=0",
    "%23NL123456782B01",
  ])("in the form of a disguised path (%s) is treated like any other", async (text) => {
    expectError(await over.validate(text), "INVALID_VAT_NUMBER");
  });

  it.each([
    "GB123456789",
    "NL123456789B01",
    "DE12345678",
    "123456782",
    "EU12345678",
    "EU1234567890",
    "",
    "%00",
    "%20",
    "__proto__",
    "9".repeat(5_000),
  ])("as a requester (%s) is INVALID_REQUEST that names the field and repeats nothing", async (text) => {
    const requestsBefore = over.vies.counts.all.requests;
    const answer = await over.validate(`NL123456782B01?requester=${text}`);
    expectError(answer, "INVALID_REQUEST");
    expectBalance(answer);
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
    expect(messageOf(answer)).toContain("requester");
    for (const part of ["1234", "9999", "proto"]) expect(answer.text).not.toContain(part);
    expect(over.vies.counts.all.requests).toBe(requestsBefore);
  });
});
