import { describe, expect, it } from "vitest";
import type { BudgetedCall, CallBudget, PaidBy } from "../liveSource.ts";
import type { PaidCallQueries } from "../queries/paidCalls.ts";
import { DailyCallBudget, LimitedCalls } from "./callBudget.ts";
import { dutchDay } from "./dutchDay.ts";
import type { DayOfCalls, FreeShare } from "./paidCalls.ts";

/** Counts like a store; `isShared`: there is an account of another tier. */
function storeOf() {
  const days = new Map<string, DayOfCalls>();
  const dayOf = (day: string) => days.get(day) ?? { all: 0, free: 0 };
  const store = {
    days,
    isShared: true,
    async spendCall(day: string, limit: number, share?: FreeShare) {
      const { all, free } = dayOf(day);
      if (all >= limit) return "day-over";
      if (share !== undefined && store.isShared && free >= share.calls) return "share-over";
      days.set(day, { all: all + 1, free: free + (share === undefined ? 0 : 1) });
      return "spent";
    },
    async refundCall(day: string, isOfShare: boolean) {
      const { all, free } = dayOf(day);
      days.set(day, { all: all - 1, free: free - (isOfShare ? 1 : 0) });
    },
    spentCalls: async (day: string) => dayOf(day),
  } satisfies Pick<PaidCallQueries, "spendCall" | "refundCall" | "spentCalls"> & Record<string, unknown>;
  return store;
}

function budgetOf(maxADay: number, shared?: number) {
  const store = storeOf();
  const clock = { nowMs: Date.parse("2026-05-05T12:00:00Z"), elapsedMs: 0 };
  const spentDays: string[] = [];
  const shareSpentDays: string[] = [];
  const budget = new DailyCallBudget({
    store,
    maxADay,
    ...(shared !== undefined && { share: { calls: shared, tierNames: ["free"] } }),
    onSpent: (day) => spentDays.push(day),
    onShareSpent: (day) => shareSpentDays.push(day),
    now: () => clock.nowMs,
    elapsed: () => clock.elapsedMs,
  });
  return { budget, store, clock, spentDays, shareSpentDays };
}

/** A call that must be permitted. */
async function taken(budget: CallBudget, payer: PaidBy = "other"): Promise<BudgetedCall> {
  const call = await budget.spend(payer);
  if (typeof call === "string") throw new Error(`the budget says ${call}`);
  return call;
}

async function spendWhilePossible(
  budget: DailyCallBudget,
  isAnswered: boolean,
  most = 10_000,
): Promise<number> {
  for (let count = 0; count < most; count++) {
    const call = await budget.spend("other");
    if (typeof call === "string") return count;
    call.ended(isAnswered);
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
  it("permits exactly its calls, reports once that it is spent, and resets at midnight", async () => {
    const { budget, clock, spentDays } = budgetOf(7);
    expect(await spendWhilePossible(budget, true)).toBe(7);
    expect(await budget.spend("other")).toBe("budget");
    expect([budget.isSpent, budget.permitsCalls]).toEqual([true, false]);
    expect(spentDays).toEqual(["2026-05-05"]);
    clock.nowMs = Date.parse("2026-05-05T22:00:00Z");
    expect(budget.isSpent).toBe(false);
    expect(await spendWhilePossible(budget, true)).toBe(7);
    expect(spentDays).toEqual(["2026-05-05", "2026-05-06"]);
  });

  it("refunds calls that did not reach the source to the day on which they were taken", async () => {
    const { budget, store, clock } = budgetOf(2);
    const calls = [await taken(budget), await taken(budget)];
    expect(await budget.spend("other")).toBe("budget");
    await calls[0]?.refund();
    expect(budget.isSpent).toBe(false);
    await taken(budget);
    expect(store.days.get("2026-05-05")).toEqual({ all: 2, free: 0 });
    clock.nowMs = Date.parse("2026-05-05T22:00:00Z");
    await taken(budget);
    await calls[1]?.refund();
    expect([store.days.get("2026-05-05")?.all, store.days.get("2026-05-06")?.all]).toEqual([1, 1]);
  });

  it("knows after a restart how much was spent before", async () => {
    const { budget, store } = budgetOf(3);
    store.days.set("2026-05-05", { all: 3, free: 0 });
    await budget.open();
    expect(budget.isSpent).toBe(true);
  });

  it("of zero permits no call", async () => {
    const { budget } = budgetOf(0);
    expect(await budget.spend("other")).toBe("budget");
  });
});

describe("the share of free accounts", () => {
  it("leaves the rest of the day to others, is reported once, and resets at midnight", async () => {
    const { budget, clock, shareSpentDays } = budgetOf(10, 3);
    for (let count = 0; count < 3; count++) await taken(budget, "free");
    expect([await budget.spend("free"), await budget.spend("free")]).toEqual(["free-share", "free-share"]);
    expect([budget.isSpent, budget.permitsCalls]).toEqual([false, true]);
    expect(await spendWhilePossible(budget, true)).toBe(7);
    expect(await budget.spend("free")).toBe("budget");
    expect(shareSpentDays).toEqual(["2026-05-05"]);
    clock.nowMs = Date.parse("2026-05-05T22:00:00Z");
    await taken(budget, "free");
  });

  it("is refunded for a call that did not reach the source", async () => {
    const { budget } = budgetOf(10, 1);
    const call = await taken(budget, "free");
    expect(await budget.spend("free")).toBe("free-share");
    await call.refund();
    await taken(budget, "free");
  });

  it("applies only while there are other accounts", async () => {
    const { budget, store } = budgetOf(10, 1);
    store.isShared = false;
    for (let count = 0; count < 4; count++) await taken(budget, "free");
    store.isShared = true;
    expect(await budget.spend("free")).toBe("free-share");
    store.isShared = false;
    await taken(budget, "free");
  });
});

describe("unanswered calls", () => {
  it("may use a tenth of the day's calls at once, and another tenth over a day", async () => {
    const { budget, clock } = budgetOf(1_000);
    expect(await spendWhilePossible(budget, false)).toBe(100);
    expect([budget.isSpent, budget.permitsCalls]).toEqual([false, false]);
    let more = 0;
    for (let minute = 0; minute < 24 * 60; minute++) {
      clock.elapsedMs += 60_000;
      more += await spendWhilePossible(budget, false);
    }
    expect(more).toBeGreaterThanOrEqual(99);
    expect(more).toBeLessThanOrEqual(100);
  });

  it("are compensated by answered ones", async () => {
    const { budget } = budgetOf(1_000);
    for (let round = 0; round < 300; round++) {
      (await taken(budget)).ended(false);
      (await taken(budget)).ended(true);
    }
  });

  it("do not exhaust a small budget with the first one", async () => {
    expect(await spendWhilePossible(budgetOf(10).budget, false)).toBe(5);
  });
});

it("too many unanswered calls are not reported as a spent budget", async () => {
  const { budget } = budgetOf(10);
  await spendWhilePossible(budget, false);
  expect(await budget.spend("other")).toBe("outage");
});

it("a nested budget takes calls from both and refunds to both", async () => {
  const { budget, store } = budgetOf(5);
  const calls = new LimitedCalls(budget, 3);
  const made = [await taken(calls), await taken(calls), await taken(calls)];
  expect([await calls.spend("other"), calls.made, store.days.get("2026-05-05")?.all]).toEqual([
    "budget",
    3,
    3,
  ]);
  await made[0]?.refund();
  expect([calls.made, calls.isOver, store.days.get("2026-05-05")?.all]).toEqual([2, false, 2]);
  const more = new LimitedCalls(budget, 100);
  let spent = 0;
  while (typeof (await more.spend("other")) !== "string") spent += 1;
  expect([spent, more.made]).toEqual([3, 3]);
});
