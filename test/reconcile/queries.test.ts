/** Reconciliation queries: results and prices. */
import { beforeAll, describe, expect, it } from "vitest";
import { inject, jsonOf, messageOf, numberIn } from "../kit/answer.ts";
import { BAKERY, COMPANIES, FERRY, kvkNumber, SHIELDED } from "../kit/companies.ts";
import { expectError } from "../kit/contractAnswer.ts";
import type { InProcess } from "../kit/inProcess.ts";
import type { TestAccount } from "../kit/world.ts";
import { form, PATH, post, type Result, serve } from "./reconciling.ts";

let service: InProcess;
let account: TestAccount;
const TIERS = {
  three: { monthlyTokens: 3, ratePerMinute: 1_000 },
  slow: { monthlyTokens: 1_000, ratePerMinute: 3 },
};
/** Companies with one name in different cities. */
const TWINS = Array.from({ length: 12 }, (_, index) => ({
  origin: "import:fabel",
  asOf: "2026-01-01T00:00:00.000Z",
  facts: {
    kvkNumber: kvkNumber(String(52_000_000 + index)),
    name: "Twaalfling Fabel B.V.",
    isActive: true,
    address: { kind: "visiting" as const, city: `Fabeldorp ${index}`, country: "NL" },
  },
}));
beforeAll(async () => {
  service = await serve({ tiers: TIERS, companies: [...COMPANIES, ...TWINS] });
  account = await service.account("plenty");
});

const ask = (queries: unknown, key = account.key) => post(service, key, { queries });

async function results(
  queries: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, Result>>> {
  const answer = await ask(queries);
  expect(answer.status, answer.text).toBe(200);
  return jsonOf(answer) as Readonly<Record<string, Result>>;
}

describe("a batch of queries", () => {
  it("returns a result for each id of the caller, with score, match, type and features", async () => {
    const found = await results({
      "row 1": { query: "Bakkerij De Fabelkorst", properties: [{ pid: "city", v: "Verzinstad" }] },
      __proto__: { query: "x" },
      "2": { query: "Stichting Het Verzonnen Veer", type: "company", type_strict: "should", limit: 1 },
    });
    expect(Object.keys(found).sort()).toEqual(["2", "row 1"]);
    const [best] = found["row 1"]?.result ?? [];
    expect(best).toMatchObject({ id: BAKERY, match: true, type: [{ id: "company" }] });
    expect(best?.score).toBeGreaterThanOrEqual(90);
    expect(best?.features).toContainEqual({ id: "city", value: 1 });
    expect(found["2"]?.result.map(({ id }) => id)).toEqual([FERRY]);
  });

  it("accepts any id, also one that JavaScript treats specially", async () => {
    const answer = await ask(
      '{"__proto__": {"query": "Bakkerij De Fabelkorst"}, "constructor": {"query": "x y"}}',
    );
    expect(answer.text).toContain('"__proto__":{"result":[{"id"');
    expect(answer.text).toContain('"constructor":{"result":[');
    expect(numberIn(answer, "x-tokens-charged")).toBe(2);
  });

  it.each<[string, unknown]>([
    ["a text", BAKERY],
    ["a number", Number(BAKERY)],
    ["a list", ["", BAKERY]],
    ["a reconciled entity", { id: BAKERY }],
  ])("reads a KVK number from %s", async (_, v) => {
    const found = await results({ q: { properties: [{ pid: "kvkNumber", v }] } });
    expect(found["q"]?.result).toMatchObject([{ id: BAKERY, match: true }]);
  });

  it.each([BAKERY, `KVK ${BAKERY}`])(
    "finds a company by a KVK number in place of a name: %s",
    async (name) => {
      const found = await results({ q: { query: name } });
      expect(found["q"]?.result).toMatchObject([{ id: BAKERY, match: true }]);
    },
  );

  it("uses the properties rsin and website", async () => {
    const rsin = await results({ q: { properties: [{ pid: "rsin", v: "123456782" }] } });
    expect(rsin["q"]?.result[0]).toMatchObject({ id: BAKERY, match: true });
    const site = { query: "Fabelkorst", properties: [{ pid: "website", v: "fabelkorst.example" }] };
    const found = await results({ q: site });
    expect(found["q"]).not.toHaveProperty("error");
    expect(found["q"]?.result[0]?.features.map(({ id }) => id)).toContain("website");
  });

  it("finds a company by its address and by its VAT number", async () => {
    const found = await results({
      address: {
        properties: [
          { pid: "postalCode", v: "1234AB" },
          { pid: "houseNumber", v: 17 },
        ],
      },
      vat: { query: "Fabelkorst", properties: [{ pid: "vatNumber", v: "NL123456782B01" }] },
    });
    expect(found["address"]?.result[0]?.id).toBe(BAKERY);
    expect(found["vat"]?.result[0]).toMatchObject({ id: BAKERY, match: true });
  });

  it("returns at most `limit` candidates for each query", async () => {
    const found = await results({
      one: { query: "Twaalfling Fabel", limit: 1 },
      all: { query: "Twaalfling Fabel", limit: 1_000 },
      usual: { query: "Twaalfling Fabel" },
    });
    expect(Object.entries(found).map(([id, { result }]) => [id, result.length])).toEqual([
      ["one", 1],
      ["all", 10],
      ["usual", 5],
    ]);
    for (const { result } of Object.values(found)) expect(result.some(({ match }) => match)).toBe(false);
  });

  it("uses and shows only the city of a shielded address", async () => {
    const found = await results({
      name: { query: "Geheimhof Advies", properties: [{ pid: "city", v: "Stilledorp" }] },
      address: {
        properties: [
          { pid: "postalCode", v: "9876 ZX" },
          { pid: "houseNumber", v: "9" },
        ],
      },
    });
    expect(found["name"]?.result[0]).toMatchObject({ id: SHIELDED, description: "Stilledorp" });
    expect(found["address"]?.result).toEqual([]);
    expect(JSON.stringify(found)).not.toMatch(/Schuilstraat|9876/);
  });

  it("is answered by GET as by POST", async () => {
    const queries = { q0: { query: "Bakkerij De Fabelkorst" } };
    const path = `${PATH}?${form({ queries })}`;
    expectError(await inject(service.app, { path }), "UNAUTHORIZED");
    const got = await inject(service.app, { path, key: account.key });
    expect([got.status, numberIn(got, "x-tokens-charged")]).toEqual([200, 1]);
    expect(got.text).toBe((await ask(queries)).text);
  });
});

it("says which numbers of a query were not used, or were completed", async () => {
  const properties = (pid: string, v: string | number) => ({
    query: "Bakkerij De Fabelkorst",
    properties: [{ pid, v }],
  });
  const answer = await ask({
    vat: properties("vatNumber", "DE1234"),
    kvk: properties("kvkNumber", 6_000_346),
  });
  expect(jsonOf(answer)).toMatchObject({
    vat: { result: [{ name: "Bakkerij De Fabelkorst B.V." }], notes: [{ code: "number_unusable" }] },
    kvk: { notes: [{ code: "number_padded" }, { code: "number_unknown" }] },
  });
});

describe("the price of a batch", () => {
  it("is 1 token for each valid query, also when nothing is found, and 0 for an invalid one", async () => {
    const answer = await ask({
      found: { query: "Bakkerij De Fabelkorst" },
      none: { query: "Xyloxyqq Wvvzz" },
      number: { properties: [{ pid: "kvkNumber", v: "12" }] },
      vat: { properties: [{ pid: "vatNumber", v: "DE1234" }] },
      empty: { query: " " },
      type: { query: "Bakkerij", type: ["person"] },
    });
    expect(numberIn(answer, "x-tokens-charged")).toBe(2);
    const found = jsonOf(answer) as Readonly<Record<string, Result>>;
    const codes = Object.entries(found).map(([id, { error, result }]) => [
      id,
      error?.code,
      result.length > 0,
    ]);
    expect(codes).toEqual([
      ["found", undefined, true],
      ["none", undefined, false],
      ["number", "INVALID_KVK_NUMBER", false],
      ["vat", "INVALID_VAT_NUMBER", false],
      ["empty", "INVALID_REQUEST", false],
      ["type", "INVALID_REQUEST", false],
    ]);
    expect(answer.text).not.toContain("DE1234");
  });

  it("must be covered in full before anything is matched", async () => {
    const { id, key } = await service.account("three");
    const query = { query: "Bakkerij De Fabelkorst" };
    const refused = await ask({ a: query, b: query, c: query, d: query }, key);
    expectError(refused, "QUOTA_EXCEEDED");
    expect(messageOf(refused)).toContain("up to 4 tokens");
    expect((await service.state.ledger.spent(id))?.used ?? 0).toBe(0);
    const covered = await ask({ a: query, b: query, c: query }, key);
    expect([covered.status, numberIn(covered, "x-tokens-remaining")]).toEqual([200, 0]);
  });

  it("is charged once for a repeated Idempotency-Key", async () => {
    const headers = { "idempotency-key": "reconcile-once" };
    const send = () =>
      post(service, account.key, { queries: { q: { query: "Bakkerij De Fabelkorst" } } }, headers);
    const [first, again] = [await send(), await send()];
    expect([first, again].map((answer) => numberIn(answer, "x-tokens-charged"))).toEqual([1, 0]);
    expect(again.text).toBe(first.text);
    expect(again.headers["idempotency-replayed"]).toBe("true");
  });

  it("includes one slot of the rate limit; over the limit there is a Retry-After", async () => {
    const { key } = await service.account("slow");
    const queries = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`q${index}`, { query: `Proefbedrijf ${index}` }]),
    );
    const answers = [];
    for (let time = 0; time < 4; time++) answers.push(await ask(queries, key));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map((answer) => numberIn(answer, "x-tokens-charged"))).toEqual([10, 10, 10, 0]);
    const waits = answers
      .filter(({ status }) => status === 429)
      .map((answer) => numberIn(answer, "retry-after"));
    expect(waits).toEqual([expect.toSatisfy((seconds: number) => seconds >= 1 && seconds <= 60)]);
  });
});
