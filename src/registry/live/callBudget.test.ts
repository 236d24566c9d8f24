import { describe, expect, it } from "vitest";
import { DailyCallBudget, LimitedCalls } from "./callBudget.ts";
import { dutchDay } from "./dutchDay.ts";

/** Counts as a store does. */
function storeOf() {
  const days = new Map<string, number>();
  return {
    days,
    async spendCall(day: string, most: number) {
      const calls = days.get(day) ?? 0;
      if (calls >= most) return false;
      days.set(day, calls + 1);
      return true;
    },
    async refundCall(day: string) {
      days.set(day, (days.get(day) ?? 0) - 1);
    },
    spentCalls: async (day: string) => days.get(day) ?? 0,
  };
}

function budgetOf(mostADay: number) {
  const store = storeOf();
  const clock = { nowMs: Date.parse("2026-05-05T12:00:00Z"), elapsedMs: 0 };
  const spentDays: string[] = [];
  const budget = new DailyCallBudget({
    store,
    mostADay,
    onSpent: (day) => spentDays.push(day),
    now: () => clock.nowMs,
    elapsed: () => clock.elapsedMs,
  });
  return { budget, store, clock, spentDays };
}

async function spendWhilePossible(
  budget: DailyCallBudget,
  isAnswered: boolean,
  most = 10_000,
): Promise<number> {
  for (let count = 0; count < most; count++) {
    if (!(await budget.spend())) return count;
    budget.ended(isAnswered);
  }
  return most;
}

describe("the day", () => {
  it.each([
    ["2026-01-31T22:59:59Z", "2026-01-31"],
    ["2026-01-31T23:00:00Z", "2026-02-01"],
    ["2026-07-31T21:59:59Z", "2026-07-31"],
    ["2026-07-31T22:00:00Z", "2026-08-01"],
    ["2026-03-29T21:59:59Z", "2026-03-29"],
    ["2026-10-25T22:59:59Z", "2026-10-25"],
    ["2026-10-25T23:00:00Z", "2026-10-26"],
  ])("of %s is %s in the Netherlands", (moment, day) => {
    expect(dutchDay(Date.parse(moment))).toBe(day);
  });
});

describe("a day's budget", () => {
  it("lets exactly its calls through, tells once that it is spent, and begins anew at midnight", async () => {
    const { budget, clock, spentDays } = budgetOf(7);
    expect(await spendWhilePossible(budget, true)).toBe(7);
    expect(await budget.spend()).toBe(false);
    expect([budget.isSpent, budget.admits]).toEqual([true, false]);
    expect(spentDays).toEqual(["2026-05-05"]);
    clock.nowMs = Date.parse("2026-05-05T22:00:00Z");
    expect(budget.isSpent).toBe(false);
    expect(await spendWhilePossible(budget, true)).toBe(7);
    expect(spentDays).toEqual(["2026-05-05", "2026-05-06"]);
  });

  it("takes back what did not reach the source", async () => {
    const { budget, store } = budgetOf(2);
    await spendWhilePossible(budget, true);
    await budget.refund();
    expect(budget.isSpent).toBe(false);
    expect(await budget.spend()).toBe(true);
    expect(store.days.get("2026-05-05")).toBe(2);
  });

  it("knows after a start what was spent before it", async () => {
    const { budget, store } = budgetOf(3);
    store.days.set("2026-05-05", 3);
    await budget.open();
    expect(budget.isSpent).toBe(true);
  });

  it("of none lets nothing through", async () => {
    const { budget } = budgetOf(0);
    expect(await budget.spend()).toBe(false);
  });
});

describe("calls without an answer", () => {
  it("take a tenth of the day's at once, and a tenth more over a whole day", async () => {
    const { budget, clock } = budgetOf(1_000);
    expect(await spendWhilePossible(budget, false)).toBe(100);
    expect([budget.isSpent, budget.admits]).toEqual([false, false]);
    let more = 0;
    for (let minute = 0; minute < 24 * 60; minute++) {
      clock.elapsedMs += 60_000;
      more += await spendWhilePossible(budget, false);
    }
    expect(more).toBeGreaterThanOrEqual(99);
    expect(more).toBeLessThanOrEqual(100);
  });

  it("are made up for by those that were answered", async () => {
    const { budget } = budgetOf(1_000);
    for (let round = 0; round < 300; round++) {
      expect(await budget.spend()).toBe(true);
      budget.ended(false);
      expect(await budget.spend()).toBe(true);
      budget.ended(true);
    }
  });

  it("do not end a small budget with the first of them", async () => {
    expect(await spendWhilePossible(budgetOf(10).budget, false)).toBe(5);
  });
});

it("a budget within another spends from both, and gives back to both", async () => {
  const { budget, store } = budgetOf(5);
  const calls = new LimitedCalls(budget, 3);
  for (let count = 0; count < 3; count++) expect(await calls.spend()).toBe(true);
  expect([await calls.spend(), calls.left, store.days.get("2026-05-05")]).toEqual([false, 0, 3]);
  await calls.refund();
  expect([calls.left, store.days.get("2026-05-05")]).toEqual([1, 2]);
  const more = new LimitedCalls(budget, 100);
  let spent = 0;
  while (await more.spend()) spent += 1;
  expect([spent, more.left]).toEqual([3, 97]);
});
