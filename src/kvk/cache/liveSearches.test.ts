import { describe, expect, it } from "vitest";
import { kvkNumber } from "../../../test/kit/companies.ts";
import type { LivePage, LiveSource } from "../liveSource.ts";
import { LiveSearches } from "./liveSearches.ts";

const NEVER = new Promise<never>(() => {});
const ASKED = { q: "fabel", page: 1, pageSize: 25 };
const PAGE: LivePage = {
  hits: [{ kvkNumber: kvkNumber("60000001"), name: "Fabel", isActive: true }],
  total: 1,
  isTotalExact: true,
};
const STORED = { page: JSON.stringify(PAGE), foundAtMs: 1_000 };
const hit = { kind: "found", value: PAGE, asOf: "1970-01-01T00:00:01.000Z" } as const;
const miss = { kind: "no-answer", cause: "outage", reason: "UNREACHABLE" } as const;

function searches(
  search: LiveSource["search"],
  findSearch: () => Promise<typeof STORED | null> = async () => null,
  nowMs = 1_000,
  take: (accountId: string) => boolean = () => true,
): LiveSearches {
  return new LiveSearches({
    source: { search },
    store: { findSearch, storeSearch: async () => {} },
    share: { take },
    freshForMs: 500,
    deadlineMs: 60_000,
    now: () => nowMs,
  });
}

describe("a page with a time limit", () => {
  it("is undefined when source or store hang, fail or return nothing", async () => {
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
      searches(
        async () => hit,
        undefined,
        undefined,
        () => false,
      ),
    ];
    for (const one of cases) expect(await one.within(ASKED, 5, "acc_1")).toBeUndefined();
  });

  it("comes from the source with one shared call, counted for each account", async () => {
    const asked: unknown[] = [];
    const accounts: string[] = [];
    const { promise, resolve } = Promise.withResolvers<typeof hit>();
    const live = searches(
      (criteria) => {
        asked.push(criteria);
        return promise;
      },
      undefined,
      undefined,
      (accountId) => accounts.push(accountId) > 0,
    );
    const both = ["acc_1", "acc_2"].map((accountId) => live.ask(ASKED, accountId));
    resolve(hit);
    expect(await Promise.all(both)).toEqual([1, 2].map(() => ({ kind: "hit", page: PAGE })));
    expect([asked, accounts]).toEqual([[ASKED], ["acc_1", "acc_2"]]);
  });

  it("comes from the store while fresh, and later when the source fails", async () => {
    const held = async () => STORED;
    expect(await searches(() => NEVER, held, 1_500).within(ASKED, 60_000)).toEqual(PAGE);
    expect(await searches(() => NEVER, held, 1_501).within(ASKED, 5)).toBeUndefined();
    expect(await searches(async () => miss, held, 9_000).within(ASKED, 60_000)).toEqual(PAGE);
  });
});
