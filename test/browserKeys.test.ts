/** Browser keys and tokens in the whole app: where they work, what for, and the errors elsewhere. */
import { beforeAll, describe, expect, it } from "vitest";
import type { RequestedBounds } from "../src/accounts/keyBounds.ts";
import type { KeyKind } from "../src/contract/keyKinds.ts";
import { tokens as tokensEndpoint } from "../src/http/endpoints/tokens.ts";
import { type Answer, codeOf, inject, jsonOf, messageOf, numberIn } from "./kit/answer.ts";
import { BEHIND_PROXY, PUBLIC } from "./kit/browser.ts";
import { BAKERY } from "./kit/companies.ts";
import { expectBalance, expectDocumented, expectError } from "./kit/contractAnswer.ts";
import { composeInProcess, type InProcess, NOON } from "./kit/inProcess.ts";
import { makeWorld } from "./kit/world.ts";

const SHOP = "https://shop.example";
const SESSION = "typing-session-0001";
const TYPED = "/v1/autocomplete?q=bakkerij";
const LOOKUP = `/v1/lookup/${BAKERY}`;

let service: InProcess;
let count = 0;
beforeAll(async () => {
  const tiers = { wide: { monthlyTokens: 1_000, ratePerMinute: 1_000 } };
  service = await composeInProcess(await makeWorld({ tiers, environment: { ...BEHIND_PROXY } }));
});

async function keyOf(
  kind: KeyKind,
  bounds: RequestedBounds = {},
): Promise<{ key: string; id: string; account: string }> {
  const account = await service.account("wide");
  const made = await service.accounts.createKey(account.id, "page", kind, bounds);
  return { ...made, account: account.id };
}

/** A call from its own address, as the proxy reports it. */
function call(
  key: string,
  path: string,
  headers: Record<string, string> = {},
  address?: string,
): Promise<Answer> {
  count += 1;
  const from = address ?? `198.51.${count >> 8}.${count & 255}`;
  return inject(service.app, { path, key, headers: { "x-forwarded-for": from, ...headers } });
}

const at = (origin: string) => ({ origin });

describe("a browser key", () => {
  it("autocompletes on its pages, and returns 403 everywhere else, which takes a slot and charges nothing", async () => {
    const { key } = await keyOf("pub", { origins: [SHOP, "*.fabel.example"] });
    for (const origin of [SHOP, "https://www.fabel.example"]) {
      const answer = await call(key, TYPED, at(origin));
      expect([answer.status, numberIn(answer, "x-tokens-charged")]).toEqual([200, 1]);
      expect(answer.headers["access-control-allow-origin"]).toBe("*");
    }
    const elsewhere = [
      "https://fabel.example",
      "https://shop.example.evil.example",
      "http://shop.example",
      "null",
    ];
    for (const headers of [...elsewhere.map(at), {}, { "sec-fetch-site": "cross-site" }]) {
      const refused = await call(key, TYPED, headers);
      expectError(refused, "FORBIDDEN");
      expectBalance(refused);
      expect(messageOf(refused)).toContain("add the page's origin to the key");
    }
    // The refusal comes after the key check and before input validation.
    expectError(await call(key, "/v1/autocomplete?q=x", at("https://evil.example")), "FORBIDDEN");
    expectError(await call(key, "/v1/autocomplete?q=x", at(SHOP)), "INVALID_REQUEST");
    expectError(await call(`${key.slice(0, -1)}!`, TYPED, at("https://evil.example")), "UNAUTHORIZED");
    const last = await call(key, TYPED, at(SHOP));
    expect([numberIn(last, "x-ratelimit-remaining"), numberIn(last, "x-tokens-remaining")]).toEqual([
      1_000 - 11,
      997,
    ]);
  });

  it("may look up companies once that is allowed, and nothing else", async () => {
    const { key, id } = await keyOf("pub", { origins: [SHOP] });
    const refused = await call(key, LOOKUP, at(SHOP));
    expectError(refused, "FORBIDDEN");
    expect(messageOf(refused)).toContain("allow basic lookups");
    await service.accounts.changeKey(id, { mayLookUp: true });
    expect((await call(key, LOOKUP, at(SHOP))).status).toBe(200);
    for (const path of [
      `${LOOKUP}?enrich=true`,
      `${LOOKUP}/branches`,
      "/v1/search?q=bakkerij",
      "/v1/usage",
    ]) {
      expectError(await call(key, path, at(SHOP)), "FORBIDDEN");
    }
    expectError(await call(key, "/v1/validate/vat/NL004495445B01", at(SHOP)), "FORBIDDEN");
    expectError(await call(key, "/v1/nowhere", at(SHOP)), "ROUTE_NOT_FOUND");
    const posted = await inject(service.app, {
      method: "POST",
      path: "/v1/tokens",
      key,
      headers: at(SHOP),
      body: { origin: SHOP, session: SESSION },
    });
    expectError(posted, "FORBIDDEN");
  });

  it("treats the service's own page as an ordinary origin, which must be listed too", async () => {
    const own = { "sec-fetch-site": "same-origin" };
    const { key, id } = await keyOf("pub", { origins: [SHOP] });
    expectError(await call(key, TYPED, own), "FORBIDDEN");
    await service.accounts.changeKey(id, { origins: [PUBLIC] });
    expect((await call(key, TYPED, own)).status).toBe(200);
    expectError(await call(key, TYPED, at(SHOP)), "FORBIDDEN");
  });

  it("allows 30 calls a minute per address, with an IPv6 network as one address; more take no slot", async () => {
    const { key } = await keyOf("pub", { origins: [SHOP], dailyTokens: 900 });
    const from = (address: string) => call(key, TYPED, at(SHOP), address);
    const answers: Answer[] = [];
    while (answers.filter(({ status }) => status === 429).length < 5)
      answers.push(await from("2001:db8:1:2::7"));
    const last = answers.at(-1);
    expect(answers.filter(({ status }) => status === 200).length).toBe(30);
    expect([last && codeOf(last), last && numberIn(last, "retry-after") <= 60]).toEqual([
      "RATE_LIMIT_EXCEEDED",
      true,
    ]);
    if (last !== undefined) expectBalance(last);
    expect(last && messageOf(last)).toContain("30 calls per minute with this key");
    const other = await from("2001:db8:1:3::7");
    expect(other.status).toBe(200);
    const callCount = answers.filter(({ status }) => status === 200).length + 1;
    expect(numberIn(other, "x-ratelimit-remaining")).toBe(1_000 - callCount);
  });

  it("spends its daily tokens and then returns 429 QUOTA_EXCEEDED until the end of the day (UTC), as a limit of the key", async () => {
    const { key, account } = await keyOf("pub", { origins: [SHOP], dailyTokens: 2 });
    const typed = () => call(key, TYPED, at(SHOP));
    expect([(await typed()).status, (await typed()).status]).toEqual([200, 200]);
    const refused = await typed();
    expectError(refused, "QUOTA_EXCEEDED");
    expect(messageOf(refused)).toContain("this key may spend 2 tokens per day (UTC), 0 are left");
    expect(numberIn(refused, "retry-after")).toBe(Math.ceil((Date.UTC(2026, 2, 16) - NOON) / 1_000));
    expect(numberIn(refused, "x-tokens-remaining")).toBe(998);
    const other = await service.accounts.createKey(account, "server");
    expect((await call(other.key, TYPED)).status).toBe(200);
  });
});

describe("another key used by a page", () => {
  it("works, and its owner sees the page's origin, but not for the service's own page or a server", async () => {
    const { key, account } = await keyOf("live");
    const own = await service.accounts.createKey(account, "own");
    expect((await call(own.key, TYPED)).status).toBe(200);
    expect((await call(own.key, TYPED, { origin: PUBLIC, "sec-fetch-site": "same-origin" })).status).toBe(
      200,
    );
    expect((await call(key, TYPED, at(SHOP))).status).toBe(200);
    const seen = async () => {
      const { keys } = await service.accounts.keys(account);
      return Object.fromEntries(keys.map(({ name, browserCall }) => [name, browserCall?.origin]));
    };
    await expect.poll(seen, { timeout: 30_000 }).toMatchObject({ page: SHOP, own: undefined });
  });
});

describe("a token", () => {
  const make = (key: string, body: object) =>
    inject(service.app, {
      method: "POST",
      path: "/v1/tokens",
      key,
      body: { origin: SHOP, session: SESSION, ...body },
    });
  const tokenIn = (answer: Answer) => (jsonOf(answer) as { token: string }).token;
  const typed = (token: string, headers = at(SHOP), session = SESSION) =>
    call(token, `${TYPED}&session=${session}`, headers);

  it("has its own idempotency keys: it neither reads nor blocks those of the key's owner", async () => {
    const { key } = await keyOf("live");
    const token = tokenIn(await make(key, {}));
    const idempotent = { "idempotency-key": "invoice-42" };
    const visitors = await typed(token, { ...at(SHOP), ...idempotent });
    const owners = await call(key, LOOKUP, idempotent);
    expect([visitors.status, owners.status, numberIn(owners, "x-tokens-charged")]).toEqual([200, 200, 1]);
    for (const [presented, path, headers] of [
      [token, `${TYPED}&session=${SESSION}`, { ...at(SHOP), ...idempotent }],
      [key, LOOKUP, idempotent],
    ] as const) {
      const again = await call(presented, path, headers);
      expect([again.headers["idempotency-replayed"], numberIn(again, "x-tokens-charged")]).toEqual([
        "true",
        0,
      ]);
    }
  });

  it("is created free of charge with a live key, and autocompletes in its session on its page only", async () => {
    const { key } = await keyOf("live");
    const made = await make(key, {});
    expect(made.status).toBe(200);
    expectDocumented(tokensEndpoint, made);
    expect([numberIn(made, "x-tokens-charged"), numberIn(made, "x-ratelimit-remaining")]).toEqual([0, 999]);
    const body = jsonOf(made) as { token: string; expiresAt: string };
    expect(Date.parse(body.expiresAt) - NOON).toBe(15 * 60_000);
    expect(body.token).toMatch(/^opz_tok_[A-Za-z0-9_-]+$/);
    const first = await typed(body.token);
    expect([first.status, numberIn(first, "x-tokens-charged")]).toEqual([200, 1]);
    expect(numberIn(await typed(body.token), "x-tokens-charged")).toBe(0);
    for (const headers of [at("https://evil.example"), at("null"), {}]) {
      expectError(await call(body.token, `${TYPED}&session=${SESSION}`, headers), "FORBIDDEN");
    }
    expectError(await typed(body.token, at(SHOP), "another-session-01"), "FORBIDDEN");
    expectError(await call(body.token, TYPED, at(SHOP)), "FORBIDDEN");
    expectError(await call(body.token, LOOKUP, at(SHOP)), "FORBIDDEN");
    expectError(await call(body.token, "/v1/usage", at(SHOP)), "FORBIDDEN");
    expectError(await make(body.token, {}), "FORBIDDEN");
    // In a URL the token would end up in logs.
    const inQuery = await inject(service.app, { path: `${TYPED}&apikey=${body.token}`, headers: at(SHOP) });
    expectError(inQuery, "UNAUTHORIZED");
  });

  it("may look up companies if it was created for that", async () => {
    const { key } = await keyOf("live");
    const token = tokenIn(await make(key, { lookup: true }));
    expect((await call(token, LOOKUP, at(SHOP))).status).toBe(200);
    expectError(await call(token, `${LOOKUP}?enrich=true`, at(SHOP)), "FORBIDDEN");
  });

  it("expires after its minutes, and at once with its key", async () => {
    const { key, id } = await keyOf("live");
    const token = tokenIn(await make(key, { minutes: 5 }));
    try {
      service.setClock(NOON + 5 * 60_000 - 1);
      expect((await typed(token)).status).toBe(200);
      service.setClock(NOON + 5 * 60_000);
      expectError(await typed(token), "UNAUTHORIZED");
    } finally {
      service.setClock(NOON);
    }
    expect((await typed(token)).status).toBe(200);
    await service.accounts.revokeKey(id);
    expectError(await typed(token), "UNAUTHORIZED");
  });

  it("allows 30 calls a minute per session, from any address", async () => {
    const { key } = await keyOf("live");
    const token = tokenIn(await make(key, {}));
    const answers: Answer[] = [];
    while (answers.at(-1)?.status !== 429) answers.push(await typed(token));
    expect(answers.length - 1).toBe(30);
    expect(messageOf(answers.at(-1) ?? answers[0] ?? (await typed(token)))).toContain("one typing session");
  });

  it("is refused for an invalid origin, no session, and a lifetime that is too short or too long", async () => {
    const { key } = await keyOf("live");
    const bad = [
      ...["shop.example", "https://Shop.example", "https://*.shop.example", "null", `${SHOP}/`].map(
        (origin) => ({ origin }),
      ),
      ...[
        { session: "short" },
        { session: "x".repeat(65) },
        { minutes: 4 },
        { minutes: 61 },
        { minutes: "15" },
        { lookup: 1 },
      ],
    ];
    for (const body of bad) expectError(await make(key, body), "INVALID_REQUEST");
  });
});
