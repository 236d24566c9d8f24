/** Browser keys and tokens at every route: allowed calls, preflights, forgeries, replays. */
import { beforeAll, describe, expect, it } from "vitest";
import type { RequestedBounds } from "../src/accounts/keyBounds.ts";
import type { KeyKind } from "../src/contract/keyKinds.ts";
import { BROWSER_CALLS_PER_MINUTE, contentOfToken, tokenOf } from "../src/contract/tokenForm.ts";
import { ENDPOINTS } from "../src/http/endpoints/all.ts";
import { type Answer, codeOf, inject, jsonOf, messageOf, numberIn, type TestRequest } from "./kit/answer.ts";
import { BEHIND_PROXY } from "./kit/browser.ts";
import { BAKERY } from "./kit/companies.ts";
import { BALANCE_HEADERS, expectBalance, expectError } from "./kit/contractAnswer.ts";
import { composeInProcess, type InProcess, NOON } from "./kit/inProcess.ts";
import { validCall, withQuery } from "./kit/validCalls.ts";
import { makeWorld } from "./kit/world.ts";

const SHOP = "https://shop.example";
const EVIL = "https://evil.example";
const SESSION = "typing-session-0001";
const TYPED = `/v1/autocomplete?q=fabelkorst&session=${SESSION}`;
const LOOKUP = `/v1/lookup/${BAKERY}`;
/** The sandbox serves this one. */
const SANDBOX_LOOKUP = "/v1/lookup/99990001";

let service: InProcess;
let count = 0;
const tiers = { wide: { monthlyTokens: 1_000, ratePerMinute: 1_000 } };
beforeAll(async () => {
  service = await composeInProcess(await makeWorld({ tiers, environment: { ...BEHIND_PROXY } }));
});

interface Made {
  readonly key: string;
  readonly id: string;
  readonly account: string;
}

async function keyOf(kind: KeyKind, bounds: RequestedBounds = {}): Promise<Made> {
  const account = await service.account("wide");
  const made = await service.accounts.createKey(account.id, "page", kind, bounds);
  return { ...made, account: account.id };
}

const page = () => keyOf("pub", { origins: [SHOP], mayLookUp: true });

async function tokenBy(key: string, body: object = {}, headers: Record<string, string> = {}) {
  const request = { method: "POST", path: "/v1/tokens", key, headers: { ...JSON_TYPE, ...headers } };
  const made = await inject(service.app, { ...request, body: { origin: SHOP, session: SESSION, ...body } });
  expect(made.status).toBe(200);
  return (jsonOf(made) as { token: string }).token;
}

const JSON_TYPE = { "content-type": "application/json" };

/** A call from a page with its own address, as the proxy reports it. */
function from(origin: string, request: TestRequest): Promise<Answer> {
  count += 1;
  const headers = { "x-forwarded-for": `203.0.${count >> 8}.${count & 255}`, origin, ...request.headers };
  return inject(service.app, { ...request, headers });
}

/** A valid call to each route that takes a key, from the service's own route table, plus the MCP route. */
const ROUTES: readonly Required<Pick<TestRequest, "method" | "path">>[] = [
  ...ENDPOINTS.filter(({ auth }) => auth === "key").map((endpoint) => validCall(endpoint)),
  { method: "GET", path: LOOKUP },
  { method: "HEAD", path: LOOKUP },
  { method: "POST", path: "/mcp" },
];
const bodyFor = ({ method, path }: Pick<TestRequest, "method" | "path">): Partial<TestRequest> =>
  path === "/mcp"
    ? { body: { jsonrpc: "2.0", id: 1, method: "tools/list" }, headers: JSON_TYPE }
    : method === "POST" &&
        !path.startsWith("/v1/jobs") &&
        path !== "/v1/webhook-secret" &&
        path !== "/v1/reconcile"
      ? { headers: JSON_TYPE }
      : {};
/** The allowed calls; all others return 403. */
const OPEN = ["GET /v1/autocomplete?q=fabelkorst", `GET ${LOOKUP}`, `HEAD ${LOOKUP}`];

describe.each(["a key for browsers", "a token"])("%s", (kind) => {
  const newKey = async () => {
    if (kind !== "a token") return (await page()).key;
    return tokenBy((await keyOf("live")).key, { lookup: true });
  };

  it("may autocomplete and make basic lookups, and gets 403 at every other route, which takes a slot and charges nothing", async () => {
    let key = "";
    const statuses: Record<string, unknown> = {};
    let left: number | undefined;
    for (const [index, route] of ROUTES.entries()) {
      if (index % (BROWSER_CALLS_PER_MINUTE - 1) === 0) [key, left] = [await newKey(), undefined];
      const path = route.path.startsWith("/v1/autocomplete")
        ? withQuery(route.path, `session=${SESSION}`)
        : route.path;
      const answer = await from(SHOP, { ...route, ...bodyFor(route), path, key });
      statuses[`${route.method} ${route.path}`] = answer.status;
      expectBalance(answer);
      if (left !== undefined) expect(numberIn(answer, "x-ratelimit-remaining")).toBe(left - 1);
      left = numberIn(answer, "x-ratelimit-remaining");
      if (answer.status === 200) continue;
      expectError(answer, "FORBIDDEN");
      expect(numberIn(answer, "x-tokens-charged")).toBe(0);
    }
    const names = ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(statuses).toEqual(
      Object.fromEntries(names.map((name) => [name, OPEN.includes(name) ? 200 : 403])),
    );
  });

  it("may not list or call MCP tools, and its rate limit applies there too", async () => {
    const key = await newKey();
    const send = (method: string, params?: object) =>
      from(SHOP, {
        ...{ method: "POST", path: "/mcp", key },
        headers: { ...JSON_TYPE, "x-forwarded-for": "198.51.100.7" },
        body: { jsonrpc: "2.0", id: 1, method, ...(params && { params }) },
      });
    const called = await send("tools/call", { name: "lookup_company", arguments: { kvkNumber: BAKERY } });
    expectError(called, "FORBIDDEN");
    expect(messageOf(called)).toContain("cannot call tools");
    const answers: Answer[] = [called];
    while (answers.at(-1)?.status === 403) answers.push(await send("tools/list"));
    expect(answers.length - 1).toBe(30);
    const last = answers.at(-1) ?? called;
    expectError(last, "RATE_LIMIT_EXCEEDED");
    const slots = numberIn(called, "x-ratelimit-remaining") - numberIn(last, "x-ratelimit-remaining");
    expect(slots).toBe(answers.length - 2);
  });

  it("passes the browser's preflight free of charge: any page may send one, with any header", async () => {
    const requestHeaders =
      "authorization,baggage,content-type,idempotency-key,if-modified-since,if-none-match,sentry-trace,traceparent,x-api-version,x-requested-with".split(
        ",",
      );
    for (const { method, path } of ROUTES) {
      const preflight = await from(EVIL, {
        ...{ method: "OPTIONS", path },
        headers: {
          "access-control-request-method": method,
          "access-control-request-headers": requestHeaders.join(","),
        },
      });
      expect([path, preflight.status, preflight.text]).toEqual([path, 204, ""]);
      const { headers } = preflight;
      expect(headers["access-control-allow-origin"]).toBe("*");
      expect(headers["access-control-allow-credentials"]).toBeUndefined();
      expect(headers["access-control-allow-methods"]?.split(", ")).toContain(method);
      expect(headers["access-control-allow-headers"]?.split(",")).toEqual(requestHeaders);
      // A cache must not answer a request for other headers with it.
      expect(headers["vary"]?.toLowerCase()).toContain("access-control-request-headers");
      for (const header of BALANCE_HEADERS) expect(headers[header]).toBeUndefined();
    }
  });

  it("does not replay to one page a response stored under another page's Idempotency-Key, nor answer 304 for it", async () => {
    const key = await newKey();
    const idempotent = { "idempotency-key": "typed-once-000000001" };
    const first = await from(SHOP, { path: LOOKUP, key, headers: idempotent });
    expect([first.status, numberIn(first, "x-tokens-charged")]).toEqual([200, 1]);
    const again = await from(SHOP, { path: LOOKUP, key, headers: idempotent });
    expect([again.text, numberIn(again, "x-tokens-charged")]).toEqual([first.text, 0]);
    const conditional = { "if-none-match": first.headers["etag"] ?? "" };
    expect((await from(SHOP, { path: LOOKUP, key, headers: conditional })).status).toBe(304);
    for (const headers of [idempotent, conditional])
      expectError(await from(EVIL, { path: LOOKUP, key, headers }), "FORBIDDEN");
  });
});

/** The key expires a minute from now, and that minute passes: its token had longer. */
async function endsSoon(id: string): Promise<void> {
  const endMs = NOON + 60_000;
  await service.accounts.changeKey(id, { expiresAt: new Date(endMs).toISOString() });
  service.setClock(endMs);
}

describe("a token", () => {
  const typed = (token: string, origin = SHOP) => from(origin, { path: TYPED, key: token });

  it("returns 401 when any part was changed, even with a valid checksum: page, session, key, kind, scope, expiry", async () => {
    const made = await keyOf("live");
    const other = await keyOf("live");
    const token = await tokenBy(made.key);
    const content = contentOfToken(token) ?? Buffer.alloc(0);
    const [payload, signature] = [content.subarray(0, -32).toString(), content.subarray(-32)];
    const lines = payload.split("\n");
    const [version, keyId, kind, origin, session, mayLookUp, end] = lines;
    expect([version, keyId, kind, origin, session, mayLookUp]).toEqual([
      "1",
      made.id,
      "live",
      SHOP,
      SESSION,
      "0",
    ]);
    const changed: Readonly<Record<number, string>> = {
      0: "2",
      1: other.id,
      2: "test",
      3: EVIL,
      4: "another-session-01",
      5: "1",
      6: String(Number(end) + 3_600),
    };
    const forged: Uint8Array[] = Object.entries(changed).map(([place, value]) =>
      Buffer.concat([Buffer.from(lines.with(Number(place), value).join("\n")), signature]),
    );
    const ofOther = contentOfToken(await tokenBy(other.key)) ?? Buffer.alloc(0);
    forged.push(
      Buffer.concat([Buffer.from(payload), ofOther.subarray(-32)]),
      Buffer.concat([Buffer.from(payload), Buffer.alloc(32)]),
      Buffer.concat([Buffer.from(`${payload}\n`), signature]),
      content.subarray(0, -1),
      signature,
    );
    expect((await typed(token)).status).toBe(200);
    for (const one of forged) {
      for (const at of [SHOP, EVIL]) {
        const refused = await typed(tokenOf(one), at);
        expectError(refused, "UNAUTHORIZED");
        for (const header of BALANCE_HEADERS) expect(refused.headers[header]).toBeUndefined();
      }
    }
    // A typo, which the checksum catches.
    expectError(await typed(`${token.slice(0, -1)}${token.endsWith("a") ? "b" : "a"}`), "UNAUTHORIZED");
    expectError(await typed(`${token}a`), "UNAUTHORIZED");
  });

  it("of another service returns 401", async () => {
    const elsewhere = await composeInProcess(await makeWorld({ tiers }));
    const { keys } = await elsewhere.account("wide", 1);
    const made = await inject(elsewhere.app, {
      ...{ method: "POST", path: "/v1/tokens", key: keys[0]?.key ?? "" },
      body: { origin: SHOP, session: SESSION },
    });
    expectError(await typed((jsonOf(made) as { token: string }).token), "UNAUTHORIZED");
  });

  it.each<[string, (made: Made) => Promise<unknown>, string]>([
    ["revoked", ({ id }) => service.accounts.revokeKey(id), "UNAUTHORIZED"],
    ["over", ({ id }) => endsSoon(id), "UNAUTHORIZED"],
    ["suspended", ({ account }) => service.accounts.setSuspended(account, true), "FORBIDDEN"],
  ])("is unusable, also for a replay, when its key is %s", async (_, end, code) => {
    const made = await keyOf("live");
    const token = await tokenBy(made.key);
    const idempotent = { "idempotency-key": "typed-once-000000002" };
    const call = { path: TYPED, key: token, headers: idempotent };
    expect((await from(SHOP, call)).status).toBe(200);
    try {
      await end(made);
      expectError(await from(SHOP, call), code);
      expectError(await typed(token), code);
    } finally {
      service.setClock(NOON);
    }
  });

  it("works from any address, even if its key is restricted to the addresses of a server", async () => {
    const { key } = await keyOf("live", { addresses: ["192.0.2.0/24"] });
    const server = { "x-forwarded-for": "192.0.2.7" };
    const token = await tokenBy(key, { lookup: true }, server);
    expect((await typed(token)).status).toBe(200);
    expect((await from(SHOP, { path: LOOKUP, key: token })).status).toBe(200);
    // The key itself, and creating tokens with it, stay restricted.
    expect(codeOf(await from(SHOP, { path: TYPED, key }))).toBe("FORBIDDEN");
    expectError(
      await from(SHOP, {
        ...{ method: "POST", path: "/v1/tokens", key, headers: JSON_TYPE },
        body: { origin: SHOP, session: SESSION },
      }),
      "FORBIDDEN",
    );
  });

  it("of a test key is served by the sandbox and counted there, within the same limits", async () => {
    const { key, account } = await keyOf("test");
    const live = await service.accounts.createKey(account, "server", "live");
    const token = await tokenBy(key, { lookup: true });
    const first = await typed(token);
    expect([first.status, numberIn(first, "x-tokens-charged")]).toEqual([200, 1]);
    const found = await from(SHOP, { path: SANDBOX_LOOKUP, key: token });
    expect([found.status, numberIn(found, "x-tokens-remaining")]).toEqual([200, 998]);
    // The registry's companies do not exist in the sandbox.
    expectError(await from(SHOP, { path: LOOKUP, key: token }), "NOT_FOUND");
    expectError(await typed(token, EVIL), "FORBIDDEN");
    expectError(await from(SHOP, { path: `${SANDBOX_LOOKUP}?enrich=true`, key: token }), "FORBIDDEN");
    const usage = await inject(service.app, { path: "/v1/usage", key: live.key });
    expect(jsonOf(usage)).toMatchObject({ tokens: { used: 0 } });
  });
});
