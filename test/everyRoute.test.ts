/** The guarantees of every route. A new endpoint is covered automatically. */
import { METHODS } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { makeKey } from "../src/contract/keyForm.ts";
import type { KeyedEndpoint } from "../src/http/endpoint.ts";
import { ENDPOINTS } from "../src/http/endpoints/all.ts";
import { type Answer, inject, messageOf, numberIn } from "./kit/answer.ts";
import { READ_BY_PAGES, SENT_BY_PAGES } from "./kit/browser.ts";
import { BALANCE_HEADERS, expectBalance, expectDocumented, expectError } from "./kit/contractAnswer.ts";
import { composeInProcess, type InProcess, NOON } from "./kit/inProcess.ts";
import { PEPPOL_ON, storeOnPeppol } from "./kit/peppolAnswers.ts";
import { type ValidCall, validCall, withQuery } from "./kit/validCalls.ts";
import { REGISTERED, startVies } from "./kit/vies.ts";
import { makeWorld, type TestAccount } from "./kit/world.ts";

const MINUTE_END_S = Math.floor(NOON / 60_000 + 1) * 60;
const MONTH_END_S = Date.UTC(2026, 3, 1) / 1_000;
const TIERS = {
  "three-a-minute": { monthlyTokens: 1_000, ratePerMinute: 3 },
  penniless: { monthlyTokens: 0, ratePerMinute: 1_000 },
};

let service: InProcess;
let plenty: TestAccount;
beforeAll(async () => {
  const vies = await startVies({ companyOf: () => REGISTERED });
  const environment = { VIES_URL: vies.url, ...PEPPOL_ON };
  service = await composeInProcess(await makeWorld({ tiers: TIERS, environment }));
  await storeOnPeppol(service.state, NOON);
  plenty = await service.account("plenty", 1);
});

// The other calls need an existing list, monitor or event: test/jobs and test/monitors cover them.
const keyed = ENDPOINTS.filter(
  (endpoint): endpoint is KeyedEndpoint =>
    endpoint.auth === "key" && !/:(?:job|monitor|event)Id/.test(endpoint.path),
);
const methodsAt = (path: string) =>
  ENDPOINTS.filter((endpoint) => endpoint.path === path).flatMap(({ method }) =>
    method === "GET" ? ["GET", "HEAD"] : [method],
  );
const open = ENDPOINTS.filter((endpoint) => endpoint.auth === "none");

describe.each(keyed.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  "%s",
  (_name, endpoint) => {
    const call: ValidCall = validCall(endpoint);
    const ask = (
      key: string | undefined,
      more: Partial<ValidCall> & { headers?: Record<string, string> } = {},
    ) => inject(service.app, { ...call, key, ...more });

    it("returns what the API document states for a valid key", async () => {
      const answer = await ask(plenty.key);
      expect(answer.status).toBe(200);
      if (endpoint.specification === undefined) expectDocumented(endpoint, answer);
      expectBalance(answer);
      expect(answer.headers["x-request-id"]).toMatch(/./);
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    });

    it("returns one and the same 401 for every invalid key", async () => {
      const revoked = await service.account("plenty");
      await service.accounts.revokeKey(revoked.keys[0]?.id ?? "");
      const good = plenty.key;
      const wrongCheck = good.slice(0, -1) + (good.endsWith("0") ? "1" : "0");
      const unknown = makeKey("live", (count) => new Uint8Array(count).fill(7));
      const answers = [
        await ask(undefined),
        ...(await Promise.all(["x", wrongCheck, unknown, revoked.key].map((key) => ask(key)))),
        await ask(undefined, { headers: { authorization: `Basic ${good}` } }),
        await ask(undefined, { headers: { authorization: good } }),
        ...(await Promise.all(
          ["", "x", wrongCheck, unknown, revoked.key].map((key) =>
            ask(undefined, { path: withQuery(call.path, `apikey=${key}`) }),
          ),
        )),
      ];
      for (const answer of answers) {
        expectError(answer, "UNAUTHORIZED");
        expect(answer.headers["www-authenticate"]).toBe("Bearer");
        expect(answer.text).toBe(answers[0]?.text);
        for (const header of BALANCE_HEADERS) expect(answer.headers[header]).toBeUndefined();
      }
    });

    it("refuses a browser key from a page that it does not list", async () => {
      const origins = ["https://shop.example"];
      const made = await service.accounts.createKey(plenty.id, "page", "pub", { origins });
      const refused = await ask(made.key, { headers: { origin: "https://evil.example" } });
      expectError(refused, "FORBIDDEN");
      expectBalance(refused);
      expect(numberIn(refused, "x-tokens-charged")).toBe(0);
      await service.accounts.revokeKey(made.id);
    });

    it("accepts the key as ?apikey= too, and prefers the header if both are present", async () => {
      const other = await service.account("plenty");
      const inQuery = { path: withQuery(call.path, `apikey=${other.key}`) };
      expect((await ask(undefined, inQuery)).status).toBe(200);
      expectError(await ask("opz_live_nonsense", inQuery), "UNAUTHORIZED");
      const before = (await service.state.ledger.spent(other.id))?.used;
      expect((await ask(plenty.key, inQuery)).status).toBe(200);
      expect((await service.state.ledger.spent(other.id))?.used).toBe(before);
      expect((await ask(plenty.key, { path: withQuery(call.path, "apikey=nonsense") })).status).toBe(200);
    });

    it("refuses calls over the rate, without using a slot or a token", async () => {
      const { key, id } = await service.account("three-a-minute");
      const answers: Answer[] = [];
      for (let time = 0; time < 5; time++) answers.push(await ask(key));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
      expect(answers.map((answer) => numberIn(answer, "x-ratelimit-remaining"))).toEqual([2, 1, 0, 0, 0]);
      for (const refused of answers.slice(3)) {
        expectError(refused, "RATE_LIMIT_EXCEEDED");
        expectBalance(refused);
        expect(numberIn(refused, "x-tokens-charged")).toBe(0);
        expect(numberIn(refused, "x-ratelimit-reset")).toBe(MINUTE_END_S);
        expect(numberIn(refused, "retry-after")).toBeGreaterThan(0);
        expect(numberIn(refused, "retry-after")).toBeLessThanOrEqual(60);
      }
      const charged = answers.reduce((sum, answer) => sum + numberIn(answer, "x-tokens-charged"), 0);
      expect((await service.state.ledger.spent(id))?.used ?? 0).toBe(charged);
    });

    it("checks the rate before the input, and the input before the tokens", async () => {
      const bad = { path: withQuery(call.path, "surprise=1") };
      const penniless = await service.account("penniless");
      expectError(await ask(penniless.key, bad), "INVALID_REQUEST");
      const { key } = await service.account("three-a-minute");
      for (let time = 0; time < 3; time++) expectError(await ask(key, bad), "INVALID_REQUEST");
      expectError(await ask(key, bad), "RATE_LIMIT_EXCEEDED");
    });

    it("refuses a call that the allowance does not cover, charges nothing, and states price and balance", async () => {
      const { key, id } = await service.account("penniless");
      const answer = await ask(key);
      const price = numberIn(await ask(plenty.key), "x-tokens-charged");
      if (price === 0) {
        expect(answer.status).toBe(200);
        return;
      }
      expectError(answer, "QUOTA_EXCEEDED");
      expectBalance(answer);
      expect(numberIn(answer, "x-tokens-charged")).toBe(0);
      expect(numberIn(answer, "x-tokens-reset")).toBe(MONTH_END_S);
      expect(numberIn(answer, "retry-after")).toBe(86_400);
      expect(messageOf(answer)).toMatch(new RegExp(`\\b${price} tokens?\\b`));
      expect(messageOf(answer)).toMatch(/\b0 are left\b/);
      expect((await service.state.ledger.spent(id))?.used ?? 0).toBe(0);
    });

    it("returns FORBIDDEN for a suspended account, which uses a slot and no token", async () => {
      const { key, id } = await service.account("three-a-minute");
      await service.accounts.setSuspended(id, true);
      const answer = await ask(key);
      expectError(answer, "FORBIDDEN");
      expectBalance(answer);
      expect(numberIn(answer, "x-ratelimit-remaining")).toBe(2);
      expect(numberIn(answer, "x-tokens-charged")).toBe(0);
      await service.accounts.setSuspended(id, false);
      expect((await ask(key)).status).toBe(200);
    });

    it("returns METHOD_NOT_ALLOWED with Allow for every other method, free of charge", async () => {
      const allowed = methodsAt(endpoint.path);
      for (const method of METHODS) {
        if ([...allowed, "OPTIONS", "CONNECT"].includes(method)) continue;
        const answer = await inject(service.app, { method, path: call.path, key: plenty.key });
        if (method === "HEAD") {
          expect([answer.status, answer.text]).toEqual([405, ""]);
        } else expectError(answer, "METHOD_NOT_ALLOWED");
        expect(answer.headers.allow?.split(", ")).toEqual(allowed);
        expectBalance(answer);
        expect(numberIn(answer, "x-tokens-charged")).toBe(0);
      }
    });

    it("answers HEAD like GET without the body", async () => {
      if (endpoint.method !== "GET") return;
      const [get, head] = [await ask(plenty.key), await ask(plenty.key, { method: "HEAD" })];
      expect([head.status, head.text]).toEqual([200, ""]);
      expect(head.headers["x-tokens-charged"]).toBe(get.headers["x-tokens-charged"]);
      expect(head.headers["content-type"]).toBe(get.headers["content-type"]);
      expectBalance(head);
    });

    it("answers OPTIONS free of charge and without a key", async () => {
      const preflight = await ask(undefined, {
        method: "OPTIONS",
        headers: {
          origin: "https://shop.example",
          "access-control-request-method": endpoint.method,
          "access-control-request-headers": SENT_BY_PAGES.join(","),
        },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers["access-control-allow-origin"]).toBe("*");
      expect(preflight.headers["access-control-allow-methods"]).toContain(endpoint.method);
      const allowed = preflight.headers["access-control-allow-headers"]?.split(",") ?? [];
      expect(allowed).toEqual(expect.arrayContaining(SENT_BY_PAGES));
      const { key } = await service.account("three-a-minute");
      for (let time = 0; time < 5; time++) {
        const plain = await ask(key, { method: "OPTIONS" });
        expect(plain.status).toBe(204);
        for (const header of BALANCE_HEADERS) expect(plain.headers[header]).toBeUndefined();
      }
      expect(numberIn(await ask(key), "x-ratelimit-remaining")).toBe(2);
    });

    it("allows scripts of any web page to read the response and its headers, without credentials", async () => {
      for (const key of [plenty.key, undefined]) {
        const { headers } = await ask(key, { headers: { origin: "https://shop.example" } });
        expect(headers["access-control-allow-origin"]).toBe("*");
        expect(headers["access-control-allow-credentials"]).toBeUndefined();
        const exposed = headers["access-control-expose-headers"]?.toLowerCase().split(", ") ?? [];
        expect(exposed).toEqual(expect.arrayContaining([...BALANCE_HEADERS, ...READ_BY_PAGES]));
      }
    });

    it("refuses an unknown query parameter and lists the known ones", async () => {
      const answer = await ask(plenty.key, { path: withQuery(call.path, "__proto__=1") });
      expectError(answer, "INVALID_REQUEST");
      expectBalance(answer);
      expect(numberIn(answer, "x-tokens-charged")).toBe(0);
      expect(messageOf(answer)).toContain('"__proto__"');
      for (const known of Object.keys(endpoint.schema.querystring?.properties ?? {})) {
        expect(messageOf(answer)).toContain(known);
      }
    });

    it("refuses a repeated query parameter", async () => {
      const names = [...Object.keys(endpoint.schema.querystring?.properties ?? {}), "apikey"];
      for (const name of names) {
        const path = `${call.path.split("?")[0]}?${name}=true&${name}=true`;
        const answer = await ask(plenty.key, { path });
        expectError(answer, "INVALID_REQUEST");
        expect(messageOf(answer)).toContain(name);
      }
    });
  },
);

describe.each(open.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  "%s",
  (_name, endpoint) => {
    const call = validCall(endpoint);

    it("returns what the API document states without a key, and charges nothing with one", async () => {
      const answer = await inject(service.app, call);
      expect(answer.status).toBe(200);
      if (endpoint.specification === undefined) expectDocumented(endpoint, answer);
      const { key } = await service.account("three-a-minute");
      for (let time = 0; time < 5; time++)
        expect((await inject(service.app, { ...call, key })).status).toBe(200);
      const usage = await inject(service.app, { path: "/v1/usage", key });
      expect(numberIn(usage, "x-ratelimit-remaining")).toBe(2);
    });

    it("returns METHOD_NOT_ALLOWED with Allow for every other method", async () => {
      const allowed = methodsAt(endpoint.path);
      for (const method of METHODS) {
        if ([...allowed, "OPTIONS", "CONNECT"].includes(method)) continue;
        const answer = await inject(service.app, { method, path: call.path });
        expectError(answer, "METHOD_NOT_ALLOWED");
        expect(answer.headers.allow?.split(", ")).toEqual(allowed);
      }
    });

    it("answers HEAD like GET without the body", async () => {
      const head = await inject(service.app, { ...call, method: "HEAD" });
      expect([head.status, head.text]).toEqual([200, ""]);
    });
  },
);

it("each request has a unique id", async () => {
  const ids = new Set<string | undefined>();
  for (let time = 0; time < 20; time++) {
    ids.add((await inject(service.app, { path: "/v1/health" })).headers["x-request-id"]);
  }
  expect(ids.size).toBe(20);
});

it("the service charges for every endpoint with a key except usage, tokens, properties, types, lists and monitors", async () => {
  const free: string[] = [];
  for (const endpoint of keyed) {
    const answer = await inject(service.app, { ...validCall(endpoint), key: plenty.key });
    if (numberIn(answer, "x-tokens-charged") === 0) free.push(`${endpoint.method} ${endpoint.path}`);
  }
  expect(free.filter((route) => !/\/v1\/(monitor|changes$|event-types$)/.test(route))).toEqual([
    "GET /v1/reconcile/suggest/property",
    "GET /v1/reconcile/suggest/type",
    "POST /v1/jobs",
    "GET /v1/jobs",
    "POST /v1/webhook-secret",
    "GET /v1/usage",
    "POST /v1/tokens",
  ]);
});
