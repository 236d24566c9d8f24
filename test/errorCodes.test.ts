/** Every code of the error table can be provoked; internal errors reveal no details. */

import { beforeAll, describe, expect, it } from "vitest";
import { ERROR_CODES } from "../src/contract/errors.ts";
import { StoreUnavailable } from "../src/lib/storeErrors.ts";
import type { Registry } from "../src/registry/types.ts";
import { type Answer, codeOf, inject, messageOf, numberIn } from "./kit/answer.ts";
import { BAKERY, FROM_GLEIF, UNKNOWN } from "./kit/companies.ts";
import { expectBalance, expectContractError, expectError } from "./kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "./kit/inProcess.ts";
import { makeWorld, type TestAccount, type World } from "./kit/world.ts";

const INNER = "internal text that no caller may see";

/** A registry whose lookups all fail with an unexpected error. */
const BROKEN_REGISTRY: Registry = {
  get current(): never {
    throw new Error(INNER);
  },
  close() {},
};

let world: World;
let service: InProcess;
let account: TestAccount;
beforeAll(async () => {
  const tiers = {
    "one-a-minute": { monthlyTokens: 10, ratePerMinute: 1 },
    penniless: { monthlyTokens: 0, ratePerMinute: 10 },
  };
  world = await makeWorld({ tiers });
  service = await composeInProcess(world);
  account = await service.account("plenty");
});

const seen = new Set<string>();
/** Records the code of a response for the last test. */
function noted(answer: Answer): Answer {
  expectContractError(answer);
  seen.add(codeOf(answer) ?? "");
  return answer;
}
const look = async (path: string, key: string | undefined = account.key): Promise<Answer> =>
  noted(await inject(service.app, { path, key }));

describe("client errors", () => {
  it("400, 401, 403, 404, 405, 409, 413, 415, 429", async () => {
    expectError(await look("/v1/lookup/123"), "INVALID_KVK_NUMBER");
    expectError(await look("/v1/validate/vat/GB123456789"), "INVALID_VAT_NUMBER");
    expectError(await look("/v1/search"), "INVALID_REQUEST");
    expectError(noted(await inject(service.app, { path: "/v1/usage" })), "UNAUTHORIZED");
    const suspended = await service.account("plenty");
    await service.accounts.setSuspended(suspended.id, true);
    expectError(await look("/v1/usage", suspended.key), "FORBIDDEN");
    expectError(await look(`/v1/lookup/${UNKNOWN}`), "NOT_FOUND");
    expectError(await look("/v1/nowhere"), "ROUTE_NOT_FOUND");
    const post = (body: unknown, headers: Record<string, string> = {}) =>
      inject(service.app, { method: "POST", path: "/v1/lookup/batch", key: account.key, body, headers });
    const put = await inject(service.app, { method: "PUT", path: "/v1/usage", key: account.key });
    expectError(noted(put), "METHOD_NOT_ALLOWED");
    expectError(noted(await post("[".repeat(2_000_000))), "PAYLOAD_TOO_LARGE");
    expectError(noted(await post("{}", { "content-type": "text/xml" })), "UNSUPPORTED_MEDIA_TYPE");
    const idempotent = { "idempotency-key": "one" };
    for (const [path, isDelivered] of [
      ["", true],
      ["?enrich=true", false],
    ] as const) {
      const request = { path: `/v1/lookup/${BAKERY}${path}`, key: account.key, headers: idempotent };
      const answer = await inject(service.app, request);
      if (!isDelivered) expectError(noted(answer), "CONFLICT");
    }
    const list = await inject(service.app, {
      method: "POST",
      path: "/v1/jobs?kind=lookup",
      key: account.key,
      body: `"${BAKERY}"`,
      headers: { "content-type": "application/x-ndjson" },
    });
    const { id } = JSON.parse(list.text) as { id: string };
    const range = { range: "bytes=999999-" };
    const beyond = { path: `/v1/jobs/${id}/results`, key: account.key, headers: range };
    expectError(noted(await inject(service.app, beyond)), "RANGE_NOT_SATISFIABLE");
    const slow = await service.account("one-a-minute");
    await inject(service.app, { path: "/v1/usage", key: slow.key });
    expectError(await look("/v1/usage", slow.key), "RATE_LIMIT_EXCEEDED");
    const penniless = await service.account("penniless");
    expectError(await look(`/v1/lookup/${BAKERY}`, penniless.key), "QUOTA_EXCEEDED");
  });

  it("410 for a cursor whose next events are no longer kept", async () => {
    const { key } = await service.accounts.createKey(account.id, "test", "test");
    const body = { kvkNumbers: ["99990301", "99990302"] };
    await inject(service.app, { method: "POST", path: "/v1/monitors", key, body });
    const page = await inject(service.app, { path: "/v1/changes?limit=1", key });
    const { next } = JSON.parse(page.text) as { next: string };
    while (await service.state.monitors.sweepMonitors(0));
    expectError(await look(`/v1/changes?after=${next}`, key), "CURSOR_EXPIRED");
  });

  it("502 for a VAT number while VIES is down and nothing is cached, free of charge", async () => {
    const answer = await look("/v1/validate/vat/DE123456788");
    expectError(answer, "UPSTREAM_ERROR");
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
  });

  it("404 for branches that the origin lacks and no other source has, free of charge", async () => {
    const answer = await look(`/v1/lookup/${FROM_GLEIF}/branches`);
    expectError(answer, "NOT_HELD");
    expect(messageOf(answer)).toMatch(/comes from "gleif".*KVK_API_KEY/);
    expectBalance(answer);
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
  });
});

const WORK: readonly { readonly method?: string; readonly path: string; readonly body?: unknown }[] = [
  { path: `/v1/lookup/${BAKERY}` },
  { path: `/v1/lookup/${BAKERY}?enrich=true` },
  { path: `/v1/lookup/${BAKERY}/branches` },
  { method: "POST", path: "/v1/lookup/batch", body: { kvkNumbers: [BAKERY] } },
  { path: "/v1/autocomplete?q=fabel" },
  { path: "/v1/search?q=fabel" },
];

describe("server errors", () => {
  it("no registry: 503 with Retry-After, never 404, free of charge", async () => {
    const empty = await composeInProcess(await makeWorld({ companies: [] }));
    const { key } = await empty.account("plenty");
    for (const request of WORK) {
      const answer = noted(await inject(empty.app, { ...request, key }));
      expectError(answer, "SERVICE_UNAVAILABLE");
      expectBalance(answer);
      expect(numberIn(answer, "retry-after")).toBeGreaterThan(0);
      expect(numberIn(answer, "x-tokens-charged")).toBe(0);
    }
    expect((await inject(empty.app, { path: "/v1/usage", key })).status).toBe(200);
  });

  it("an unexpected error: 500 without details, free of charge, one slot", async () => {
    const broken = await composeInProcess(await makeWorld(), {
      replace: () => ({ registry: BROKEN_REGISTRY }),
    });
    const { key, id } = await broken.account("free");
    for (const [index, request] of WORK.entries()) {
      const answer = noted(await inject(broken.app, { ...request, key }));
      expectError(answer, "INTERNAL_ERROR");
      expectBalance(answer);
      expect(answer.text).not.toContain(INNER);
      expect(numberIn(answer, "x-tokens-charged")).toBe(0);
      expect(numberIn(answer, "x-ratelimit-remaining")).toBe(9 - index);
    }
    expect((await broken.state.ledger.spent(id))?.used ?? 0).toBe(0);
  });

  it("an unreadable ledger: usage is 503 and takes one slot a call", async () => {
    const away = async () => {
      throw new StoreUnavailable(INNER);
    };
    const torn = await composeInProcess(await makeWorld(), {
      replace: ({ state }) => ({ state: { ...state, ledger: { ...state.ledger, sums: away } } }),
    });
    const { key } = await torn.account("free");
    for (const left of [9, 8, 7]) {
      const answer = noted(await inject(torn.app, { path: "/v1/usage", key }));
      expectError(answer, "SERVICE_UNAVAILABLE");
      expectBalance(answer);
      expect(answer.text).not.toContain(INNER);
      expect(numberIn(answer, "retry-after")).toBeGreaterThan(0);
      expect(numberIn(answer, "x-ratelimit-remaining")).toBe(left);
    }
  });

  it("a store that is down: 503 with Retry-After for known and unknown keys", async () => {
    const doomed = await composeInProcess(await makeWorld());
    const { keys } = await doomed.account("plenty", 2);
    const [seenKey, newKey] = [keys[0]?.key ?? "", keys[1]?.key ?? ""];
    expect((await inject(doomed.app, { path: "/v1/usage", key: seenKey })).status).toBe(200);
    await doomed.state.close();
    for (const key of [seenKey, newKey]) {
      for (const request of [
        ...WORK,
        { path: "/v1/usage" },
        { path: "/v1/nowhere" },
        { path: "/v1/lookup/%zz" },
      ]) {
        const answer = noted(await inject(doomed.app, { ...request, key }));
        expectError(answer, "SERVICE_UNAVAILABLE");
        expect(numberIn(answer, "retry-after")).toBeGreaterThan(0);
        expect(answer.text).not.toContain("thread");
      }
    }
    const health = await inject(doomed.app, { path: "/v1/health" });
    expect([health.status, JSON.parse(health.text).status]).toEqual([503, "down"]);
    expectError(await inject(doomed.app, { path: "/v1/usage" }), "UNAUTHORIZED");
  });
});

it("calls without a valid key are limited per client address, and no other address is affected", async () => {
  const limited = await composeInProcess(await makeWorld({ environment: { KEYLESS_PER_MINUTE: "5" } }));
  const { key } = await limited.account("plenty");
  const from = async (remoteAddress: string, url: string, headers: Record<string, string> = {}) =>
    limited.app.inject({ url, remoteAddress, headers });
  const paths = [
    "/v1/health",
    "/v1/usage",
    "/v1/nowhere",
    "/docs/",
    "/v1/openapi.json",
    "/v1/health",
    "/v1/usage",
  ];
  const statuses: number[] = [];
  for (const path of [...paths, ...paths]) statuses.push((await from("192.0.2.1", path)).statusCode);
  // A minute may end during this test: then five more pass, and at least four of the fourteen are refused.
  const refused = statuses.filter((status) => status === 429).length;
  expect(refused).toBeGreaterThanOrEqual(4);
  expect(refused).toBeLessThanOrEqual(9);
  expect(statuses.slice(0, 5)).toEqual([200, 401, 404, 200, 200]);
  const last = await from("192.0.2.1", "/v1/usage");
  if (last.statusCode === 429) {
    expect(last.json()).toMatchObject({ error: { code: "RATE_LIMIT_EXCEEDED" } });
    expect(Number(last.headers["retry-after"])).toBeGreaterThan(0);
  }
  expect((await from("192.0.2.2", "/v1/health")).statusCode).toBe(200);
  // Health checks are unlimited, and use nothing of others' limits.
  for (let count = 0; count < 20; count++) {
    for (const path of ["/livez", "/readyz"]) {
      expect((await from("192.0.2.1", path)).statusCode).toBe(200);
      expect((await from("192.0.2.3", path)).statusCode).toBe(200);
    }
  }
  expect((await from("192.0.2.3", "/v1/health")).statusCode).toBe(200);
  const good = await from("192.0.2.1", "/v1/usage", { authorization: `Bearer ${key}` });
  expect(good.statusCode).toBe(200);
});

it("this file covers every code of the table", () => {
  const unreached = ERROR_CODES.filter((code) => !seen.has(code));
  expect(unreached).toEqual([]);
});
