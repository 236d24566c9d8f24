import { afterAll, beforeAll, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { dutchDay } from "../../../src/kvk/budget/dutchDay.ts";
import { NotFoundQuota } from "../../../src/kvk/budget/notFoundQuota.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";

/** Paid calls per day, the part of them that accounts share, and those without a result. */
export function paidCalls(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  let count = 0;
  /** A day unique to the calling test. */
  const aDay = () =>
    `19${String(10 + Math.floor(++count / 28)).padStart(2, "0")}-01-${String((count % 28) + 1).padStart(2, "0")}`;

  beforeAll(async () => {
    fixture = new StoreFixture(open, NOW);
    store = await fixture.connect();
  });
  afterAll(() => fixture.close());

  it("allows exactly the daily number of calls, from any number of connections", async () => {
    const stores = [store, await fixture.connect(), await fixture.connect()];
    const [day, other] = [aDay(), aDay()];
    const spent = await Promise.all(
      Array.from({ length: 60 }, (_, index) => stores[index % 3]?.live.spendCall(day, 25)),
    );
    expect(spent.filter((one) => one === "spent").length).toBe(25);
    expect(await store.live.spentCalls(day)).toEqual({ all: 25, free: 0 });
    expect(await store.live.spendCall(other, 1)).toBe("spent");
    expect(await store.live.spendCall(other, 1)).toBe("day-over");
    expect(await store.live.spendCall(aDay(), 0)).toBe("day-over");
  });

  it("releases calls, never more than were made", async () => {
    const day = aDay();
    await store.live.spendCall(day, 2);
    await store.live.refundCall(day, true);
    await store.live.refundCall(day, false);
    expect(await store.live.spentCalls(day)).toEqual({ all: 0, free: 0 });
    expect([await store.live.spendCall(day, 2), await store.live.spendCall(day, 2)]).toEqual([
      "spent",
      "spent",
    ]);
    expect(await store.live.spendCall(day, 2)).toBe("day-over");
  });

  it("allows sharing accounts exactly their part of a day, from any number of connections, and the others the rest", async () => {
    const stores = [store, await fixture.connect(), await fixture.connect()];
    const { accountId } = await fixture.addAccount(store, "wide");
    const day = aDay();
    const share = { calls: 7, tierNames: ["free", "small"] };
    const spent = await Promise.all(
      Array.from({ length: 90 }, (_, index) =>
        stores[index % 3]?.live.spendCall(day, 25, index % 9 < 6 ? share : undefined),
      ),
    );
    const ofShare = spent.filter((_, index) => index % 9 < 6);
    expect(ofShare.filter((one) => one === "spent").length).toBe(7);
    expect(spent.filter((one) => one === "spent").length).toBe(25);
    expect(await store.live.spentCalls(day)).toEqual({ all: 25, free: 7 });
    await store.live.refundCall(day, true);
    expect(await store.live.spentCalls(day)).toEqual({ all: 24, free: 6 });
    expect(await store.live.spendCall(day, 25, share)).toBe("spent");
    expect(await store.live.spendCall(day, 99, share)).toBe("share-over");
    expect(await store.accounts.find(accountId)).toBeDefined();
  });

  it("allows sharing accounts the whole day if there is no account of another tier", async () => {
    const own = new StoreFixture(open, NOW);
    const state = await own.connect();
    const share = { calls: 1, tierNames: ["free", "small", "wide"] };
    await own.addAccount(state, "small");
    await own.addAccount(state, "wide");
    const [day, other] = [aDay(), aDay()];
    const spend = async (on: string) => [
      await state.live.spendCall(on, 9, share),
      await state.live.spendCall(on, 9, share),
    ];
    expect(await spend(day)).toEqual(["spent", "spent"]);
    expect(await state.live.hasPayingAccounts(share.tierNames)).toBe(false);
    const { accountId } = await own.addAccount(state, "large");
    expect(await state.live.hasPayingAccounts(share.tierNames)).toBe(true);
    expect(await spend(other)).toEqual(["spent", "share-over"]);
    expect(await state.accounts.setTier(accountId, "small")).toBe(true);
    expect(await spend(day)).toEqual(["spent", "spent"]);
    await own.close();
  });

  it("grants an exact number of places for calls without a result, over all holders", async () => {
    const [day, later] = [aDay(), aDay()];
    const processes = [1, 2, 3].map(() => new NotFoundQuota(store.live, 12, () => fixture.nowMs));
    const subject = `hash ${day}`;
    const decide = async (misses: NotFoundQuota, wasNotFound: boolean) => {
      const permit = await misses.enter(subject, AbortSignal.timeout(20_000));
      if (typeof permit !== "string") await permit.release(wasNotFound);
      return typeof permit === "string" ? permit : "asked";
    };
    const ended = await Promise.all(
      processes.flatMap((misses) =>
        Array.from({ length: 20 }, (_, index) => decide(misses, index % 2 === 0)),
      ),
    );
    // Twelve of thirty missed; no call for existing data was refused before that.
    expect(ended.filter((one) => one === "none-left").length).toBeGreaterThanOrEqual(18);
    const quota = {
      subject,
      day: dutchDay(fixture.nowMs),
      holder: "last",
      inProgress: 0,
      misses: 0,
      wanted: 1,
      most: 12,
    };
    const times = { nowMs: fixture.nowMs, lapsesAtMs: fixture.nowMs + 1 };
    expect(await store.live.holdPermits({ ...quota, ...times })).toEqual({ granted: 0, isOver: true });
    expect(await store.live.holdPermits({ ...quota, ...times, most: 13 })).toEqual({
      granted: 1,
      isOver: false,
    });
    expect(await store.live.holdPermits({ ...quota, ...times, day: later, wanted: 5 })).toEqual({
      granted: 5,
      isOver: false,
    });
    const other = { ...quota, ...times, day: later, holder: "next", wanted: 12 };
    expect(await store.live.holdPermits(other)).toEqual({ granted: 7, isOver: false });
    // A repeated report is not counted again; calls whose outcome is never reported count as missed in the end.
    const again = { ...other, inProgress: 7, wanted: 9 };
    expect(await store.live.holdPermits(again)).toEqual({ granted: 0, isOver: false });
    expect(await store.live.holdPermits({ ...again, nowMs: times.lapsesAtMs, most: 5 })).toEqual({
      granted: 0,
      isOver: true,
    });
  });
}
