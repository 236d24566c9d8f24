/** A snapshot and KVK together: the snapshot while it is fresh and has the data, otherwise KVK. */
import { expect, it } from "vitest";
import type { CompanyFacts, SourcedFacts } from "../../src/company/facts.ts";
import { type Answer, codeOf, jsonOf, numberIn } from "../kit/answer.ts";
import { kvkNumber } from "../kit/companies.ts";
import { batchIn, paidCalls, serveOverKvkHere } from "../kit/kvk.ts";

const DAY_MS = 86_400_000;
const FRESH = new Date(Date.now() - 2 * DAY_MS).toISOString();
const OLD = new Date(Date.now() - 200 * DAY_MS).toISOString();
/** Companies that KVK also has under these numbers. */
const [APPLE, PEAR, POST, SHIELDED] = ["90000010", "90000020", "90000030", "90000100"] as const;
/** A company that KVK does not have. */
const OURS = "50000001";

function company(digits: string, asOf: string, more: Partial<CompanyFacts> = {}): SourcedFacts {
  const facts = {
    kvkNumber: kvkNumber(digits),
    name: `Uit het bestand ${digits}`,
    isActive: true,
    address: {
      kind: "visiting" as const,
      street: "Bestandsweg",
      houseNumber: "1",
      city: "Bestandam",
      country: "NL",
    },
    ...more,
  };
  return { origin: more.activities === undefined ? "gleif" : "import:bestand", asOf, facts };
}

const WHOLE = { activities: [{ sbiCode: "6201", isMain: true }], branches: [] };

function sourceOf(answer: Answer): { kvk: string; cachedAt: string } {
  return (jsonOf(answer) as { source: { kvk: string; cachedAt: string } }).source;
}

it("the service returns a fresh company from the snapshot, without a call", async () => {
  const { kvk, get, batch } = await serveOverKvkHere({ companies: [company(APPLE, FRESH, WHOLE)] });
  for (const more of ["", "?enrich=true", "?maxAge=604800"]) {
    const answer = await get(`/v1/lookup/${APPLE}${more}`);
    expect(sourceOf(answer)).toEqual({ kvk: "import:bestand", cachedAt: FRESH });
  }
  expect(jsonOf(await get(`/v1/lookup/${APPLE}/branches`))).toMatchObject({ branches: [] });
  expect(batchIn(await batch([APPLE])).results[0]?.name).toContain("bestand");
  expect(paidCalls(kvk)).toBe(0);
  // For fresher data KVK is queried, and its answer is cached.
  const fresher = await get(`/v1/lookup/${APPLE}?maxAge=3600`);
  expect(sourceOf(fresher).kvk).toBe("kvk-api");
  expect(jsonOf(fresher)).toMatchObject({ name: "Eenzame Appel" });
  expect((await get(`/v1/lookup/${APPLE}?maxAge=3600`)).text).toBe(fresher.text);
  expect(paidCalls(kvk)).toBe(1);
  // From then on the newer answer is returned, so that lookups and changes agree.
  expect(sourceOf(await get(`/v1/lookup/${APPLE}`)).kvk).toBe("kvk-api");
});

it("the service fetches an old company from KVK once, and returns the old data if KVK does not answer", async () => {
  const { kvk, get } = await serveOverKvkHere({
    companies: [company(APPLE, OLD, WHOLE), company(PEAR, OLD, WHOLE), company(OURS, OLD, WHOLE)],
    environment: { KVK_DEADLINE_MS: "10000" },
  });
  expect(sourceOf(await get(`/v1/lookup/${APPLE}`)).kvk).toBe("kvk-api");
  expect(sourceOf(await get(`/v1/lookup/${APPLE}`)).kvk).toBe("kvk-api");
  expect(paidCalls(kvk)).toBe(1);
  // A company in the snapshot stays available if KVK does not know it.
  const ours = await get(`/v1/lookup/${OURS}`);
  expect(sourceOf(ours)).toEqual({ kvk: "import:bestand", cachedAt: OLD });
  kvk.setFault("*", { kind: "reset" });
  const answer = await get(`/v1/lookup/${PEAR}`);
  expect(sourceOf(answer)).toEqual({ kvk: "import:bestand", cachedAt: OLD });
  expect(numberIn(answer, "x-tokens-charged")).toBe(1);
});

it("the service fetches data that the origin lacks from KVK: activities for an enriched lookup, branches for branches", async () => {
  const { kvk, get, batch } = await serveOverKvkHere({
    companies: [company(APPLE, FRESH), company(POST, FRESH), company(OURS, FRESH)],
  });
  expect(sourceOf(await get(`/v1/lookup/${APPLE}`)).kvk).toBe("gleif");
  expect(paidCalls(kvk)).toBe(0);
  const enriched = await get(`/v1/lookup/${APPLE}?enrich=true`);
  expect(jsonOf(enriched)).toMatchObject({ activities: [{ sbiCode: "01241" }] });
  expect(numberIn(enriched, "x-tokens-charged")).toBe(5);
  expect(paidCalls(kvk)).toBe(1);
  const branches = jsonOf(await get(`/v1/lookup/${APPLE}/branches`)) as { branches: readonly object[] };
  expect(branches.branches.length).toBe(2);
  expect(paidCalls(kvk)).toBe(2);
  const both = batchIn(await batch([APPLE, POST, OURS], { enrich: true }));
  expect(both.failed).toEqual([]);
  expect(both.tokensUsed).toBe(5 + 5 + 1);
  const none = await get(`/v1/lookup/${OURS}/branches`);
  expect([none.status, codeOf(none), numberIn(none, "x-tokens-charged")]).toEqual([502, "UPSTREAM_ERROR", 0]);
});

it("the service never shows an address that any origin shields, and never mixes addresses", async () => {
  const shielded = { kind: "visiting", city: "Stilledorp", country: "NL", isShielded: true } as const;
  const { get } = await serveOverKvkHere({
    companies: [company(SHIELDED, OLD, WHOLE), company(APPLE, OLD, { ...WHOLE, address: shielded })],
  });
  for (const number of [SHIELDED, APPLE]) {
    for (const more of ["", "?enrich=true"]) {
      const { address } = jsonOf(await get(`/v1/lookup/${number}${more}`)) as { address: object };
      expect(Object.keys(address).sort()).toEqual(["city", "country", "isShielded"]);
    }
  }
});

it("the service uses only the snapshot for autocomplete and for a search with further criteria", async () => {
  const { kvk, get } = await serveOverKvkHere({ companies: [company(OURS, OLD, WHOLE)] });
  expect(jsonOf(await get("/v1/search?q=bestand&sbiCode=6201"))).toMatchObject({ total: 1 });
  expect(jsonOf(await get("/v1/autocomplete?q=best"))).toMatchObject({ results: [{ kvkNumber: OURS }] });
  expect(jsonOf(await get("/v1/search?q=appel&isActive=true"))).toMatchObject({ total: 0 });
  expect(kvk.counts.all.requests).toBe(0);
});
