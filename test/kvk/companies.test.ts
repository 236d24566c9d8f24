/** A company that no snapshot has is fetched from KVK once, returned with its origin and time, and then cached. */
import { describe, expect, it } from "vitest";
import { codeOf, jsonOf, numberIn } from "../kit/answer.ts";
import { expectDocumented } from "../kit/contractAnswer.ts";
import { paidCalls, serveOverKvkHere } from "../kit/kvk.ts";
import { forty } from "../kit/kvkSimulator.ts";

const over = await serveOverKvkHere();
const companies = forty(over.kvk);
const LOOKUP = { method: "GET", path: "/v1/lookup/:kvkNumber" } as const;
const BRANCHES = { method: "GET", path: "/v1/lookup/:kvkNumber/branches" } as const;

interface EnrichedBody {
  readonly kvkNumber: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly address: object;
  readonly source: { readonly kvk: string; readonly cachedAt: string };
}

describe("each of forty test companies", () => {
  it.each(companies.map((facts) => [facts.kvkNumber, facts.name, facts] as const))(
    "%s %s: basic, enriched and branches cost at most two paid calls, and none when requested again",
    async (kvkNumber, name, facts) => {
      const { kvk, get } = over;
      const before = paidCalls(kvk);
      const askedAt = Date.now();
      const basic = await get(`/v1/lookup/${kvkNumber}`);
      expectDocumented(LOOKUP, basic);
      expect(numberIn(basic, "x-tokens-charged")).toBe(1);
      const body = jsonOf(basic) as EnrichedBody;
      const { kind: _kind, ...address } = facts.address ?? {};
      expect(body).toMatchObject({ kvkNumber, name, isActive: facts.isActive, address });
      expect(body.source.kvk).toBe("kvk-api");
      expect(Date.parse(body.source.cachedAt)).toBeGreaterThanOrEqual(askedAt - 1_000);

      const enriched = await get(`/v1/lookup/${kvkNumber}?enrich=true`);
      expectDocumented(LOOKUP, enriched);
      expect(numberIn(enriched, "x-tokens-charged")).toBe(5);
      expect(jsonOf(enriched)).toMatchObject({
        ...body,
        activities: facts.activities ?? [],
        ...(facts.legalForm !== undefined && { legalForm: facts.legalForm }),
      });
      expect(paidCalls(kvk) - before).toBe(1);

      const branches = await get(`/v1/lookup/${kvkNumber}/branches`);
      expectDocumented(BRANCHES, branches);
      expect(numberIn(branches, "x-tokens-charged")).toBe(5);
      const list = jsonOf(branches) as { branches: readonly { branchNumber: string }[] };
      const numbers = list.branches.map(({ branchNumber }) => branchNumber);
      // KVK lists active branches only; for a dissolved company it lists all, as inactive.
      const listed = (facts.branches ?? []).filter(({ isActive }) => isActive || !facts.isActive);
      expect([...numbers].sort()).toEqual(listed.map(({ branchNumber }) => branchNumber).sort());

      const used = paidCalls(kvk);
      for (const more of ["", "?enrich=true", "/branches"]) {
        expect((await get(`/v1/lookup/${kvkNumber}${more}`)).status).toBe(200);
      }
      expect(paidCalls(kvk)).toBe(used);
    },
  );
});

it("a shielded address stays shielded, including in branches", async () => {
  const { get } = over;
  const basic = jsonOf(await get("/v1/lookup/90000100")) as EnrichedBody;
  expect(basic.address).toEqual({ city: "Nergenshuizen", country: "NL", isShielded: true });
  const branches = await get("/v1/lookup/90000100/branches");
  expect(branches.text).not.toContain("street");
  expect(branches.text).not.toContain("postalCode");
});

it.each(["99999991", "99999992", "70000001"])(
  "%s, unknown to KVK, is 404, free of charge, and fetched once an hour",
  async (kvkNumber) => {
    const { kvk, get } = over;
    const before = paidCalls(kvk);
    for (const more of ["", "?enrich=true", "/branches", ""]) {
      const answer = await get(`/v1/lookup/${kvkNumber}${more}`);
      expect([answer.status, codeOf(answer)]).toEqual([404, "NOT_FOUND"]);
      expect(answer.text).toContain(kvkNumber);
      expect(numberIn(answer, "x-tokens-charged")).toBe(0);
    }
    expect(paidCalls(kvk) - before).toBe(1);
  },
);

it.each(["99999993", "99999994", "99999995"])(
  "%s, for which KVK reports a failure, is 502, free of charge, and never 404",
  async (kvkNumber) => {
    const answer = await over.get(`/v1/lookup/${kvkNumber}`);
    expect([answer.status, codeOf(answer)]).toEqual([502, "UPSTREAM_ERROR"]);
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
  },
);

it("maxAge is at least an hour", async () => {
  for (const maxAge of ["0", "3599", "x", "-1"]) {
    for (const path of ["/v1/lookup/90000010", "/v1/lookup/90000010/branches"]) {
      const answer = await over.get(`${path}?maxAge=${maxAge}`);
      expect([answer.status, codeOf(answer)]).toEqual([400, "INVALID_REQUEST"]);
      expect(answer.text).toContain("maxAge");
    }
  }
  expect((await over.get("/v1/lookup/90000010?maxAge=3600")).status).toBe(200);
});
