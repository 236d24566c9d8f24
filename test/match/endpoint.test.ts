/** `POST /v1/match`: results, prices and places. Decisions about real names are measured by `npm run match:quality`. */
import { request } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { SLOW } from "../../src/lookup/sandbox/outcomes.ts";
import { matcherOf } from "../../src/match/matcher.ts";
import { codeOf, encodeRequest, inject, jsonOf, messageOf, numberIn } from "../kit/answer.ts";
import { BAKERY, ENDED, FERRY, PLAIN, SHIELDED } from "../kit/companies.ts";
import { expectBalance, expectDocumented, expectError } from "../kit/contractAnswer.ts";
import { composeInProcess, type InProcess, NOON } from "../kit/inProcess.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";
import { BAKERY_QUERY, charged, type MatchCall, matchCall, NOBODY, resultsOf } from "./calls.ts";

const FAILING = "a name for which this registry fails";

/** The websites of the queries that were matched, in order. */
const matchedWebsites: (string | undefined)[] = [];

let service: InProcess;
let key: string;
let match: MatchCall;
beforeAll(async () => {
  const world = await makeWorld();
  service = await composeInProcess(world, {
    replace: ({ registry: { current } }) => {
      if (current === undefined) throw new Error("the world has no registry");
      const matcher = matcherOf(current);
      const original = matcher.match.bind(matcher);
      const failing: typeof original = (query, options) => {
        if (query.name === FAILING) throw new Error("the registry failed");
        matchedWebsites.push(query.website);
        return original(query, options);
      };
      Object.assign(matcher, { match: failing });
      return {};
    },
  });
  ({ key } = await service.account("plenty"));
  match = matchCall(service.app, key);
});

describe("a match call", () => {
  it("returns a decision with candidates for each query, in order, and charges each, `none` included", async () => {
    const answer = await match([{ id: "mine", ...BAKERY_QUERY }, NOBODY, { kvkNumber: FERRY }]);
    expectDocumented({ method: "POST", path: "/v1/match" }, answer);
    expectBalance(answer);
    expect(jsonOf(answer)).toMatchObject({
      results: [
        {
          id: "mine",
          candidates: [
            {
              kvkNumber: BAKERY,
              name: "Bakkerij De Fabelkorst B.V.",
              city: "Verzinstad",
              isActive: true,
              features: { city: 1 },
            },
          ],
        },
        { id: "1", decision: "none", candidates: [] },
        {
          id: "2",
          decision: "matched",
          candidates: [{ kvkNumber: FERRY, score: 100, match: true, features: { kvkNumber: 1 } }],
        },
      ],
      tokensUsed: 3,
    });
    expect(charged(answer)).toBe(3);
  });

  it("finds a company by its RSIN, by its VAT number and by its address, and shows when a name contradicts a number", async () => {
    const answer = await match([
      { rsin: "123456782" },
      { vatNumber: "nl 1234.56.782.B01" },
      { postalCode: "1234ab", houseNumber: "17" },
      { kvkNumber: FERRY, name: "Bakkerij de Fabelkorst" },
    ]);
    const [rsin, vat, address, contradicted] = resultsOf(answer);
    for (const result of [rsin, vat, address]) expect(result?.candidates?.[0]?.kvkNumber).toBe(BAKERY);
    expect(contradicted).toMatchObject({ decision: "ambiguous" });
    expect(contradicted?.candidates?.map(({ kvkNumber }) => kvkNumber)).toContain(FERRY);
  });

  it("returns at most `limit` candidates, and with `isActive` only such companies", async () => {
    const numbersOf = async (query: object, options: object) => {
      const [result] = resultsOf(await match([query], { options }));
      return result?.candidates?.map(({ kvkNumber }) => kvkNumber);
    };
    const contradiction = { ...BAKERY_QUERY, kvkNumber: FERRY };
    expect(await numbersOf(contradiction, { limit: 10 })).toEqual([FERRY, BAKERY]);
    expect(await numbersOf(contradiction, { limit: 1 })).toEqual([FERRY]);
    for (const query of [{ kvkNumber: ENDED }, { name: "Bakkerij Het Laatste Sprookje V.O.F." }]) {
      expect(await numbersOf(query, {})).toEqual([ENDED]);
      expect(await numbersOf(query, { isActive: false })).toEqual([ENDED]);
      expect(await numbersOf(query, { isActive: true })).toEqual([]);
    }
  });

  it("uses only the city of a shielded address, and returns nothing else of it", async () => {
    const hidden = { postalCode: "9876 ZX", houseNumber: "9", street: "Schuilstraat" };
    const answer = await match([hidden, { name: "Geheimhof Advies", city: "Stilledorp", ...hidden }], {
      options: { limit: 10 },
    });
    const [byAddress, byName] = resultsOf(answer);
    expect(byAddress).toMatchObject({ decision: "none", candidates: [] });
    const [found] = byName?.candidates ?? [];
    expect(found).toMatchObject({ kvkNumber: SHIELDED, city: "Stilledorp" });
    expect(Object.keys(found?.features ?? {}).sort()).toEqual(["city", "name"]);
    expect(answer.text).not.toMatch(/9876|Schuil/);
  });

  it("does not return a suppressed company, by name, number or address, nor in a stored response", async () => {
    const [gone = "", stays = ""] = PLAIN.slice(20);
    const queries = [gone, stays].map((kvkNumber) => ({ kvkNumber }));
    const stored = { headers: { "idempotency-key": "before" } };
    expect((await match(queries, stored)).text).toContain(gone);
    await service.state.suppressed.forget({ kvkNumber: gone, vatNumbers: [], forgottenAtMs: NOON });
    await until("this process has read the list", async () => {
      const answer = await inject(service.app, { path: `/v1/lookup/${gone}`, key });
      return answer.status === 404;
    });
    const [first, second] = resultsOf(await match(queries));
    const unknown = { code: "number_unknown", message: expect.any(String) };
    expect(first).toEqual({ id: "0", decision: "none", candidates: [], notes: [unknown] });
    expect(second).toMatchObject({ candidates: [{ kvkNumber: stays }] });
    const repeated = await match(queries, stored);
    expectError(repeated, "NOT_FOUND");
    expect([charged(repeated), repeated.text.includes(gone)]).toEqual([0, false]);
    await service.state.suppressed.undoForget(gone);
  });
});

describe("an account has one match call in progress", () => {
  it("a second one gets 429 with Retry-After, free of charge, by any of its keys, while other accounts are served", async () => {
    const { id, key: live } = await service.account("plenty");
    const { key: test } = await service.accounts.createKey(id, "test", "test");
    // Takes three seconds.
    const slow = match([{ kvkNumber: SLOW.kvkNumber }], { key: test });
    const refused = await until("the slow call is in progress", async () => {
      const answer = await match([NOBODY], { key: live });
      return answer.status === 429 && answer;
    });
    expectError(refused, "RATE_LIMIT_EXCEEDED");
    expect([charged(refused), refused.headers["retry-after"]]).toEqual([0, "1"]);
    expect(messageOf(refused)).toContain("wait for the response");
    expect((await match([NOBODY])).status).toBe(200);
    expect((await slow).status).toBe(200);
    expect((await match([NOBODY], { key: live })).status).toBe(200);
  });

  it("of many sent at once, no two are in progress together; the others are refused, free of charge", async () => {
    const { key: own, id } = await service.account("plenty");
    const callOf = (call: number) => {
      const query = { ...BAKERY_QUERY, website: `call-${call}.example` };
      return match(
        Array.from({ length: 100 }, () => query),
        { key: own },
      );
    };
    matchedWebsites.length = 0;
    const answers = await Promise.all(Array.from({ length: 10 }, (_, call) => callOf(call)));
    const served = answers.filter(({ status }) => status === 200);
    expect(served.length).toBeGreaterThan(0);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect([codeOf(answer), charged(answer)]).toEqual(["RATE_LIMIT_EXCEEDED", 0]);
    const changes = matchedWebsites.filter((website, at) => website !== matchedWebsites[at - 1]);
    expect([matchedWebsites.length, changes.length]).toEqual([100 * served.length, served.length]);
    expect((await service.state.ledger.spent(id))?.used).toBe(served.length * 100);
  });

  it("may call again after it hung up; that call is completed and charged, as any other", async () => {
    const { key: own, id } = await service.account("plenty");
    const address = await service.app.listen({ host: "127.0.0.1", port: 0 });
    const queries = Array.from({ length: 100 }, () => BAKERY_QUERY);
    const { headers, body = "" } = encodeRequest({ path: "", key: own, body: { queries } });
    const outgoing = request(`${address}/v1/match`, { method: "POST", headers, agent: false });
    outgoing.on("error", () => {});
    outgoing.end(body, () => outgoing.destroy());
    const usedBy = async () => (await service.state.ledger.spent(id))?.used ?? 0;
    await until("the call is charged", async () => (await usedBy()) === 100);
    expect((await match([NOBODY], { key: own })).status).toBe(200);
  });

  it("may call again after a call that failed", async () => {
    const failed = await match([NOBODY, { name: FAILING }]);
    expectError(failed, "INTERNAL_ERROR");
    expect(charged(failed)).toBe(0);
    expect((await match([NOBODY])).status).toBe(200);
  });
});

describe("a repeated match call", () => {
  it("with an Idempotency-Key gets the stored response free of charge", async () => {
    const headers = { "idempotency-key": "one" };
    const first = await match([BAKERY_QUERY, {}], { headers });
    const again = await match([BAKERY_QUERY, {}], { headers });
    expect([charged(first), charged(again), again.text]).toEqual([1, 0, first.text]);
    expect(again.headers["idempotency-replayed"]).toBe("true");
    expectError(await match([BAKERY_QUERY], { headers }), "CONFLICT");
  });
});

it("a service without a registry refuses to match, free of charge", async () => {
  const empty = await composeInProcess(await makeWorld({ companies: [] }));
  const { key: own } = await empty.account("plenty");
  const answer = await inject(empty.app, {
    method: "POST",
    path: "/v1/match",
    key: own,
    body: { queries: [BAKERY_QUERY] },
  });
  expectError(answer, "SERVICE_UNAVAILABLE");
  expect([charged(answer), numberIn(answer, "retry-after")]).toEqual([0, 60]);
});
