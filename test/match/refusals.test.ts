/** Match calls that are refused, and queries of a match call that fail alone. */
import { beforeAll, describe, expect, it } from "vitest";
import { MATCH_BOUNDS } from "../../src/contract/matchResources.ts";
import { jsonOf, messageOf } from "../kit/answer.ts";
import { BAKERY } from "../kit/companies.ts";
import { expectDocumented, expectError } from "../kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";
import { BAKERY_QUERY, charged, type MatchCall, matchCall, NOBODY } from "./calls.ts";

let service: InProcess;
let match: MatchCall;
beforeAll(async () => {
  const tiers = { "three-tokens": { monthlyTokens: 3, ratePerMinute: 100 } };
  service = await composeInProcess(await makeWorld({ tiers }));
  match = matchCall(service.app, (await service.account("plenty")).key);
});

describe("a query with an error", () => {
  it.each([
    [
      "an invalid KVK number",
      { kvkNumber: "1234567" },
      "INVALID_KVK_NUMBER",
      "a leading zero may have been lost",
    ],
    [
      "a KVK number sent as a number",
      { kvkNumber: 1_234_567 },
      "INVALID_REQUEST",
      "kvkNumber must be a string",
    ],
    ["a foreign VAT number", { vatNumber: "DE123456789" }, "INVALID_VAT_NUMBER", "Dutch"],
    [
      "a VAT number of another type",
      { vatNumber: 123_456_782 },
      "INVALID_REQUEST",
      "vatNumber must be a string",
    ],
    ["a short RSIN", { rsin: "12345678" }, "INVALID_REQUEST", "9 digits"],
    ["an unknown field", { naam: "Bakkerij" }, "INVALID_REQUEST", 'unknown field "naam"'],
    ["a long name", { name: "x".repeat(701) }, "INVALID_REQUEST", "at most 700 characters"],
    ["a long city", { name: "x", city: "x".repeat(201) }, "INVALID_REQUEST", "at most 200 characters"],
    ["a control character", { name: "Bakkerij\u0000" }, "INVALID_REQUEST", "control characters"],
    ["a city alone", { city: "Verzinstad" }, "INVALID_REQUEST", "a query needs"],
    ["no field", {}, "INVALID_REQUEST", "a query needs"],
  ])("fails alone and costs nothing: %s", async (_what, query, code, message) => {
    const answer = await match([query, BAKERY_QUERY]);
    expectDocumented({ method: "POST", path: "/v1/match" }, answer);
    expect(jsonOf(answer)).toMatchObject({
      results: [
        { id: "0", error: { code, message: expect.stringContaining(message) } },
        { id: "1", candidates: [{ kvkNumber: BAKERY }] },
      ],
      tokensUsed: 1,
    });
    expect(charged(answer)).toBe(1);
  });

  it("does not come from null, which counts as absent, nor from an impossible number next to a name", async () => {
    const fields = { id: null, city: null, kvkNumber: null, vatNumber: null, website: null };
    const answer = await match([
      { ...BAKERY_QUERY, ...fields, city: "Verzinstad" },
      { ...BAKERY_QUERY, kvkNumber: "in oprichting" },
      { name: null, city: null },
    ]);
    expectDocumented({ method: "POST", path: "/v1/match" }, answer);
    expect(jsonOf(answer)).toMatchObject({
      results: [
        { id: "0", candidates: [{ kvkNumber: BAKERY }] },
        { id: "1", candidates: [{ kvkNumber: BAKERY }], notes: [{ code: "number_unusable" }] },
        { id: "2", error: { code: "INVALID_REQUEST" } },
      ],
      tokensUsed: 2,
    });
  });

  it("does not repeat a VAT number or an RSIN, which may contain a citizen's number", async () => {
    const answer = await match([
      { vatNumber: "NL123456782B0" },
      { vatNumber: 123_456_782 },
      { rsin: "1234567820" },
    ]);
    expect([answer.status, charged(answer)]).toEqual([200, 0]);
    expect(answer.text).not.toContain("12345678");
  });

  it("makes a call free if all are invalid, even without tokens", async () => {
    const poor = await service.account("three-tokens");
    expect(
      charged(
        await match(
          Array.from({ length: 3 }, () => NOBODY),
          { key: poor.key },
        ),
      ),
    ).toBe(3);
    const answer = await match([{}, { rsin: "1" }], { key: poor.key });
    expect([answer.status, charged(answer)]).toEqual([200, 0]);
    expect(jsonOf(answer)).toMatchObject({ tokensUsed: 0 });
  });
});

describe("a match call is refused", () => {
  it.each<[string, unknown, string, object?]>([
    ["no queries", [], "an array of 1 to 100 objects"],
    ["101 queries", Array.from({ length: 101 }, () => NOBODY), "an array of 101"],
    ["a query that is not an object", [NOBODY, "Bakkerij"], "queries[1] must be an object"],
    [
      "a repeated id",
      [
        { id: "a", ...NOBODY },
        { id: "a", ...NOBODY },
      ],
      '"a" is repeated',
    ],
    ["the id of a query without one", [{ id: "1", ...NOBODY }, NOBODY], '"1" is repeated'],
    ["a repeated id of invalid queries", [{ id: "a" }, { id: "a" }], '"a" is repeated'],
    ["an id that is a number", [{ id: 7, ...NOBODY }], "queries[0].id must be a string"],
    ["a long id", [{ id: "x".repeat(65), ...NOBODY }], "1 to 64 characters"],
    ["limit 0", [NOBODY], "limit must be a whole number from 1 to 10", { limit: 0 }],
    ["limit 11", [NOBODY], "received the number 11", { limit: 11 }],
    ["an unknown field", [NOBODY], 'unknown field "fuzzy"', { fuzzy: true }],
  ])("and costs nothing: %s", async (_what, queries, message, options = {}) => {
    const answer = await match(queries, { options });
    expectError(answer, "INVALID_REQUEST");
    expect(messageOf(answer)).toContain(message);
    expect(charged(answer)).toBe(0);
  });

  it("if its body is larger than 512 KB, but not below", async () => {
    const sized = (bytes: number) => {
      const body = JSON.stringify({ queries: [NOBODY] });
      return match([], { body: body.padEnd(bytes), headers: { "content-type": "application/json" } });
    };
    expect((await sized(MATCH_BOUNDS.maxBytes)).status).toBe(200);
    const answer = await sized(MATCH_BOUNDS.maxBytes + 1);
    expectError(answer, "PAYLOAD_TOO_LARGE");
    expect(messageOf(answer)).toContain("524288 bytes");
  });

  it("if the tokens do not cover all valid queries", async () => {
    const poor = await service.account("three-tokens");
    const answer = await match([NOBODY, NOBODY, NOBODY, NOBODY], { key: poor.key });
    expectError(answer, "QUOTA_EXCEEDED");
    expect(charged(await match([NOBODY, NOBODY, {}, NOBODY], { key: poor.key }))).toBe(3);
  });

  it("with a browser key", async () => {
    const { id } = await service.account("plenty");
    const page = await service.accounts.createKey(id, "page", "pub", { origins: ["https://shop.example"] });
    const answer = await match([NOBODY], { key: page.key, headers: { origin: "https://shop.example" } });
    expectError(answer, "FORBIDDEN");
    expect(charged(answer)).toBe(0);
  });
});
