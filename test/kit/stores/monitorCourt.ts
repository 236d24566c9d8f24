import type { Transaction } from "kysely";
import { afterAll, beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { Changes } from "../../../src/contract/eventTypes.ts";
import type { InsolvencyType } from "../../../src/contract/insolvency.ts";
import type { KvkNumber } from "../../../src/contract/numbers.ts";
import { insertRows } from "../../../src/database/rows.ts";
import type { Tables } from "../../../src/database/schema/tables.ts";
import type { CourtCase } from "../../../src/insolvency/types.ts";
import { Observer } from "../../../src/monitors/observer.ts";
import type { MonitorOwner } from "../../../src/monitors/stored.ts";
import { CASE, COURT_CHANGES } from "../courtChanges.ts";
import { courtCase, undated, WatchedCourt } from "../watchedCourt.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";
import {
  baseline,
  deliver,
  eventsOf,
  monitor,
  newCompanies,
  newMonitorId,
  newOwner,
} from "./monitorFixture.ts";

const NOW = "2026-11-05T12:00:00.000Z";
const WEBHOOK = "https://example.test/hook";

/** Runs a transaction on the state that was opened last. */
export type ChangeState = (work: (transaction: Transaction<Tables>) => Promise<void>) => Promise<void>;

/** The events of monitors about the court's register. */
export function courtMonitors(open: OpenStore, change: ChangeState): void {
  let fixture: StoreFixture;
  let store: StateStore;
  let court: WatchedCourt;
  let observer: Observer;
  const opened: StoreFixture[] = [];
  beforeEach(async () => {
    fixture = new StoreFixture(open, NOW);
    opened.push(fixture);
    store = await fixture.connect();
    court = new WatchedCourt();
    observer = new Observer({
      store: store.monitors,
      registry: { current: undefined },
      live: undefined,
      court,
      suppressed: new Set<string>(),
      now: () => fixture.nowMs,
    });
  });
  afterAll(() => Promise.all(opened.map((each) => each.close())));

  /** An account that monitors a company from the first list on, without a case unless given. */
  const watch = async (...cases: readonly ((kvkNumber: KvkNumber) => CourtCase)[]) => {
    const owner = await newOwner(fixture, store);
    const [kvkNumber] = newCompanies(1) as [KvkNumber];
    await store.webhooks.rollWebhookSecret(owner.accountId, "seed", 0);
    await monitor(store, owner, [kvkNumber], { webhook: WEBHOOK });
    court.list("2026-11-01", ...cases.map((of) => of(kvkNumber)));
    await observer.observe([kvkNumber]);
    return { owner, kvkNumber };
  };
  /** The changes of the events that an account gets after another list. */
  const read = async (owner: MonitorOwner, kvkNumber: KvkNumber, after = 0): Promise<readonly Changes[]> => {
    await observer.observe([kvkNumber]);
    await observer.observe([kvkNumber]);
    await deliver(store, owner);
    const events = await eventsOf(store, owner, after);
    expect(events.every(({ type }) => type === "company.insolvency_changed")).toBe(true);
    expect(events.every(({ source }) => source?.origin === "court-register")).toBe(true);
    return events.map(({ changes }) => changes);
  };
  const openCase = (kvkNumber: KvkNumber) => courtCase(kvkNumber);
  it.each(COURT_CHANGES)(
    "reports in one event at most: $title",
    async ({ before, after, isUndated, changes }) => {
      const of = (fields: Partial<CourtCase>) => (kvkNumber: KvkNumber) => courtCase(kvkNumber, fields);
      const { owner, kvkNumber } = await watch(...before.map(of));
      await deliver(store, owner);
      const known = (await eventsOf(store, owner)).length;
      const cases = after.map((fields) => courtCase(kvkNumber, fields));
      court.list("2026-11-05", ...(isUndated ? cases.map(undated) : cases));
      expect(await read(owner, kvkNumber, known)).toEqual(changes === undefined ? [] : [changes]);
      court.list("2026-11-06", ...court.cases);
      expect(await read(owner, kvkNumber, known)).toHaveLength(changes === undefined ? 0 : 1);
    },
  );

  it("reports an open case once at the first look, also when KVK's open data has it", async () => {
    const { owner, kvkNumber } = await watch(openCase);
    const first = { insolvency: { current: "bankruptcy" }, insolvencyCase: { current: CASE } };
    expect(await read(owner, kvkNumber)).toEqual([first]);
    await store.monitors.storeInsolvency(kvkNumber, {
      insolvency: "bankruptcy",
      observedAtMs: fixture.nowMs,
    });
    expect(await read(owner, kvkNumber)).toEqual([first]);
    const other = await newOwner(fixture, store);
    const ids = [newMonitorId()];
    const baselines = await observer.baselinesOf([kvkNumber]);
    await store.monitors.addMonitors(other, [kvkNumber], ids, {}, baselines, 10);
    expect(await read(other, kvkNumber)).toEqual([first]);
  });

  it("reports the same news of KVK's open data and the court once, whichever has it first", async () => {
    const answered = async (kvkNumber: KvkNumber, insolvency: InsolvencyType, day: string) => {
      await store.monitors.storeInsolvency(kvkNumber, { insolvency, observedAtMs: Date.parse(day) });
      await observer.observe([kvkNumber]);
    };
    const typesOf = async (owner: MonitorOwner) => {
      await deliver(store, owner);
      return (await eventsOf(store, owner)).map(({ source, changes }) => [
        source?.origin,
        changes["insolvency"]?.current,
      ]);
    };
    const first = await watch();
    await answered(first.kvkNumber, "none", "2026-11-02");
    await answered(first.kvkNumber, "bankruptcy", "2026-11-04");
    court.list("2026-11-05", courtCase(first.kvkNumber));
    await observer.observe([first.kvkNumber]);
    expect(await typesOf(first.owner)).toEqual([["kvk-open-data", "bankruptcy"]]);
    court.list("2026-11-20", courtCase(first.kvkNumber, { endedOn: "2026-11-19" }));
    await observer.observe([first.kvkNumber]);
    await answered(first.kvkNumber, "none", "2026-11-21");
    expect(await typesOf(first.owner)).toEqual([
      ["kvk-open-data", "bankruptcy"],
      ["court-register", "none"],
    ]);
    const second = await watch();
    await answered(second.kvkNumber, "none", "2026-11-02");
    court.list("2026-11-05", courtCase(second.kvkNumber));
    await observer.observe([second.kvkNumber]);
    await answered(second.kvkNumber, "bankruptcy", "2026-11-06");
    expect(await typesOf(second.owner)).toEqual([["court-register", "bankruptcy"]]);
    const third = await watch((number) =>
      courtCase(number, { type: "suspension_of_payments", caseNumber: "S.16/26/9" }),
    );
    await answered(third.kvkNumber, "suspension_of_payments", "2026-11-02");
    await answered(third.kvkNumber, "bankruptcy", "2026-11-04");
    court.list("2026-11-05", courtCase(third.kvkNumber));
    await observer.observe([third.kvkNumber]);
    expect(await typesOf(third.owner)).toEqual([
      ["court-register", "suspension_of_payments"],
      ["kvk-open-data", "bankruptcy"],
    ]);
    const [fourth] = newCompanies(1) as [KvkNumber];
    const owner = await newOwner(fixture, store);
    await monitor(store, owner, [fourth]);
    await answered(fourth, "bankruptcy", "2026-11-06");
    court.list("2026-11-07", courtCase(fourth));
    await observer.observe([fourth]);
    expect(await typesOf(owner)).toEqual([["kvk-open-data", "bankruptcy"]]);
  });

  it.each<[string, (kvkNumber: KvkNumber) => void]>([
    [
      "is not current",
      () => {
        court.list("2026-11-09");
        court.currency = { isCurrent: false, observedAtMs: court.currency?.observedAtMs ?? 0 };
      },
    ],
    [
      "cannot be read",
      () => {
        court.list("2026-11-09");
        court.currency = undefined;
      },
    ],
    [
      "withholds the case, which has expired or whose removal is held",
      (kvkNumber) => {
        court.withheld.add(kvkNumber);
        court.list("2026-11-09", courtCase(kvkNumber));
      },
    ],
  ])("reports nothing while the register %s, and the removal afterwards", async (_title, away) => {
    const { owner, kvkNumber } = await watch(openCase);
    expect(await read(owner, kvkNumber)).toHaveLength(1);
    away(kvkNumber);
    expect(await read(owner, kvkNumber)).toHaveLength(1);
    court.withheld.clear();
    court.list("2026-11-10");
    expect((await read(owner, kvkNumber, 1))[0]).toMatchObject({ insolvency: { reason: "removed" } });
  });

  it("keeps a withheld case that is shown again, without an event", async () => {
    const { owner, kvkNumber } = await watch(openCase);
    expect(await read(owner, kvkNumber)).toHaveLength(1);
    court.withheld.add(kvkNumber);
    court.list("2026-11-05", courtCase(kvkNumber));
    expect(await read(owner, kvkNumber, 1)).toEqual([]);
    court.withheld.clear();
    court.list("2026-11-06", courtCase(kvkNumber));
    expect(await read(owner, kvkNumber, 1)).toEqual([]);
  });

  it("compares nothing before the whole list is stored", async () => {
    const { owner, kvkNumber } = await watch((number) =>
      courtCase(number, { type: "suspension_of_payments", caseNumber: "S.16/26/9" }),
    );
    expect(await read(owner, kvkNumber)).toHaveLength(1);
    court.cases = [courtCase(kvkNumber, { caseNumber: "S.16/26/9", endedOn: "2026-11-03" })];
    expect(await read(owner, kvkNumber, 1)).toEqual([]);
    court.list("2026-11-05", courtCase(kvkNumber), ...court.cases);
    expect(await read(owner, kvkNumber, 1)).toHaveLength(1);
  });

  it("does not make a company known that nothing else knows", async () => {
    const [unknown] = newCompanies(1) as [KvkNumber];
    court.list("2026-11-01", courtCase(unknown));
    expect(await observer.baselinesOf([unknown])).toEqual([]);
  });

  it("never shows a curator or a name of the case in events, messages and baselines", async () => {
    const { owner, kvkNumber } = await watch();
    court.list("2026-11-05", courtCase(kvkNumber));
    await read(owner, kvkNumber);
    const message = await store.webhooks.claimMessage(1_000);
    expect(JSON.parse(message?.payload ?? "{}")).toMatchObject({
      data: { kvkNumber, changes: { insolvencyCase: { current: CASE } } },
    });
    const [company] = await store.monitors.monitoredAmong([kvkNumber]);
    const all = JSON.stringify([message, await eventsOf(store, owner), company?.baselines]);
    expect(all).not.toMatch(/curator|mr\. A|010-|Rommeldam/);
  });

  it("lists the monitored companies whose cases have changed, oldest change first", async () => {
    const { kvkNumber: a } = await watch();
    const { owner, kvkNumber: b } = await watch();
    const [unmonitored, tested] = newCompanies(2) as [KvkNumber, KvkNumber];
    await monitor(store, { ...owner, isTest: true }, [tested]);
    for (const [kvk, atMs] of [
      [a, 20],
      [b, 10],
      [unmonitored, 15],
      [tested, 12],
    ] as const) {
      await change((transaction) =>
        insertRows(transaction, "court_numbers", { kvk_number: kvk, changed_at_ms: atMs }),
      );
    }
    expect(await store.monitors.changedInCourt(10, 10)).toEqual([
      { kvkNumber: b, atMs: 10 },
      { kvkNumber: a, atMs: 20 },
    ]);
    expect(await store.monitors.changedInCourt(11, 10)).toEqual([{ kvkNumber: a, atMs: 20 }]);
    expect(await store.monitors.changedInCourt(0, 1)).toEqual([{ kvkNumber: b, atMs: 10 }]);
  });

  it("names the court's register among the sources that watch a company, with the date of its list", async () => {
    const { owner, kvkNumber } = await watch();
    court.list("2026-11-05");
    await observer.observe([kvkNumber]);
    const { monitors } = await store.monitors.monitors(owner, "", 10);
    expect(monitors[0]?.comparisons).toContainEqual({
      origin: "court-register",
      atMs: Date.parse("2026-11-05T04:00:00.000Z"),
    });
  });

  it("loses no event of baselines that an earlier version stored", async () => {
    const owner = await newOwner(fixture, store);
    const [kvkNumber] = newCompanies(1) as [KvkNumber];
    const earlier = { asOfMs: 1, serialMs: 1 };
    const fields = { name: "Fabel B.V.", isActive: true };
    await store.monitors.addMonitors(
      owner,
      [kvkNumber],
      [newMonitorId()],
      {},
      [
        baseline(kvkNumber, earlier, fields),
        baseline(kvkNumber, earlier, { insolvency: "none", isActive: true }, "kvk-open-data"),
      ],
      10,
    );
    court.list("2026-11-01");
    await observer.observe([kvkNumber]);
    await store.monitors.storeInsolvency(kvkNumber, {
      insolvency: "none",
      isActive: false,
      observedAtMs: fixture.nowMs,
    });
    court.list("2026-11-06", courtCase(kvkNumber));
    await observer.observe([kvkNumber]);
    await deliver(store, owner);
    expect((await eventsOf(store, owner)).map(({ type }) => type).sort()).toEqual([
      "company.deregistered",
      "company.insolvency_changed",
    ]);
  });
}
