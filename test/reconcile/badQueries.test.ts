/** Reconciliation queries that are refused, as a batch or alone. */
import { beforeAll, describe, expect, it } from "vitest";
import { inject, jsonOf, messageOf, numberIn } from "../kit/answer.ts";
import { BAKERY } from "../kit/companies.ts";
import { expectError } from "../kit/contractAnswer.ts";
import type { InProcess } from "../kit/inProcess.ts";
import type { TestAccount } from "../kit/world.ts";
import { FORM, form, PATH, post, type Result, serve } from "./reconciling.ts";

let service: InProcess;
let account: TestAccount;
beforeAll(async () => {
  service = await serve();
  account = await service.account("plenty");
});

const ask = (queries: unknown, key = account.key) => post(service, key, { queries });

describe("bad input", () => {
  const query = { query: "Bakkerij" };
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`q${index}`, query]));

  it.each<[string, unknown, string]>([
    ["text that is not JSON", "{q0:", "valid JSON"],
    ["a JSON array", "[]", "must be a JSON object"],
    ["no query", {}, "1 to 100 queries; received 0"],
    ["too many queries", many, "1 to 100 queries; received 101"],
  ])("is 400 for %s and costs nothing", async (_, queries, message) => {
    const answer = await ask(queries);
    expectError(answer, "INVALID_REQUEST");
    expect(messageOf(answer)).toContain(message);
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
  });

  it("is 400 for a query of an old version of the specification, with the form to send", async () => {
    const path = `${PATH}?query=${encodeURIComponent("Bakkerij De Fabelkorst")}`;
    for (const request of [{ path }, { path: PATH, method: "POST", headers: FORM, body: "query=Bakkerij" }]) {
      const answer = await inject(service.app, { ...request, key: account.key });
      expectError(answer, "INVALID_REQUEST");
      expect(messageOf(answer)).toContain('send queries, such as {"q0":{"query":');
    }
  });

  it.each<[string, unknown, string]>([
    ["is not an object", "Bakkerij", 'queries."bad" must be an object'],
    ["has an unknown member", { ...query, props: [] }, 'unknown member "props"'],
    [
      "has an unknown property",
      { ...query, properties: [{ pid: "phone", v: "1" }] },
      'unknown property "phone"',
    ],
    ["has a property without a value", { properties: [{ pid: "city" }] }, "pid and v"],
    ["has a value of the wrong type", { properties: [{ pid: "city", v: [null] }] }, "v of city"],
    ["has a limit that is not a number", { ...query, limit: "5" }, "limit"],
    ["has a name that is not a text", { query: 5 }, "must be a string"],
  ])("fails a query that %s alone, for 0 tokens", async (_, bad, message) => {
    const answer = await ask({ bad, good: { query: "Bakkerij De Fabelkorst" } });
    const found = jsonOf(answer) as Readonly<Record<string, Result>>;
    expect(found["bad"]).toEqual({
      result: [],
      error: { code: "INVALID_REQUEST", message: expect.stringContaining(message) },
    });
    expect(found["good"]?.result[0]?.id).toBe(BAKERY);
    expect(numberIn(answer, "x-tokens-charged")).toBe(1);
  });

  it("is 400 for neither or both of queries and extend, and for unknown and repeated fields", async () => {
    const one = form({ queries: { q0: query } });
    const bodies = [
      "",
      "other=1",
      `${one}&${one}`,
      `${one}&extend=${encodeURIComponent("{}")}`,
      "queries=%zz",
    ];
    for (const body of bodies) {
      const request = { method: "POST", path: PATH, key: account.key, headers: FORM };
      expectError(await inject(service.app, { ...request, body }), "INVALID_REQUEST");
    }
  });

  it("is 415 for a body that is not a form, and 413 for one over 512 KB", async () => {
    const request = { method: "POST", path: PATH, key: account.key };
    const json = await inject(service.app, { ...request, body: { queries: { q0: query } } });
    expectError(json, "UNSUPPORTED_MEDIA_TYPE");
    expect(messageOf(json)).toContain("application/x-www-form-urlencoded");
    const large = await inject(service.app, {
      ...request,
      headers: FORM,
      body: `queries=${"x".repeat(524_288)}`,
    });
    expectError(large, "PAYLOAD_TOO_LARGE");
    expect(messageOf(large)).toContain("524288 bytes");
  });

  it("is 400 for callback: there is no JSONP", async () => {
    const path = `${PATH}?callback=jQuery1`;
    const manifest = await inject(service.app, { path });
    expectError(manifest, "INVALID_REQUEST");
    expect(messageOf(manifest)).toContain("JSONP is not supported");
    for (const more of ["", "/suggest/entity", "/suggest/type", "/properties", "/preview"]) {
      const query = more === "" ? `&${form({ queries: { q: {} } })}` : "";
      const answer = await inject(service.app, {
        path: `${PATH}${more}?callback=f${query}`,
        key: account.key,
      });
      expectError(answer, "INVALID_REQUEST");
      expect(messageOf(answer)).toContain("callback");
    }
  });
});

it("a test key gets the documentation's companies", async () => {
  const { id } = await service.account("plenty");
  const { key } = await service.accounts.createKey(id, "test", "test", {});
  const answer = await ask(
    { q: { query: "Bakkerij De Fabelkorst" }, n: { properties: [{ pid: "kvkNumber", v: "51234567" }] } },
    key,
  );
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain(BAKERY);
  expect(numberIn(answer, "x-tokens-charged")).toBe(2);
});
