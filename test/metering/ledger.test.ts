/** The operator's ledger matches what callers saw. */
import { beforeAll, expect, it } from "vitest";
import { type Answer, codeOf, jsonOf, numberIn, type TestRequest } from "../kit/answer.ts";
import { ask, load } from "../kit/client.ts";
import { BAKERY, FROM_GLEIF, PLAIN, UNKNOWN } from "../kit/companies.ts";
import { opzoek } from "../kit/opzoek.ts";
import { type Service, startService } from "../kit/service.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { makeWorld, type World } from "../kit/world.ts";

interface Line {
  readonly keyId: string;
  readonly operation: string;
  readonly requests: number;
  readonly tokens: number;
  readonly refusedByRate: number;
  readonly refusedByAllowance: number;
}

interface UsageReport {
  readonly tokens: { readonly used: number };
  readonly ledger: readonly Line[];
}

let world: World;
let service: Service;
beforeAll(async () => {
  const tiers = {
    "seven-a-minute": { monthlyTokens: 1_000_000, ratePerMinute: 7 },
    "forty-tokens": { monthlyTokens: 40, ratePerMinute: 1_000_000 },
  };
  world = await makeWorld({ tiers });
  await awayFromMonthEnd();
  service = await startService(world);
});

async function report(accountId: string): Promise<UsageReport> {
  const { code, out, err } = await opzoek(["usage", accountId, "--json"], world.environment);
  expect(code, err).toBe(0);
  return JSON.parse(out) as UsageReport;
}

function sumOf(
  lines: readonly Line[],
  field: "requests" | "tokens" | "refusedByRate" | "refusedByAllowance",
): number {
  return lines.reduce((sum, line) => sum + line[field], 0);
}

it("the ledger's sums by key and operation equal the charges reported to callers", async () => {
  const { id, keys } = await world.account("plenty", 2);
  const batchBody = { kvkNumbers: PLAIN.slice(0, 9) };
  const kinds: readonly (Omit<TestRequest, "key"> & { readonly operation: string })[] = [
    { operation: "lookup", path: `/v1/lookup/${BAKERY}` },
    { operation: "lookup", path: `/v1/lookup/${UNKNOWN}` },
    { operation: "lookup", path: "/v1/lookup/nonsense" },
    { operation: "lookup.enriched", path: `/v1/lookup/${BAKERY}?enrich=true` },
    { operation: "lookup.enriched", path: `/v1/lookup/${FROM_GLEIF}?enrich=true` },
    { operation: "branches", path: `/v1/lookup/${BAKERY}/branches` },
    { operation: "branches", path: `/v1/lookup/${FROM_GLEIF}/branches` },
    { operation: "batch", method: "POST", path: "/v1/lookup/batch", body: batchBody },
    {
      operation: "batch.enriched",
      method: "POST",
      path: "/v1/lookup/batch",
      body: { ...batchBody, enrich: true },
    },
    { operation: "autocomplete", path: "/v1/autocomplete?q=proef" },
    { operation: "search", path: "/v1/search?city=Proefdam" },
    { operation: "usage", path: "/v1/usage" },
    { operation: "other", path: "/v1/nowhere" },
    { operation: "other", method: "DELETE", path: "/v1/search" },
  ];
  const expected = new Map<string, { requests: number; tokens: number }>();
  for (const { key, id: keyId } of keys) {
    for (const { operation, ...request } of kinds) {
      const times = 3 + operation.length;
      const { answers } = await load(service, Array<TestRequest>(times).fill({ ...request, key }), {
        connections: 8,
      });
      const line = expected.get(`${keyId} ${operation}`) ?? { requests: 0, tokens: 0 };
      line.requests += answers.length;
      line.tokens += answers.reduce((sum, answer) => sum + numberIn(answer, "x-tokens-charged"), 0);
      expected.set(`${keyId} ${operation}`, line);
    }
  }
  const { tokens, ledger } = await report(id);
  const charges = new Map<string, { requests: number; tokens: number }>();
  for (const line of ledger) {
    const name = `${line.keyId} ${line.operation}`;
    const sum = charges.get(name) ?? { requests: 0, tokens: 0 };
    charges.set(name, { requests: sum.requests + line.requests, tokens: sum.tokens + line.tokens });
  }
  expect(Object.fromEntries(charges)).toEqual(Object.fromEntries(expected));
  expect(tokens.used).toBe(sumOf(ledger, "tokens"));
  const usage = await ask(service, { path: "/v1/usage", key: keys[0]?.key });
  expect(jsonOf(usage)).toMatchObject({ tokens: { used: tokens.used } });
});

it("the ledger counts every refusal over the rate, and each window admits exactly the limit", async () => {
  const { id, key } = await world.account("seven-a-minute");
  const calls = Array<TestRequest>(500).fill({ path: `/v1/lookup/${BAKERY}`, key });
  const { answers } = await load(service, calls, { connections: 32 });
  const refused = answers.filter((answer) => answer.status === 429);
  expect(new Set(refused.map(codeOf))).toEqual(new Set(["RATE_LIMIT_EXCEEDED"]));
  const windows = new Map<string, Answer[]>();
  for (const answer of answers) {
    const reset = answer.headers["x-ratelimit-reset"] ?? "";
    windows.set(reset, [...(windows.get(reset) ?? []), answer]);
  }
  for (const inWindow of windows.values()) {
    const admitted = inWindow.filter(({ status }) => status === 200).length;
    expect(admitted).toBe(Math.min(7, inWindow.length));
  }
  expect(refused.length).toBeGreaterThan(0);
  // Cached refusals reach the store within a moment.
  const { ledger } = await until("every refusal is in the ledger", async () => {
    const found = await report(id);
    return sumOf(found.ledger, "refusedByRate") >= refused.length ? found : undefined;
  });
  expect(sumOf(ledger, "refusedByRate")).toBe(refused.length);
  expect(sumOf(ledger, "requests")).toBe(answers.length - refused.length);
  expect(sumOf(ledger, "tokens")).toBe(answers.length - refused.length);
});

it("the ledger counts every refusal beyond the allowance", async () => {
  const { id, key } = await world.account("forty-tokens");
  const calls = Array<TestRequest>(100).fill({ path: `/v1/lookup/${BAKERY}`, key });
  const { answers } = await load(service, calls, { connections: 16 });
  expect(answers.filter(({ status }) => status === 200).length).toBe(40);
  const { ledger, tokens } = await report(id);
  expect([tokens.used, sumOf(ledger, "tokens"), sumOf(ledger, "refusedByAllowance")]).toEqual([40, 40, 60]);
});

it("a running service applies a tier change, a suspension and a revocation made at the terminal", async () => {
  const { id, key, keys } = await world.account("plenty");
  const look = () => ask(service, { path: `/v1/lookup/${BAKERY}`, key });
  expect((await look()).status).toBe(200);
  expect((await opzoek(["account", "tier", id, "free"], world.environment)).code).toBe(0);
  expect(numberIn(await look(), "x-ratelimit-limit")).toBe(10);
  expect((await opzoek(["account", "suspend", id], world.environment)).code).toBe(0);
  expect(codeOf(await look())).toBe("FORBIDDEN");
  expect((await opzoek(["account", "resume", id], world.environment)).code).toBe(0);
  expect((await look()).status).toBe(200);
  expect((await opzoek(["key", "revoke", keys[0]?.id ?? ""], world.environment)).code).toBe(0);
  expect(codeOf(await look())).toBe("UNAUTHORIZED");
});
