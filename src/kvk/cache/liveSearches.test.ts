import { describe, expect, it } from "vitest";
import { kvkNumber } from "../../../test/kit/companies.ts";
import type { LivePage } from "../liveSource.ts";
import { LiveSearches } from "./liveSearches.ts";
import type { SearchFlights } from "./searchFlights.ts";

const NEVER = new Promise<never>(() => {});
const ASKED = { q: "fabel", page: 1, pageSize: 25 };
const PAGE: LivePage = {
  hits: [{ kvkNumber: kvkNumber("60000001"), name: "Fabel", isActive: true }],
  total: 1,
  isTotalExact: true,
};
const STORED = { page: JSON.stringify(PAGE), foundAtMs: 1_000 };
const hit = { kind: "hit", page: PAGE } as const;
const miss = { kind: "miss", cause: "outage" } as const;

function searches(
  search: SearchFlights["search"],
  heldSearch: () => Promise<typeof STORED | null> = async () => null,
  nowMs = 1_000,
): LiveSearches {
  return new LiveSearches({
    flights: { search },
    store: { heldSearch },
    freshForMs: 500,
    deadlineMs: 60_000,
    now: () => nowMs,
  });
}

describe("a page within a time", () => {
  it("is none when source or store hang, fail, or have nothing", async () => {
    const cases: readonly LiveSearches[] = [
      searches(() => NEVER),
      searches(
        async () => hit,
        () => NEVER,
      ),
      searches(
        async () => hit,
        () => Promise.reject(new Error("the store is away")),
      ),
      searches(() => Promise.reject(new Error("the source is away"))),
      searches(async () => miss),
      searches(async () => "share-over"),
    ];
    for (const one of cases) expect(await one.within(ASKED, 5, "acc_1")).toBeUndefined();
  });

  it("is what the source tells, asked for the account", async () => {
    const asked: unknown[] = [];
    const live = searches(async (...all) => {
      asked.push(all);
      return hit;
    });
    expect(await live.within(ASKED, 60_000, "acc_1")).toEqual(PAGE);
    expect(asked).toEqual([[ASKED, "acc_1"]]);
  });

  it("is what is held while that is fresh, without asking, and later where the source has no answer", async () => {
    const held = async () => STORED;
    expect(await searches(() => NEVER, held, 1_500).within(ASKED, 60_000)).toEqual(PAGE);
    expect(await searches(() => NEVER, held, 1_501).within(ASKED, 5)).toBeUndefined();
    expect(await searches(async () => miss, held, 9_000).within(ASKED, 60_000)).toEqual(PAGE);
  });
});
