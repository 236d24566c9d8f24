import { afterAll, beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { KvkNumber } from "../../../src/contract/numbers.ts";
import { progressIn } from "../../../src/monitors/scans.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";
import { monitor, newCompanies, watching } from "./monitorFixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const LEASE_MS = 5_000;
const HOUR_MS = 3_600_000;

/** The work of all processes on monitors, and the companies that it compares. */
export function monitorRounds(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  const opened: StoreFixture[] = [];
  beforeEach(async () => {
    fixture = new StoreFixture(open, NOW);
    opened.push(fixture);
    store = await fixture.connect();
  });
  afterAll(() => Promise.all(opened.map((each) => each.close())));

  it("exists once there is a monitor", async () => {
    expect(await store.monitors.hasMonitorData()).toBe(false);
    await watching(fixture, store, "endless", 1);
    expect(await store.monitors.hasMonitorData()).toBe(true);
  });

  it("is one process's turn at a time, and continues where another one stopped", async () => {
    const take = ({ turns }: StateStore) => turns.takeTurn("monitors", LEASE_MS, 0);
    const others = await Promise.all([1, 2, 3].map(() => fixture.connect()));
    const taken = await Promise.all([store, ...others].map(take));
    const [turn, ...more] = taken.filter((one) => typeof one === "object");
    expect(more).toEqual([]);
    if (turn === undefined) throw new Error("no process has the turn");
    expect(progressIn(turn.cursor)).toMatchObject({ serialMs: 0, comparedAtMs: 0, scanAfter: "" });
    const progress = { ...turn, cursor: JSON.stringify({ scanAfter: "80000001" }) };
    fixture.nowMs += LEASE_MS - 1;
    expect(await store.turns.saveTurn(progress, LEASE_MS)).toBe(true);
    fixture.nowMs += LEASE_MS - 1;
    expect(await take(store)).toBe(1);
    fixture.nowMs += 1;
    const next = await take(store);
    expect(next).toEqual({ ...progress, claim: turn.claim + 1 });
    expect(await store.turns.saveTurn(progress, LEASE_MS)).toBe(false);
    expect(await store.turns.endTurn(progress, 0)).toBe(false);
    if (typeof next === "object") expect(await store.turns.endTurn(next, 0)).toBe(true);
    expect(await take(store)).toMatchObject({ claim: turn.claim + 2 });
    // A lease that a wrong clock set far in the future does not hold.
    fixture.nowMs -= HOUR_MS;
    expect(await take(store)).toMatchObject({ claim: turn.claim + 3 });
  });

  it("lists the monitored companies of live keys once, by number, with their baselines", async () => {
    const { owner, numbers } = await watching(fixture, store, "endless", 3);
    const other = await watching(fixture, store, "endless", 1);
    await monitor(store, other.owner, numbers);
    const [onlyTested] = newCompanies(1) as [KvkNumber];
    await monitor(store, { ...owner, isTest: true }, [onlyTested]);
    const all = [...numbers, ...other.numbers].sort();
    const first = await store.monitors.monitoredCompanies("", 2);
    expect(first.map(({ kvkNumber }) => kvkNumber)).toEqual(all.slice(0, 2));
    expect(first[0]?.baselines).toEqual([
      {
        kvkNumber: all[0],
        origin: "import:fabel",
        asOfMs: 1,
        serialMs: 1,
        format: 1,
        fields: { name: "Fabel B.V." },
      },
    ]);
    const rest = await store.monitors.monitoredCompanies(all[1] ?? "", 10);
    expect(rest.map(({ kvkNumber }) => kvkNumber)).toEqual(all.slice(2));
    const among = await store.monitors.monitoredAmong([onlyTested, all[0] ?? "", "00000000", "x"]);
    expect(among.map(({ kvkNumber }) => kvkNumber)).toEqual([all[0]]);
    expect(await store.monitors.monitoredAmong([])).toEqual([]);
  });

  it("lists the answers of a live source about monitored companies, oldest first", async () => {
    const { numbers } = await watching(fixture, store, "endless", 3);
    const [a, b, none] = numbers as [KvkNumber, KvkNumber, KvkNumber];
    await store.live.storeCompany(b, "{}", 10);
    await store.live.storeCompany(a, "{}", 20);
    await store.live.storeCompany(none, null, 30);
    await store.live.storeCompany("90000001", "{}", 15);
    expect(await store.monitors.answeredMonitored(10, 10)).toEqual([
      { kvkNumber: b, atMs: 10 },
      { kvkNumber: a, atMs: 20 },
    ]);
    expect(await store.monitors.answeredMonitored(11, 10)).toEqual([{ kvkNumber: a, atMs: 20 }]);
    expect(await store.monitors.answeredMonitored(0, 1)).toEqual([{ kvkNumber: b, atMs: 10 }]);
    await store.live.storeBranches(b, 10, { facts: "{}", branches: "[]", branchesAtMs: 40 });
    expect(await store.monitors.answeredMonitored(30, 10)).toEqual([{ kvkNumber: b, atMs: 40 }]);
  });

  it("requests open data of monitored companies, the missing and the oldest first", async () => {
    const { owner, numbers, monitors } = await watching(fixture, store, "endless", 4);
    const [a, b, c, d] = numbers as [KvkNumber, KvkNumber, KvkNumber, KvkNumber];
    expect(await store.monitors.insolvencies([a, "00000000"])).toEqual([null, null]);
    await store.monitors.storeInsolvency(a, { insolvency: "none", isActive: true, observedAtMs: 200 });
    await store.monitors.storeInsolvency(b, { observedAtMs: 100 });
    const activities = [{ sbiCode: "01131", isMain: true }];
    const further = { activities, startDate: "2010-12-31" };
    const older = { insolvency: "none", activities: [], startDate: "2001-01-01", observedAtMs: 200 } as const;
    await store.monitors.storeInsolvency(c, older);
    const bankrupt = { insolvency: "bankruptcy", isActive: false, ...further, observedAtMs: 300 } as const;
    await store.monitors.storeInsolvency(c, bankrupt);
    // An answer that arrives late replaces no newer one.
    await store.monitors.storeInsolvency(c, { observedAtMs: 250 });
    await store.monitors.storeInsolvency("90000002" as KvkNumber, { observedAtMs: 1 });
    expect(await store.monitors.openDataDue(300, 10)).toEqual([d, b, a]);
    expect(await store.monitors.openDataDue(300, 2)).toEqual([d, b]);
    expect(await store.monitors.insolvencies([c, b])).toEqual([bankrupt, { observedAtMs: 100 }]);
    expect(await store.monitors.answeredMonitored(150, 10)).toEqual([
      { kvkNumber: a, atMs: 200 },
      { kvkNumber: c, atMs: 300 },
    ]);
    for (const { id } of monitors.slice(0, 2)) await store.monitors.removeMonitor(owner, id);
    expect(await store.monitors.openDataDue(1_000, 1)).toEqual([d]);
    expect(await store.monitors.openDataDue(1_000, 10)).toEqual([d, c]);
    await monitor(store, owner, [b]);
    expect(await store.monitors.openDataDue(1_000, 10)).toEqual([d, b, c]);
    while (await store.monitors.sweepMonitors(0));
    expect(await store.monitors.insolvencies([a, b])).toEqual([null, { observedAtMs: 100 }]);
  });
}
