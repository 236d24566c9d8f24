/** Every verdict of the contract as callers receive it, with its price. */
import { beforeAll, describe, expect, it } from "vitest";
import { inject, jsonOf, messageOf, numberIn } from "../kit/answer.ts";
import { expectBalance, expectDocumented, expectError } from "../kit/contractAnswer.ts";
import { composeOverVies, type OverVies, validationOf, verdictIn } from "../kit/vat.ts";
import { queriedNumbers, REGISTERED, REGISTERED_ADDRESS, requestsFor } from "../kit/vies.ts";

const endpoint = { method: "GET", path: "/v1/validate/vat/:vatNumber" } as const;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Numbers registered here; the others are those of the simulator. */
const KNOWN = ["NL123456782B01", "NL000099998B57", "PL8567346215", "PL1000000000", "XI980780684"];

let over: OverVies;
beforeAll(async () => {
  over = await composeOverVies({
    tiers: { penniless: { monthlyTokens: 0, ratePerMinute: 100 } },
    vies: { companyOf: (state, national) => (KNOWN.includes(state + national) ? REGISTERED : undefined) },
  });
});

describe("a verdict", () => {
  it("from VIES has all of its data and costs 1", async () => {
    const answer = await over.validate("NL123456782B01");
    expectDocumented(endpoint, answer);
    expectBalance(answer);
    expect(numberIn(answer, "x-tokens-charged")).toBe(1);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(jsonOf(answer)).toEqual({
      vatNumber: "NL123456782B01",
      valid: true,
      name: REGISTERED.name,
      address: REGISTERED_ADDRESS,
      validatedAt: expect.stringMatching(MOMENT),
      status: "validated",
      checksumValid: true,
    });
  });

  it("is returned again while it is fresh, with its own time, for 1 and without querying VIES", async () => {
    const first = await over.validate("NL000099998B57");
    const again = await over.validate("NL000099998B57");
    expect(jsonOf(again)).toEqual(jsonOf(first));
    expect(numberIn(again, "x-tokens-charged")).toBe(1);
    expect(requestsFor(over.vies, "NL000099998B57")).toBe(1);
    expect(jsonOf(await over.validate("NL000099998B57?maxAge=3600"))).toEqual(jsonOf(first));
    expect(requestsFor(over.vies, "NL000099998B57")).toBe(1);
  });

  it("is refreshed with maxAge=0", async () => {
    for (const times of [1, 2, 3]) {
      const verdict = verdictIn(await over.validate("PL1000000000?maxAge=0"));
      expect([verdict.status, requestsFor(over.vies, "PL1000000000")]).toEqual(["validated", times]);
    }
  });

  it("of a refusal has neither name nor address", async () => {
    const answer = await over.validate("DE999999200");
    expectDocumented(endpoint, answer);
    expect(numberIn(answer, "x-tokens-charged")).toBe(1);
    expect(jsonOf(answer)).toEqual({
      vatNumber: "DE999999200",
      valid: false,
      validatedAt: expect.stringMatching(MOMENT),
      status: "validated",
      checksumValid: false,
    });
  });

  it("of a state that withholds trader data has neither name nor address", async () => {
    expect(Object.keys(verdictIn(await over.validate("DE999999100"))).sort()).toEqual(
      ["checksumValid", "status", "valid", "validatedAt", "vatNumber"].sort(),
    );
  });

  it("includes another state's checksum, which has no influence", async () => {
    expect(verdictIn(await over.validate("PL8567346215"))).toMatchObject({
      valid: true,
      checksumValid: true,
    });
    expect(verdictIn(await over.validate("PL1000000000"))).toMatchObject({
      valid: true,
      checksumValid: false,
    });
    expect(verdictIn(await over.validate("XI980780684"))).toMatchObject({ valid: true, checksumValid: true });
  });

  it("is stale when VIES has no answer: the previous one with its time and age, for 1", async () => {
    const fresh = verdictIn(await over.validate("NL123456782B01?maxAge=0"));
    over.vies.setFault("NL", { kind: "code", code: "VAT_BLOCKED" });
    const answer = await over.validate("NL123456782B01?maxAge=0");
    over.vies.clearFaults();
    expectDocumented(endpoint, answer);
    expectBalance(answer);
    expect(numberIn(answer, "x-tokens-charged")).toBe(1);
    expect(jsonOf(answer)).toEqual({ ...fresh, status: "stale", ageSeconds: expect.any(Number) });
    const { ageSeconds, validatedAt } = verdictIn(answer);
    const oldestMs = Date.now() - Date.parse(validatedAt ?? "");
    expect(ageSeconds).toBeGreaterThanOrEqual(0);
    expect(ageSeconds).toBeLessThanOrEqual(oldestMs / 1_000);
  });

  it.each([
    ["the Dutch checksum", "NL123456789B01"],
    ["the Dutch suffix", "NL123456782B00"],
    ["the form of Germany", "DE12345678"],
    ["the form of Poland", "PL123"],
    ["the announced Dutch form", "NLA+*456782B90"],
  ])("of a number that fails %s is malformed, for 1 and without querying VIES", async (_rule, number) => {
    const answer = await over.validate(encodeURIComponent(number));
    expectDocumented(endpoint, answer);
    expectBalance(answer);
    expect(numberIn(answer, "x-tokens-charged")).toBe(1);
    expect(jsonOf(answer)).toEqual({
      vatNumber: number,
      valid: false,
      status: "malformed",
      checksumValid: false,
    });
    expect(queriedNumbers(over.vies)).not.toContain(number);
  });

  it("that is not available is UPSTREAM_ERROR and costs nothing", async () => {
    const answer = await over.validate("DE999999301");
    expectError(answer, "UPSTREAM_ERROR");
    expectDocumented(endpoint, answer);
    expectBalance(answer);
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
    expect(messageOf(answer)).not.toContain("999999301");
  });
});

describe("a call", () => {
  it("by HEAD costs the same and has no body", async () => {
    const head = await inject(over.service.app, {
      method: "HEAD",
      path: validationOf("NL123456782B01"),
      key: over.account.key,
    });
    expectBalance(head);
    expect([head.status, head.text, numberIn(head, "x-tokens-charged")]).toEqual([200, "", 1]);
  });

  it.each([
    ["maxAge=", "maxAge"],
    ["maxAge=-1", "maxAge"],
    ["maxAge=1.5", "maxAge"],
    ["maxAge=1e3", "maxAge"],
    ["maxAge=soon", "maxAge"],
    ["maxAge=31536001", "maxAge"],
    ["maxAge=99999999999999999999", "maxAge"],
    ["maxAge=0&maxAge=0", "maxAge"],
    ["requester=&requester=", "requester"],
    ["maxage=0", "maxAge, requester"],
    ["enrich=true", "maxAge, requester"],
  ])("with ?%s is refused with its name, free of charge", async (query, named) => {
    const answer = await over.validate(`NL123456782B01?${query}`);
    expectError(answer, "INVALID_REQUEST");
    expectBalance(answer);
    expect(messageOf(answer)).toContain(named);
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
  });

  it("without tokens is refused even if the number is cached, and VIES is not queried", async () => {
    const { key } = await over.service.account("penniless");
    const requestsBefore = over.vies.counts.all.requests;
    for (const number of ["NL123456789B01", "NL000099998B57", "PL7777777777"]) {
      const refused = await over.validate(number, key);
      expectError(refused, "QUOTA_EXCEEDED");
      expectBalance(refused);
    }
    expect(over.vies.counts.all.requests).toBe(requestsBefore);
  });
});
