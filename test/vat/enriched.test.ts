/** An enriched company includes the verdict on its VAT number, and never fails or misleads without one. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Answer, inject, jsonOf, numberIn } from "../kit/answer.ts";
import { expectBalance, expectDocumented } from "../kit/contractAnswer.ts";
import { composeOverVies, type OverVies } from "../kit/vat.ts";
import { queriedNumbers } from "../kit/vies.ts";
import * as companies from "./companies.ts";

const endpoint = { method: "GET", path: "/v1/lookup/:kvkNumber" } as const;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let over: OverVies;
const compose = (environment: Readonly<Record<string, string>> = {}) =>
  composeOverVies({
    companies: companies.VAT_COMPANIES,
    vies: { companyOf: companies.knownToVies },
    environment,
  });

const look = (kvkNumber: string, query = "?enrich=true"): Promise<Answer> =>
  inject(over.service.app, { path: `/v1/lookup/${kvkNumber}${query}`, key: over.account.key });

interface Seen {
  readonly vat: unknown;
  readonly vies: unknown;
  readonly tokens: number;
}

async function enriched(kvkNumber: string): Promise<Seen> {
  const answer = await look(kvkNumber);
  expect(answer.status).toBe(200);
  expectDocumented(endpoint, answer);
  expectBalance(answer);
  const { vat, source } = jsonOf(answer) as { vat?: unknown; source: { vies?: unknown } };
  return { vat, vies: source.vies, tokens: numberIn(answer, "x-tokens-charged") };
}

const validated = { valid: true, status: "validated", validatedAt: expect.stringMatching(MOMENT) };

describe("while VIES is up", () => {
  beforeAll(async () => {
    over = await compose();
  });

  it.each([
    ["the registry's number", companies.GIVEN, companies.GIVEN_NUMBER, "registry"],
    ["the number derived from the RSIN", companies.DERIVED, companies.DERIVED_NUMBER, "rsin"],
    [
      "the derived number if the registry's is invalid",
      companies.NONSENSE,
      companies.NONSENSE_NUMBER,
      "rsin",
    ],
  ])("%s has its verdict", async (_what, kvkNumber, number, origin) => {
    expect(await enriched(kvkNumber)).toEqual({
      vat: { number, ...validated, checksumValid: true, origin },
      vies: "validated",
      tokens: 5,
    });
  });

  it("a registry's number that VIES refuses is returned as refused", async () => {
    expect(await enriched(companies.REFUSED_GIVEN)).toEqual({
      vat: {
        number: companies.REFUSED_GIVEN_NUMBER,
        ...validated,
        valid: false,
        checksumValid: true,
        origin: "registry",
      },
      vies: "validated",
      tokens: 5,
    });
  });

  it("a derived number that VIES refuses is marked accordingly", async () => {
    expect(await enriched(companies.REFUSED_DERIVED)).toEqual({
      vat: {
        number: companies.REFUSED_DERIVED_NUMBER,
        ...validated,
        valid: false,
        checksumValid: true,
        origin: "rsin",
      },
      vies: "validated",
      tokens: 5,
    });
  });

  it("a number that fails the Dutch checksum is malformed, and VIES is not queried", async () => {
    expect(await enriched(companies.MALFORMED)).toEqual({
      vat: {
        number: "NL123456789B01",
        valid: false,
        status: "malformed",
        checksumValid: false,
        origin: "registry",
      },
      vies: "malformed",
      tokens: 5,
    });
    expect(queriedNumbers(over.vies)).not.toContain("NL123456789B01");
  });

  it.each([
    ["without a number", companies.NUMBERLESS],
    ["with an invalid RSIN", companies.BAD_RSIN],
  ])("a company %s has no vat, and VIES is not queried", async (_what, kvkNumber) => {
    const requestsBefore = over.vies.counts.all.requests;
    expect(await enriched(kvkNumber)).toEqual({ vat: undefined, vies: undefined, tokens: 5 });
    expect(over.vies.counts.all.requests).toBe(requestsBefore);
  });

  it("a company without activities costs 5 with a verdict and 1 without one", async () => {
    expect(await enriched(companies.IDLE_DERIVED)).toMatchObject({
      vat: { number: companies.IDLE_DERIVED_NUMBER },
      tokens: 5,
    });
    expect(await enriched(companies.IDLE_REFUSED)).toMatchObject({
      vat: { valid: false, origin: "rsin" },
      vies: "validated",
      tokens: 5,
    });
    expect(await enriched(companies.IDLE_NUMBERLESS)).toEqual({ vat: undefined, vies: undefined, tokens: 1 });
  });

  it("a basic lookup has no vat, and VIES is not queried", async () => {
    const requestsBefore = over.vies.counts.all.requests;
    const answer = await look(companies.DERIVED, "");
    expect(jsonOf(answer)).not.toHaveProperty("vat");
    expect(jsonOf(answer)).not.toHaveProperty("source.vies");
    expect(numberIn(answer, "x-tokens-charged")).toBe(1);
    expect(over.vies.counts.all.requests).toBe(requestsBefore);
  });

  it("vatMaxAge limits the verdict's age, and 0 queries VIES", async () => {
    const queryCount = () =>
      queriedNumbers(over.vies).filter((number) => number === companies.GIVEN_NUMBER).length;
    await enriched(companies.GIVEN);
    const before = queryCount();
    const moments: unknown[] = [];
    for (const query of ["?enrich=true&vatMaxAge=3600", "?enrich=true&vatMaxAge=0", "?vatMaxAge=0"]) {
      const answer = await look(companies.GIVEN, query);
      expect(answer.status).toBe(200);
      moments.push(queryCount() - before);
    }
    expect(moments).toEqual([0, 1, 1]);
    const refused = await look(companies.GIVEN, "?enrich=true&vatMaxAge=-1");
    expect([refused.status, jsonOf(refused)]).toMatchObject([400, { error: { code: "INVALID_REQUEST" } }]);
  });

  it("the verdict is the one of the validation endpoint, with one query for both", async () => {
    const { vat } = await enriched(companies.DERIVED);
    const validation = jsonOf(await over.validate(companies.DERIVED_NUMBER));
    expect(vat).toMatchObject({ validatedAt: (validation as { validatedAt: string }).validatedAt });
    expect(queriedNumbers(over.vies).filter((number) => number === companies.DERIVED_NUMBER)).toHaveLength(1);
  });
});

describe("while VIES is down", () => {
  // Nothing stays fresh, so every lookup queries VIES.
  beforeAll(async () => {
    over = await compose({ VIES_FRESH_FOR: "0", VIES_REFUSAL_FRESH_FOR: "0" });
  });
  beforeEach(() => over.vies.clearFaults());
  const AWAY = { kind: "code", code: "VAT_BLOCKED" } as const;

  it("a company without a cached verdict is unvalidated, neither valid nor invalid", async () => {
    over.vies.setFault("*", AWAY);
    expect(await enriched(companies.DERIVED)).toEqual({
      vat: {
        number: companies.DERIVED_NUMBER,
        status: "unvalidated",
        checksumValid: true,
        origin: "rsin",
      },
      vies: "unvalidated",
      tokens: 5,
    });
    expect(await enriched(companies.IDLE_DERIVED)).toMatchObject({
      vat: { status: "unvalidated" },
      vies: "unvalidated",
      tokens: 1,
    });
  });

  it("a company with a cached verdict is stale, with its age", async () => {
    const before = await enriched(companies.GIVEN);
    over.vies.setFault("*", AWAY);
    const stale = { ...(before.vat as object), status: "stale", ageSeconds: expect.any(Number) };
    expect(await enriched(companies.GIVEN)).toEqual({ vat: stale, vies: "stale", tokens: 5 });
  });

  it("a company whose derived number VIES refused before shows that, as stale", async () => {
    const before = await enriched(companies.REFUSED_DERIVED);
    over.vies.setFault("*", AWAY);
    const stale = { ...(before.vat as object), status: "stale", ageSeconds: expect.any(Number) };
    expect(stale).toMatchObject({ valid: false });
    expect(await enriched(companies.REFUSED_DERIVED)).toEqual({ vat: stale, vies: "stale", tokens: 5 });
  });

  it("a malformed number is still malformed", async () => {
    over.vies.setFault("*", AWAY);
    expect(await enriched(companies.MALFORMED)).toMatchObject({
      vat: { status: "malformed" },
      vies: "malformed",
      tokens: 5,
    });
  });
});
