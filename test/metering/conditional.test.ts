/** A response that the client already has is not sent again, and costs nothing. */
import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ENDPOINTS } from "../../src/http/endpoints/all.ts";
import { type Answer, inject, jsonOf, numberIn } from "../kit/answer.ts";
import { BAKERY, FERRY, UNKNOWN } from "../kit/companies.ts";
import { expectError } from "../kit/contractAnswer.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { validCall } from "../kit/validCalls.ts";
import { REGISTERED, startVies } from "../kit/vies.ts";
import { makeWorld, PLENTY } from "../kit/world.ts";

const TIERS = {
  "ten-tokens": { ...PLENTY, monthlyTokens: 10 },
  "three-a-minute": { monthlyTokens: 10, ratePerMinute: 3 },
};
const LOOKUP = `/v1/lookup/${BAKERY}`;
const CONDITIONAL = [
  ["a lookup", LOOKUP],
  ["an enriched lookup", `/v1/lookup/${FERRY}?enrich=true`],
  ["branches", `${LOOKUP}/branches`],
  ["a search", "/v1/search?q=fabel"],
] as const;

/** Headers without a tag that a response had. */
const NO_TAGS = ["*", " * ", "*, *", '*, "x"', '"x", *', '"*"', 'W/"*"', 'W/*, "x"', '"x" * "y"'];

/** The tag of a body by publicly known hashes. */
const guessed = (text: string) =>
  ["sha256", "sha1", "md5"]
    .flatMap((name) => (["base64url", "base64", "hex"] as const).map((form) => `"${hash(name, text, form)}"`))
    .join(", ");

describe("If-None-Match", async () => {
  const world = await makeWorld({ tiers: TIERS });
  const [service, other] = [await composeInProcess(world), await composeInProcess(await makeWorld())];
  const ask = (
    key: string,
    path: string,
    ifNoneMatch?: string,
    more: { method?: string; headers?: Record<string, string> } = {},
  ) =>
    inject(service.app, {
      path,
      key,
      ...more,
      headers: { ...(ifNoneMatch !== undefined && { "if-none-match": ifNoneMatch }), ...more.headers },
    });
  const charged = (answer: Answer) => numberIn(answer, "x-tokens-charged");
  const tagOf = (answer: Answer) => answer.headers["etag"] ?? "none";

  it.each(CONDITIONAL)(
    "with a matching tag of %s gives 304 without a body, free of charge, even without tokens",
    async (_what, path) => {
      const { key, id } = await service.account("ten-tokens");
      const first = await ask(key, path);
      expect(first.headers).toMatchObject({ "cache-control": "private, no-cache" });
      expect(tagOf(first)).toMatch(/^"[A-Za-z0-9_-]{43}"$/);
      while (numberIn(await ask(key, `/v1/lookup/${FERRY}`), "x-tokens-remaining") > 0);
      expectError(await ask(key, path), "QUOTA_EXCEEDED");
      for (const [sent, method] of [
        [tagOf(first), "GET"],
        [`W/${tagOf(first)}`, "GET"],
        [`"another", W/"x" , ${tagOf(first)}`, "HEAD"],
        [`${tagOf(first).slice(0, -1)}-gzip"`, "GET"],
        [`W/${tagOf(first).slice(0, -1)};gzip"`, "GET"],
        [`*, ${tagOf(first)}`, "GET"],
      ] as const) {
        const again = await ask(key, path, sent, { method });
        expect([again.status, again.text]).toEqual([304, ""]);
        expect(again.headers).toMatchObject({
          etag: tagOf(first),
          "cache-control": "private, no-cache",
          "x-tokens-charged": "0",
          "x-tokens-remaining": "0",
          "access-control-allow-origin": "*",
        });
        expect(again.headers["content-length"]).toBeUndefined();
        expect(again.headers["x-request-id"]).toBeDefined();
      }
      for (const sent of ['"another"', ...NO_TAGS]) expectError(await ask(key, path, sent), "QUOTA_EXCEEDED");
      expectError(await ask(key, path, guessed(first.text)), "QUOTA_EXCEEDED");
      expect((await service.state.ledger.spent(id))?.used).toBe(10);
    },
  );

  it.each<readonly [string, (text: string) => string]>([
    ["that does not match", () => '"another", ""'],
    ["that was computed from a guessed body", guessed],
    ...NO_TAGS.map((sent) => [`of ${JSON.stringify(sent)}`, () => sent] as const),
  ])("%s returns the full response at its price", async (_, tagFor) => {
    const { key } = await service.account("plenty");
    for (const [, path] of CONDITIONAL) {
      const plain = await ask(key, path);
      const answer = await ask(key, path, tagFor(plain.text));
      expect([answer.status, answer.text, charged(answer)]).toEqual([200, plain.text, charged(plain)]);
    }
  });

  it("matches a search without hits for the same search alone, whose response says the same as others", async () => {
    const { key } = await service.account("plenty");
    const empty = await ask(key, "/v1/search?q=zzyzx&fuzzy=false");
    expect(jsonOf(empty)).toMatchObject({ results: [], total: 0 });
    const again = await ask(key, "/v1/search?q=zzyzx&fuzzy=false", tagOf(empty));
    expect([again.status, again.text, charged(again)]).toEqual([304, "", 0]);
    for (const tag of [tagOf(empty), "*"]) {
      const other = await ask(key, "/v1/search?q=qqxqq&fuzzy=false", tag);
      expect([other.status, other.text, charged(other)]).toEqual([200, empty.text, 1]);
    }
    const { key: ten } = await service.account("ten-tokens");
    while (numberIn(await ask(ten, LOOKUP), "x-tokens-remaining") > 0);
    expectError(await ask(ten, "/v1/search?q=qqxqq&fuzzy=false", tagOf(empty)), "QUOTA_EXCEEDED");
  });

  it("matches only the request and the key whose response had the tag, so that no guess is confirmed for free", async () => {
    const [{ key }, { key: another }] = [await service.account("plenty"), await service.account("plenty")];
    const path = "/v1/search?q=fabelkorst";
    const first = await ask(key, path);
    const narrowed = `${path}&isActive=true`;
    for (const [asker, asked] of [
      [key, narrowed],
      [another, path],
    ] as const) {
      const answer = await ask(asker, asked, tagOf(first));
      expect([answer.status, answer.text, charged(answer)]).toEqual([200, first.text, 1]);
    }
    expect((await ask(key, `${path}&apikey=${key}`, tagOf(first))).status).toBe(304);
  });

  it("matches for HEAD as for GET, and not on another installation with the same data", async () => {
    const [here, there] = [await service.account("plenty"), await other.account("plenty")];
    for (const [, path] of CONDITIONAL) {
      const [one, another] = [await ask(here.key, path), await inject(other.app, { path, key: there.key })];
      expect(another.text).toBe(one.text);
      expect(tagOf(another)).not.toBe(tagOf(one));
      expect(tagOf(await ask(here.key, path, undefined, { method: "HEAD" }))).toBe(tagOf(one));
    }
  });

  it("is ignored if an upstream had to be queried: that response is sent and charged", async () => {
    const { key } = await service.account("plenty");
    // VIES is down, so each of these queries it.
    const path = `${LOOKUP}?enrich=true`;
    const first = await ask(key, path);
    const again = await ask(key, path, tagOf(first));
    expect([again.status, again.text, charged(again)]).toEqual([200, first.text, 5]);
    expect(tagOf(again)).toBe(tagOf(first));
  });

  it("takes a slot of the rate, and does not change an error", async () => {
    const { key } = await service.account("three-a-minute");
    const [first, unknown] = [await ask(key, LOOKUP), await ask(key, `/v1/lookup/${UNKNOWN}`, "*")];
    expectError(unknown, "NOT_FOUND");
    expect(unknown.headers).toMatchObject({ "cache-control": "private, no-store" });
    expect(unknown.headers["etag"]).toBeUndefined();
    expect((await ask(key, LOOKUP, tagOf(first))).status).toBe(304);
    expectError(await ask(key, LOOKUP, tagOf(first)), "RATE_LIMIT_EXCEEDED");
  });

  it("is ignored for responses without a tag", async () => {
    const { key } = await service.account("plenty");
    for (const path of ["/v1/autocomplete?q=fabel", "/v1/usage", "/v1/validate/vat/DE12345678"]) {
      const answer = await ask(key, path, "*");
      expect([answer.status, answer.headers["etag"]]).toEqual([200, undefined]);
      expect(answer.headers).toMatchObject({ "cache-control": "private, no-store" });
    }
  });

  it("with an Idempotency-Key is compared with the stored response, and stores nothing itself", async () => {
    const { key, id } = await service.account("ten-tokens");
    const idempotent = { headers: { "idempotency-key": "one" } };
    const first = await ask(key, LOOKUP);
    expect((await ask(key, LOOKUP, tagOf(first), idempotent)).status).toBe(304);
    expect(charged(await ask(key, LOOKUP, undefined, idempotent))).toBe(1);
    const again = await ask(key, LOOKUP, tagOf(first), idempotent);
    expect([again.status, again.headers["idempotency-replayed"]]).toEqual([304, "true"]);
    expect((await ask(key, LOOKUP, '"another"', idempotent)).text).toBe(first.text);
    expect((await service.state.ledger.spent(id))?.used).toBe(2);
  });

  it("may be sent by any page, as may Idempotency-Key", async () => {
    const response = await inject(service.app, {
      method: "OPTIONS",
      path: LOOKUP,
      headers: {
        origin: "https://shop.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization,if-none-match,idempotency-key",
      },
    });
    for (const name of ["if-none-match", "idempotency-key", "authorization"]) {
      expect(response.headers["access-control-allow-headers"]).toContain(name);
    }
    const { key } = await service.account("plenty");
    expect((await ask(key, LOOKUP)).headers["access-control-expose-headers"]).toContain("ETag");
  });
});

// The other calls need an existing list, monitor or event.
const WITHOUT_STATE = ENDPOINTS.filter(
  ({ auth, path }) => auth === "key" && !/:(?:job|monitor|event)Id/.test(path),
);

describe("`If-None-Match: *`", async () => {
  const vies = await startVies({ companyOf: () => REGISTERED });
  const service = await composeInProcess(await makeWorld({ environment: { VIES_URL: vies.url } }));
  const { key } = await service.account("plenty", 1);

  it.each(WITHOUT_STATE.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    "is ignored by %s: the response and its price are those without the header",
    async (_name, endpoint) => {
      const call = validCall(endpoint);
      const plain = await inject(service.app, { ...call, key });
      for (const sent of NO_TAGS) {
        const headers = { ...call.headers, "if-none-match": sent };
        const answer = await inject(service.app, { ...call, key, headers });
        expect([answer.status, answer.headers["etag"]]).toEqual([plain.status, plain.headers["etag"]]);
        expect(numberIn(answer, "x-tokens-charged")).toBe(numberIn(plain, "x-tokens-charged"));
      }
    },
  );
});

it("an entity tag is the same after a restart", async () => {
  const world = await makeWorld();
  const { key } = await world.account("plenty");
  const tags: (string | undefined)[] = [];
  for (let start = 0; start < 2; start++) {
    const service = await composeInProcess(world);
    tags.push((await inject(service.app, { path: LOOKUP, key })).headers["etag"]);
    await service.close();
  }
  expect(tags[0]).toMatch(/^"/);
  expect(tags[1]).toBe(tags[0]);
});
