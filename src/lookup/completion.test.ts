import { describe, expect, it } from "vitest";
import { kvkNumber } from "../../test/kit/companies.ts";
import type { SearchItem } from "../contract/resources.ts";
import type { LiveSearches } from "../kvk/cache/liveSearches.ts";
import type { LivePage } from "../kvk/liveSource.ts";
import type { FoundPage } from "../search/finder.ts";
import { completeSearch, liveQuery } from "./completion.ts";
import { NOTHING_SUPPRESSED } from "./suppression/suppressed.ts";

const row = (digits: string, more: Partial<SearchItem> = {}): SearchItem => ({
  kvkNumber: kvkNumber(digits),
  name: `Fabel ${digits}`,
  isActive: true,
  ...more,
});
const [OWN, CORRECTED, THEIRS] = ["60000001", "60000002", "60000003"] as const;
const hit = (digits: string) => ({ kvkNumber: kvkNumber(digits), name: `Fabel ${digits}`, isActive: true });
const KNOWN: LivePage = { hits: [hit(THEIRS), hit(OWN)], total: 2, isTotalExact: true };

/** Completes a page. */
async function completed(
  results: SearchItem[],
  pageSize: number,
  within: LiveSearches["within"] = async () => KNOWN,
) {
  const options = { searches: { within }, suppressed: NOTHING_SUPPRESSED, origin: "kvk-api" };
  const found: FoundPage = { results, total: results.length };
  const criteria = { q: "fabel", page: 1, pageSize };
  const work = completeSearch(options, async () => found, criteria);
  const answer = await work.whenPaid({ accountId: "acc_1", tierName: "free" });
  if (answer.kind !== "found") throw new Error(`this is no page: ${answer.kind}`);
  return answer.found;
}

describe("completeSearch", () => {
  it("ranks rows of the live source before matches of a corrected query", async () => {
    const page = await completed([row(CORRECTED, { isFuzzy: true })], 10);
    expect(page?.results.map(({ kvkNumber: number }) => number)).toEqual([THEIRS, OWN, CORRECTED]);
    expect(page?.results.map(({ origin }) => origin)).toEqual(["kvk-api", "kvk-api", "snapshot"]);
  });

  it("calls the live source if a full page has only corrected matches, but not if it has exact ones", async () => {
    const corrected = await completed([row(CORRECTED, { isFuzzy: true })], 1);
    expect(corrected?.results.map(({ kvkNumber: number }) => number)).toEqual([THEIRS]);
    const unasked = () => Promise.reject(new Error("the live source must not be asked"));
    expect(await completed([row(OWN)], 1, unasked)).toEqual({ results: [row(OWN)], total: 1 });
  });

  it("waits at most 300 ms for the live source, and searches by words only, for the account", async () => {
    const asked: unknown[] = [];
    await completed([row(OWN)], 10, async (...all: readonly unknown[]) => {
      asked.push(all);
      return KNOWN;
    });
    expect(asked).toEqual([[{ q: "fabel", includeInactive: true, page: 1, pageSize: 25 }, 300, "acc_1"]]);
  });

  it("returns an inexact total when the live source fails", async () => {
    const page = await completed([row(OWN)], 10, async () => undefined);
    expect(page).toEqual({ results: [row(OWN)], total: 1, totalIsExact: false });
  });
});

describe("the query for a live source", () => {
  it.each([
    ["Molen De Hoop", "Molen De Hoop"],
    ["Molen De Hoop (60000119)", "60000119"],
    ["KVK 60000119", "60000119"],
    ["kvk-nummer: 60.000.119", "60000119"],
    ["KVK 6000", "KVK 6000"],
    ["Molen 1940-1945", "Molen 1940-1945"],
    ["Jansen &amp; Zonen\u200b", "Jansen & Zonen"],
  ])("for %j is %j", (q, asked) => {
    expect(liveQuery(q)).toBe(asked);
  });
});
