import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, inject, jsonOf, messageOf, numberIn } from "../kit/answer.ts";
import {
  BAKERY,
  ENDED,
  FERRY,
  FOREIGN,
  FROM_GLEIF,
  NO_ADDRESS,
  PLAIN,
  SHIELDED,
  UNKNOWN,
} from "../kit/companies.ts";
import { expectDocumented, expectError } from "../kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";

interface BatchAnswer {
  readonly results: readonly { readonly kvkNumber: string }[];
  readonly failed: readonly { readonly kvkNumber: string; readonly error: { readonly code: string } }[];
  readonly tokensUsed: number;
}

let service: InProcess;
beforeAll(async () => {
  const tiers = { "has-9": { monthlyTokens: 9, ratePerMinute: 1_000 } };
  service = await composeInProcess(await makeWorld({ tiers }));
});

async function batch(
  kvkNumbers: readonly string[],
  { enrich, tier = "plenty" }: { enrich?: boolean; tier?: string } = {},
): Promise<{ answer: Answer; body: BatchAnswer; spent: number; key: string }> {
  const { key, id } = await service.account(tier);
  const body = { kvkNumbers, ...(enrich === undefined ? {} : { enrich }) };
  const answer = await inject(service.app, { method: "POST", path: "/v1/lookup/batch", key, body });
  const spent = (await service.state.ledger.spent(id))?.used ?? 0;
  return { answer, body: jsonOf(answer) as BatchAnswer, spent, key };
}

const endpoint = { method: "POST", path: "/v1/lookup/batch" } as const;
const digitsOf = (items: readonly { readonly kvkNumber: string }[]) => items.map((item) => item.kvkNumber);

describe("a batch", () => {
  it("keeps the order in both lists, returns and charges a number once, and does not fail because of an invalid number", async () => {
    const sent = [UNKNOWN, FERRY, "123", BAKERY, FERRY, "123", "abc", BAKERY, UNKNOWN, NO_ADDRESS];
    const { answer, body, spent } = await batch(sent);
    expect(answer.status).toBe(200);
    expectDocumented(endpoint, answer);
    expect(digitsOf(body.results)).toEqual([FERRY, BAKERY, NO_ADDRESS]);
    expect(body.failed.map(({ kvkNumber, error }) => [kvkNumber, error.code])).toEqual([
      [UNKNOWN, "NOT_FOUND"],
      ["123", "INVALID_KVK_NUMBER"],
      ["abc", "INVALID_KVK_NUMBER"],
    ]);
    expect([body.tokensUsed, numberIn(answer, "x-tokens-charged"), spent]).toEqual([3, 3, 3]);
  });

  it("returns number, name, city, postal code and active status of a basic company, and no more", async () => {
    const { body } = await batch([BAKERY, FERRY, SHIELDED, FOREIGN, ENDED, NO_ADDRESS]);
    expect(body.results).toEqual([
      {
        kvkNumber: BAKERY,
        name: "Bakkerij De Fabelkorst B.V.",
        address: { postalCode: "1234 AB", city: "Verzinstad" },
        isActive: true,
      },
      {
        kvkNumber: "01234567",
        name: "Stichting Het Verzonnen Veer",
        address: { postalCode: "2345 CD", city: "Sagendam" },
        isActive: true,
      },
      { kvkNumber: SHIELDED, name: "Geheimhof Advies", address: { city: "Stilledorp" }, isActive: true },
      {
        kvkNumber: FOREIGN,
        name: "Fabelkompanie GmbH",
        address: { city: "X-13501 Fabelburg" },
        isActive: true,
      },
      {
        kvkNumber: ENDED,
        name: "Bakkerij Het Laatste Sprookje V.O.F.",
        address: { city: "Verzinstad" },
        isActive: false,
      },
      { kvkNumber: NO_ADDRESS, name: "Coöperatie Nergenshuizen U.A.", address: {}, isActive: true },
    ]);
  });

  it("returns with enrich the data of a single enriched lookup, at the same cost", async () => {
    const { key } = await service.account("plenty");
    const numbers = [BAKERY, FROM_GLEIF, FERRY];
    const singles = [];
    for (const number of numbers) {
      singles.push(await inject(service.app, { path: `/v1/lookup/${number}?enrich=true`, key }));
    }
    const { body, spent, answer } = await batch([...numbers, UNKNOWN, "x"], { enrich: true });
    expectDocumented(endpoint, answer);
    expect(body.results).toEqual(singles.map(jsonOf));
    // GLEIF has no activities, so nothing is added to its company.
    expect(singles.map((single) => numberIn(single, "x-tokens-charged"))).toEqual([5, 1, 5]);
    expect([body.tokensUsed, spent]).toEqual([11, 11]);
  });

  it("accepts a hundred numbers and uses one slot of the rate window", async () => {
    const { answer, body, spent, key } = await batch(PLAIN.slice(0, 100), { tier: "pro" });
    expect(digitsOf(body.results)).toEqual(PLAIN.slice(0, 100));
    expect([body.failed, body.tokensUsed, spent]).toEqual([[], 100, 100]);
    expect(numberIn(answer, "x-ratelimit-remaining")).toBe(299);
    const usage = await inject(service.app, { path: "/v1/usage", key });
    expect(jsonOf(usage)).toMatchObject({
      operations: expect.arrayContaining([{ operation: "batch", requests: 1, tokens: 100, refusals: 0 }]),
    });
  });

  it("must be covered at the full price of the distinct well-formed numbers, delivered or not", async () => {
    const nine = [...PLAIN.slice(0, 8), UNKNOWN];
    const covered = await batch([...nine, ...nine, "123", "456"], { tier: "has-9" });
    expect([covered.answer.status, covered.spent]).toEqual([200, 8]);
    const tooMuch = await batch([...nine, FERRY], { tier: "has-9" });
    expectError(tooMuch.answer, "QUOTA_EXCEEDED");
    expect(tooMuch.spent).toBe(0);
    expect(messageOf(tooMuch.answer)).toMatch(/\b10 tokens\b.*\b9 are left\b/);
    const enriched = await batch([BAKERY, FROM_GLEIF], { tier: "has-9", enrich: true });
    expectError(enriched.answer, "QUOTA_EXCEEDED");
    expect(enriched.spent).toBe(0);
  });

  it("of invalid numbers only costs nothing and needs no tokens", async () => {
    const { answer, body, spent } = await batch(["1", "2"], { tier: "has-9", enrich: true });
    expect([answer.status, body.results, body.failed.length, spent]).toEqual([200, [], 2, 0]);
  });

  it("returns a failed number as it was sent", async () => {
    const odd = ["", " 50000001", "５０００００01", '"\\\u2028', "50000001\n", "é".repeat(100), "__proto__"];
    const { body } = await batch(odd);
    expect(digitsOf(body.failed)).toEqual(odd);
  });
});
