/**
 * Where nothing is found, the response says how many companies of which sources were searched, as health does at all
 * times.
 */
import { beforeAll, describe, expect, it } from "vitest";
import type { Coverage } from "../src/contract/coverage.ts";
import { inject, jsonOf, type TestRequest } from "./kit/answer.ts";
import { BAKERY, COMPANIES } from "./kit/companies.ts";
import { expectDocumented } from "./kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "./kit/inProcess.ts";
import { makeWorld } from "./kit/world.ts";
import { BAKERY_QUERY, NOBODY } from "./match/calls.ts";

let inside: InProcess;
let keys: Readonly<Record<"live" | "test", string>>;
beforeAll(async () => {
  const world = await makeWorld();
  inside = await composeInProcess(world);
  const { key, id } = await inside.account("plenty");
  keys = { live: key, test: (await inside.accounts.createKey(id, "test", "test")).key };
});

const coverageOf = async (request: TestRequest) => {
  const answer = await inject(inside.app, request);
  const { pathname: path } = new URL(request.path, "http://localhost");
  expectDocumented({ method: request.body === undefined ? "GET" : "POST", path }, answer);
  return (jsonOf(answer) as { coverage?: Coverage }).coverage;
};

/** Counted from the companies themselves. */
const REGISTRY = {
  companies: new Set(COMPANIES.map(({ facts }) => facts.kvkNumber)).size,
  sources: expect.arrayContaining(
    [...Map.groupBy(COMPANIES, ({ origin }) => origin)].map(([source, ofSource]) => ({
      source,
      companies: ofSource.length,
      asOf: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })),
  ),
};

const match = (...queries: object[]) => ({ method: "POST", path: "/v1/match", body: { queries } });

describe("the coverage", () => {
  it.each<readonly [string, TestRequest]>([
    ["an empty search", { path: "/v1/search?q=zwijgxylofoon" }],
    ["an empty search by city", { path: "/v1/search?city=Zwijgdam" }],
    ["an empty autocomplete", { path: "/v1/autocomplete?q=zwijgxylofoon" }],
    ["a match of nothing", match(NOBODY)],
    ["a match of something and nothing", match(BAKERY_QUERY, NOBODY)],
    ["health", { path: "/v1/health" }],
  ])("is in %s", async (_name, request) => {
    expect(await coverageOf({ ...request, key: keys.live })).toEqual(REGISTRY);
  });

  it.each<readonly [string, TestRequest]>([
    ["a search", { path: "/v1/search?q=fabelkorst" }],
    ["the page after the last of a search", { path: "/v1/search?q=fabelkorst&page=50" }],
    ["autocomplete", { path: "/v1/autocomplete?q=fabelkorst" }],
    ["a match", match(BAKERY_QUERY, { kvkNumber: BAKERY })],
    ["a match with an unusable query", match(BAKERY_QUERY, { city: "x" })],
  ])("is not in %s that finds something", async (_name, request) => {
    expect(await coverageOf({ ...request, key: keys.live })).toBeUndefined();
  });

  it("of a test key is that of the fictional companies", async () => {
    const { companies } = REGISTRY;
    for (const request of [{ path: "/v1/search?q=zwijgxylofoon" }, match(NOBODY)]) {
      const coverage = await coverageOf({ ...request, key: keys.test });
      expect(coverage).toMatchObject({
        sources: expect.arrayContaining([
          { source: "import:test", companies: expect.any(Number), asOf: "2026-01-01T00:00:00.000Z" },
        ]),
      });
      expect(coverage).not.toMatchObject({ companies });
    }
  });

  it("is absent without a registry", async () => {
    const without = await composeInProcess(await makeWorld({ companies: [] }));
    expect(jsonOf(await inject(without.app, { path: "/v1/health" }))).not.toHaveProperty("coverage");
  });
});
