import { expect, it } from "vitest";
import { Insolvencies } from "./insolvencies.ts";
import type { StoredOpenData } from "./queries.ts";

const AT_MS = Date.parse("2026-10-03T21:02:05.698Z");
const BANKRUPT: StoredOpenData = { insolvency: "bankruptcy", isActive: true, observedAtMs: AT_MS };
const SHOWN = { type: "bankruptcy", observedAt: "2026-10-03T21:02:05.698Z", source: "kvk-open-data" };

function over(stored: Map<string, StoredOpenData>) {
  const reads: (readonly string[])[] = [];
  const clock = { nowMs: 0 };
  const insolvencies = new Insolvencies({
    read: async (kvkNumbers) => {
      reads.push(kvkNumbers);
      return kvkNumbers.map((kvkNumber) => stored.get(kvkNumber) ?? null);
    },
    now: () => clock.nowMs,
  });
  return { insolvencies, reads, clock };
}

it("reads the state once for a minute, also where nothing is known", async () => {
  const { insolvencies, reads, clock } = over(new Map([["51234567", BANKRUPT]]));
  expect(Object.fromEntries(await insolvencies.of(["51234567", "51234568"]))).toEqual({ "51234567": SHOWN });
  const again = insolvencies.of(["51234568", "51234567"]);
  expect(again).not.toBeInstanceOf(Promise);
  expect(Object.fromEntries(await again)).toEqual({ "51234567": SHOWN });
  expect(reads).toEqual([["51234567", "51234568"]]);
  clock.nowMs = 60_000;
  await insolvencies.of(["51234567"]);
  expect(reads).toHaveLength(2);
});

it("reads only the missing companies of a batch", async () => {
  const { insolvencies, reads } = over(new Map([["51234567", BANKRUPT]]));
  await insolvencies.of(["51234567"]);
  expect(Object.fromEntries(await insolvencies.of(["51234567", "51234569"]))).toEqual({ "51234567": SHOWN });
  expect(reads).toEqual([["51234567"], ["51234569"]]);
});

it.each<readonly [string, StoredOpenData | undefined, unknown]>([
  [
    "is none when the open data has no code",
    { insolvency: "none", observedAtMs: AT_MS },
    { ...SHOWN, type: "none" },
  ],
  ["is absent when the code is unknown", { isActive: true, observedAtMs: AT_MS }, undefined],
  ["is absent when there is no data", { observedAtMs: AT_MS }, undefined],
  ["is absent when it was never asked", undefined, undefined],
])("the insolvency %s", async (_, stored, shown) => {
  const { insolvencies } = over(new Map(stored && [["51234567", stored]]));
  expect((await insolvencies.of(["51234567"])).get("51234567")).toEqual(shown);
});
