import { describe, expect, it } from "vitest";
import { ERROR_CODES } from "../../contract/errors.ts";
import { isKvkNumber, passesElfproef, passesKvkCheck } from "../../contract/numbers.ts";
import { generateCompanies } from "../../demo/registry/generateCompanies.ts";
import { checkVatNumber } from "../../vat/numbers/check.ts";
import { isVatNumber, parseVatNumber } from "../../vat/numbers/parse.ts";
import { TEST_COMPANIES } from "./companies.ts";
import {
  NO_COMPANY,
  REFUSED_REQUESTER,
  SLOW,
  TEST_MATCHES,
  TEST_OUTCOMES,
  TEST_QUERIES,
  TEST_VAT_NUMBERS,
} from "./outcomes.ts";

const kvkNumbers = [
  ...TEST_COMPANIES.map(({ facts }) => facts.kvkNumber),
  ...TEST_OUTCOMES.map(({ kvkNumber }) => kvkNumber),
  NO_COMPANY,
];
const vatNumbers = [
  ...TEST_VAT_NUMBERS.map(({ vatNumber }) => vatNumber),
  ...TEST_OUTCOMES.map(({ vatNumber }) => vatNumber),
];

describe("the table of the sandbox", () => {
  it("contains each number once, in normal form", () => {
    expect(new Set(kvkNumbers).size).toBe(kvkNumbers.length);
    expect(new Set(vatNumbers).size).toBe(vatNumbers.length);
    expect(kvkNumbers.filter((number) => !isKvkNumber(number))).toEqual([]);
    for (const vatNumber of [...vatNumbers, REFUSED_REQUESTER]) {
      expect(parseVatNumber(vatNumber)).toMatchObject({ vatNumber });
    }
  });

  it("has numbers that no real company and no demo company has", () => {
    const mayBeReal = kvkNumbers.filter(
      (number) => isKvkNumber(number) && !number.startsWith("00") && passesKvkCheck(number),
    );
    expect(mayBeReal).toEqual([]);
    const ofDemo = new Set(
      [...generateCompanies({ companies: 5_000, seed: 1 })].map(({ facts }) => facts.kvkNumber),
    );
    expect(kvkNumbers.filter((number) => isKvkNumber(number) && ofDemo.has(number))).toEqual([]);
    for (const { facts } of TEST_COMPANIES) {
      if (facts.rsin !== undefined) expect(facts.rsin).toMatch(/^9/);
      if (facts.rsin !== undefined) expect(passesElfproef(facts.rsin)).toBe(true);
    }
  });

  it("has unique branch numbers of twelve digits", () => {
    const numbers = TEST_COMPANIES.flatMap(({ facts }) => facts.branches ?? []).map(
      ({ branchNumber }) => branchNumber,
    );
    expect(numbers.filter((number) => !/^9999[0-9]{8}$/.test(number))).toEqual([]);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it("has valid VAT numbers, except those that demonstrate malformed ones", () => {
    const malformed = vatNumbers.filter((text) => {
      const number = parseVatNumber(text);
      return isVatNumber(number) && checkVatNumber(number).isMalformed;
    });
    const shown = TEST_VAT_NUMBERS.filter(({ shows }) => shows.startsWith("malformed"));
    expect(malformed).toEqual(shown.map(({ vatNumber }) => vatNumber));
  });

  it("includes every error that a caller's input cannot cause", () => {
    const byInput = [
      "INVALID_KVK_NUMBER",
      "INVALID_VAT_NUMBER",
      "INVALID_REQUEST",
      "UNAUTHORIZED",
      "NOT_FOUND",
      "NOT_HELD",
      "ROUTE_NOT_FOUND",
      "METHOD_NOT_ALLOWED",
      "PAYLOAD_TOO_LARGE",
      "UNSUPPORTED_MEDIA_TYPE",
      // Caused by a repeated request with another body.
      "CONFLICT",
      "CURSOR_EXPIRED",
      "RANGE_NOT_SATISFIABLE",
    ];
    const simulated: readonly string[] = TEST_OUTCOMES.map(({ code }) => code);
    expect(ERROR_CODES.filter((code) => !byInput.includes(code) && !simulated.includes(code))).toEqual([]);
  });

  it("explains each row in both languages", () => {
    for (const { shows } of [
      ...TEST_COMPANIES,
      ...TEST_VAT_NUMBERS,
      ...TEST_OUTCOMES,
      ...TEST_QUERIES,
      ...TEST_MATCHES,
    ]) {
      expect(shows.length).toBeGreaterThan(4);
    }
    expect(kvkNumbers).toContain(SLOW.kvkNumber);
  });
});
