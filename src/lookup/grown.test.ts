/** While all of a registry was learned, what KVK tells comes first, and what was learned is told at any rate. */
import { describe, expect, it } from "vitest";
import { snapshotOf, sourcedFacts } from "../../test/kit/registry.ts";
import { learnedOrigin } from "../company/learned.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import { LiveSearches } from "../kvk/cache/liveSearches.ts";
import type { SearchFlights, SearchHit } from "../kvk/cache/searchFlights.ts";
import { CompanyFinder } from "./finding.ts";

const [OWN, OTHER, THEIRS] = [1, 2, 3].map((number) => sourcedFacts(number).facts.kvkNumber);

const told = (...numbers: readonly (KvkNumber | undefined)[]): SearchHit => ({
  kind: "hit",
  page: {
    hits: numbers.flatMap((kvkNumber) =>
      kvkNumber === undefined ? [] : [{ kvkNumber, name: "Voorbeeld", isActive: true }],
    ),
    total: numbers.length,
    isTotalExact: true,
  },
});

/** What a search comes to in a registry that learned two companies, whose live source searches so. */
async function found(search: SearchFlights["search"], q = "voorbeeld") {
  const origin = learnedOrigin("kvk-api");
  const current = await snapshotOf([1, 2].map((number) => sourcedFacts(number, {}, { origin })));
  const searches = new LiveSearches({
    flights: { search },
    store: { heldSearch: async () => null },
    freshForMs: 0,
    deadlineMs: 60_000,
  });
  const finder = new CompanyFinder({ registry: { current }, searches, origin: "kvk-api" });
  const result = await finder.search({ q, page: 1, pageSize: 10 });
  if (result.kind !== "paid-work") throw new Error(`nobody is asked: ${result.kind}`);
  const answer = await result.run("acc_1");
  if (answer.kind !== "found") return answer;
  const { results, ...total } = answer.found;
  return { rows: results.map(({ kvkNumber, origin: from }) => [kvkNumber, from]), ...total };
}

describe("a search of a registry that was learned", () => {
  it("tells KVK's rows first, then what was learned, and where each comes from", async () => {
    expect(await found(async () => told(THEIRS, OWN))).toEqual({
      rows: [
        [THEIRS, "kvk-api"],
        [OWN, "kvk-api"],
        [OTHER, "snapshot"],
      ],
      total: 3,
      totalIsExact: false,
    });
  });

  it("tells KVK's answer as it is where nothing else was learned", async () => {
    expect(await found(async () => told(OWN, OTHER))).toEqual({
      rows: [
        [OWN, undefined],
        [OTHER, undefined],
      ],
      total: 2,
    });
  });

  it.each<[string, SearchFlights["search"]]>([
    ["is away", async () => ({ kind: "miss", cause: "outage" })],
    ["does not answer", () => new Promise(() => {})],
  ])("tells what was learned while KVK %s", async (_what, search) => {
    const rows = [OWN, OTHER].map((number) => [number, undefined]);
    expect(await found(search)).toEqual({ rows, total: 2, totalIsExact: false });
  });

  it("has no answer where KVK has none and nothing was learned that fits", async () => {
    expect(await found(async () => ({ kind: "miss", cause: "outage" }), "zilverreiger")).toEqual({
      kind: "unavailable",
      cause: "outage",
    });
  });
});
