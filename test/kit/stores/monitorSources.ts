import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { KvkNumber } from "../../../src/contract/numbers.ts";
import type { Signal } from "../../../src/kvk/monitored/stored.ts";
import type { Turn } from "../../../src/lib/turns.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";
import { monitor, newCompanies, newOwner } from "./monitorFixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The work that asks KVK about monitored companies: turns, calls, due companies and signals. */
export function monitorSources(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  let count = 0;

  beforeAll(async () => {
    fixture = new StoreFixture(open, NOW);
    store = await fixture.connect();
  });
  afterAll(() => fixture.close());

  const take = async (name: string, from = store, everyMs = 0): Promise<Turn> => {
    const turn = await from.turns.takeTurn(name, 1_000, everyMs);
    if (typeof turn === "number") throw new Error(`not before ${turn} ms`);
    return turn;
  };

  describe("a turn", () => {
    it("belongs to one of any number of connections, and passes its cursor on", async () => {
      const stores = [store, await fixture.connect(), await fixture.connect()];
      await store.turns.endTurn(await take("signals"), 0);
      const taken = await Promise.all(
        Array.from({ length: 30 }, (_, index) => stores[index % 3]?.turns.takeTurn("signals", 1_000, 0)),
      );
      const turns = taken.filter((one) => typeof one === "object");
      expect(turns).toHaveLength(1);
      const [turn] = turns;
      if (turn === undefined) throw new Error("nobody has it");
      expect(await store.turns.endTurn({ ...turn, cursor: "17 é" }, 0)).toBe(true);
      expect((await take("signals", stores[1])).cursor).toBe("17 é");
    });

    it("is free again when its process was killed, and then no longer stores anything", async () => {
      const lost = await take("share");
      expect(await store.turns.takeTurn("share", 1_000, 0)).toBe(1_000);
      fixture.nowMs += 1_000;
      const next = await take("share");
      expect(await store.turns.endTurn({ ...lost, cursor: "lost" }, 0)).toBe(false);
      expect(await store.turns.endTurn({ ...next, cursor: "next" }, 0)).toBe(true);
      expect((await take("share")).cursor).toBe("next");
    });

    it("is free at once when its claims are ended, but not before it is due", async () => {
      await store.turns.freeLeases();
      await take("signals");
      const due = await take("share", store, 5_000);
      await store.turns.freeLeases();
      expect(await store.turns.takeTurn("signals", 1_000, 0)).toBeTypeOf("object");
      expect(await store.turns.takeTurn("share", 1_000, 0)).toBe(5_000);
      expect(await store.turns.endTurn(due, 0)).toBe(true);
      await store.turns.freeLeases();
    });

    it("begins no earlier than the wait after the previous one, even if that was never ended", async () => {
      const other = await fixture.connect();
      const turn = await take("open-data", store, 60_000);
      fixture.nowMs += 59_999;
      expect(await other.turns.takeTurn("open-data", 1_000, 60_000)).toBe(1);
      fixture.nowMs += 1;
      const next = await take("open-data", other, 60_000);
      expect(next.claim).toBe(turn.claim + 1);
      await other.turns.endTurn(next, 90_000);
      fixture.nowMs += 89_999;
      expect(await store.turns.takeTurn("open-data", 1_000, 60_000)).toBe(1);
    });

    it("is free when its wait was stored by a clock that was far ahead", async () => {
      const nowMs = fixture.nowMs;
      fixture.nowMs += 365 * DAY_MS;
      await store.turns.endTurn(await take("refreshes"), 1_000);
      fixture.nowMs = nowMs;
      expect(await store.turns.takeTurn("refreshes", 1_000, 0)).toBeTypeOf("object");
    });
  });

  describe("the share of a day's calls", () => {
    /** A day unique to the calling test. */
    const aDay = () => `18${String(10 + ++count)}-01-01`;

    it("is exact from any number of connections, and counts towards the day", async () => {
      const stores = [store, await fixture.connect(), await fixture.connect()];
      const day = aDay();
      const spent = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          index % 2 === 0
            ? stores[index % 3]?.monitorSources.spendMonitorCall(day, 25, 7)
            : stores[index % 3]?.live.spendCall(day, 25),
        ),
      );
      expect(spent.filter((one, index) => one === "spent" && index % 2 === 0)).toHaveLength(7);
      expect(spent.filter((one) => one === "spent")).toHaveLength(25);
      expect(await store.live.spentCalls(day)).toEqual({ all: 25, free: 0 });
      expect(await store.monitorSources.monitorCalls(day)).toBe(7);
    });

    it("is over before the day, or with it", async () => {
      const [day, other] = [aDay(), aDay()];
      const { spendMonitorCall } = store.monitorSources;
      expect(await spendMonitorCall(day, 9, 1)).toBe("spent");
      expect(await spendMonitorCall(day, 9, 1)).toBe("share-over");
      expect(await spendMonitorCall(other, 9, 0)).toBe("share-over");
      expect(await store.live.spendCall(other, 1)).toBe("spent");
      expect(await spendMonitorCall(other, 1, 9)).toBe("day-over");
    });

    it("gets unsent calls back, never more than were made", async () => {
      const day = aDay();
      await store.monitorSources.spendMonitorCall(day, 9, 1);
      await store.monitorSources.refundMonitorCall(day);
      await store.monitorSources.refundMonitorCall(day);
      expect(await store.live.spentCalls(day)).toEqual({ all: 0, free: 0 });
      expect(await store.monitorSources.spendMonitorCall(day, 9, 1)).toBe("spent");
    });
  });

  describe("monitored companies", () => {
    it("are listed by account, with KVK's last answers, without paused ones", async () => {
      const own = new StoreFixture(open, NOW);
      const state = await own.connect();
      const { nextAccountWithMonitors, monitoredOf } = state.monitorSources;
      expect(await nextAccountWithMonitors("")).toBeUndefined();
      const owners = [await newOwner(own, state), await newOwner(own, state), await newOwner(own, state)];
      const accounts = owners.map(({ accountId }) => accountId).sort();
      const [first = "", second = "", third = ""] = accounts;
      const ownerOf = (accountId: string) =>
        owners.find((one) => one.accountId === accountId) ?? { accountId, keyId: "" };
      const numbers = newCompanies(3);
      await monitor(state, ownerOf(first), numbers);
      await monitor(state, ownerOf(third), numbers.slice(1));
      const testOwner = { ...ownerOf(second), isTest: true } as const;
      await monitor(state, testOwner, numbers);
      expect(await nextAccountWithMonitors("")).toBe(first);
      expect(await nextAccountWithMonitors(first)).toBe(third);
      expect(await nextAccountWithMonitors(third)).toBeUndefined();
      await state.live.storeCompany(numbers[1] ?? "", null, 17);
      expect(await monitoredOf(first, "", 9)).toEqual([
        { kvkNumber: numbers[0], answeredAtMs: 0 },
        { kvkNumber: numbers[1], answeredAtMs: 17 },
        { kvkNumber: numbers[2], answeredAtMs: 0 },
      ]);
      expect(await monitoredOf(first, numbers[0] ?? "", 1)).toEqual([
        { kvkNumber: numbers[1], answeredAtMs: 17 },
      ]);
      expect(await monitoredOf(second, "", 9)).toEqual([]);
      await state.accounts.setSuspended(first, true, NOW);
      expect(await nextAccountWithMonitors("")).toBe(third);
      await own.close();
    });

    it("are due for open data when it is missing or old, and rarely when there is none", async () => {
      const own = new StoreFixture(open, NOW);
      const state = await own.connect();
      const numbers = newCompanies(4);
      await monitor(state, await newOwner(own, state), numbers);
      const [never, old, young, none] = numbers as [KvkNumber, KvkNumber, KvkNumber, KvkNumber];
      const nowMs = own.nowMs;
      const { storeInsolvency, openDataDue } = state.monitors;
      await storeInsolvency(old, { insolvency: "none", isActive: true, observedAtMs: nowMs - 2 * DAY_MS });
      await storeInsolvency(young, { isActive: true, observedAtMs: nowMs - HOUR_MS });
      await storeInsolvency(none, { observedAtMs: nowMs - 3 * DAY_MS });
      expect(await openDataDue(nowMs - DAY_MS, 9, nowMs - 30 * DAY_MS)).toEqual([never, old]);
      expect(await openDataDue(nowMs - DAY_MS, 9, nowMs - 2 * DAY_MS)).toEqual([never, none, old]);
      expect(await openDataDue(nowMs - DAY_MS, 1, nowMs - 2 * DAY_MS)).toEqual([never]);
      await own.close();
    });
  });

  describe("signals", () => {
    const signalOf = (kvkNumber: KvkNumber, isAboutBranch = false): Signal => ({
      id: `signal ${++count}`,
      kvkNumber,
      isAboutBranch,
      atMs: fixture.nowMs - 5,
    });
    const due = () => store.monitorSources.dueSignals(99);

    it("are stored once, of monitored companies only, until these are refreshed", async () => {
      const [one, two, other] = newCompanies(3) as [KvkNumber, KvkNumber, KvkNumber];
      await monitor(store, await newOwner(fixture, store), [one, two]);
      const signals = [signalOf(one), signalOf(two, true), signalOf(other)];
      const { storeSignals, completeSignals, postponeSignals } = store.monitorSources;
      expect(await storeSignals(signals)).toBe(2);
      expect(await storeSignals([...signals, signalOf(other)])).toBe(0);
      expect(await due()).toEqual(signals.slice(0, 2));
      await completeSignals([signals[0]?.id ?? ""]);
      expect(await storeSignals(signals)).toBe(0);
      expect(await due()).toEqual([signals[1]]);
      await postponeSignals(
        signals.map(({ id }) => id),
        60_000,
      );
      expect(await due()).toEqual([]);
      fixture.nowMs += 60_000;
      expect(await due()).toEqual([signals[1]]);
      await completeSignals([signals[1]?.id ?? ""]);
    });

    it("are deleted when they are old, when nobody monitors the company, and with the company", async () => {
      const [kept, removed, forgotten] = newCompanies(3) as [KvkNumber, KvkNumber, KvkNumber];
      const owner = await newOwner(fixture, store);
      const monitors = await monitor(store, owner, [kept, removed, forgotten]);
      const signals = [signalOf(kept), signalOf(removed), signalOf(forgotten)];
      await store.monitorSources.storeSignals(signals);
      await store.monitors.removeMonitor(owner, monitors[1]?.id ?? "");
      await store.suppressed.forget({ kvkNumber: forgotten, vatNumbers: [], forgottenAtMs: fixture.nowMs });
      expect(await due()).toEqual([signals[0]]);
      await store.suppressed.undoForget(forgotten);
      fixture.nowMs += DAY_MS;
      expect(await store.monitorSources.sweepSignals(HOUR_MS, 2 * DAY_MS)).toBe(1);
      expect(await store.monitorSources.storeSignals(signals)).toBe(0);
      fixture.nowMs += DAY_MS + 1;
      expect(await store.monitorSources.sweepSignals(HOUR_MS, 2 * DAY_MS)).toBe(0);
    });
  });

  it("forget a deleted account", async () => {
    const { accountId } = await newOwner(fixture, store);
    const before = await take("share", store);
    await store.turns.endTurn({ ...before, cursor: accountId }, 0);
    await store.people.deleteAccount(accountId, "hash of the deleted", 0);
    expect((await take("share")).cursor).toBe("");
  });
}
