import { expect, it } from "vitest";
import type { StoredOpenData } from "./queries.ts";
import { StoredAnswers } from "./storedAnswers.ts";

const AT_MS = Date.parse("2026-10-03T21:02:05.698Z");
const BANKRUPT: StoredOpenData = { insolvency: "bankruptcy", isActive: true, observedAtMs: AT_MS };

function over(stored: Map<string, StoredOpenData>) {
  const reads: (readonly string[])[] = [];
  const clock = { nowMs: 0 };
  const answers = new StoredAnswers({
    read: async (kvkNumbers) => {
      reads.push(kvkNumbers);
      return kvkNumbers.map((kvkNumber) => stored.get(kvkNumber) ?? null);
    },
    now: () => clock.nowMs,
  });
  return { answers, reads, clock };
}

it("reads the state once for a minute, also where nothing is known", async () => {
  const { answers, reads, clock } = over(new Map([["51234567", BANKRUPT]]));
  expect(Object.fromEntries(await answers.of(["51234567", "51234568"]))).toEqual({ "51234567": BANKRUPT });
  const again = answers.of(["51234568", "51234567"]);
  expect(again).not.toBeInstanceOf(Promise);
  expect(Object.fromEntries(await again)).toEqual({ "51234567": BANKRUPT });
  expect(reads).toEqual([["51234567", "51234568"]]);
  clock.nowMs = 60_000;
  await answers.of(["51234567"]);
  expect(reads).toHaveLength(2);
});

it("reads only the missing companies of a batch", async () => {
  const { answers, reads } = over(new Map([["51234567", BANKRUPT]]));
  await answers.of(["51234567"]);
  expect(Object.fromEntries(await answers.of(["51234567", "51234569"]))).toEqual({ "51234567": BANKRUPT });
  expect(reads).toEqual([["51234567"], ["51234569"]]);
});
