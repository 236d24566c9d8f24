import { afterAll, beforeAll, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { KvkNumber } from "../../../src/contract/numbers.ts";
import { StoreUnavailable } from "../../../src/lib/storeErrors.ts";
import type { MonitorOwner } from "../../../src/monitors/stored.ts";
import type { Observation } from "../../../src/monitors/types.ts";
import { call, type OpenStore, outcomes, StoreFixture, TIERS } from "./fixture.ts";
import {
  deliver,
  eventsOf,
  monitor,
  newCompanies,
  newMonitorId,
  newOwner,
  observed,
} from "./monitorFixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const CONNECTIONS = 3;
const TURNS = 4;
const COMPANIES = 12;
const ACCOUNTS = 3;

/** Everything that changes monitors at once, on several connections. */
export function monitorsAtOnce(open: OpenStore): void {
  let fixture: StoreFixture;
  let stores: readonly StateStore[];
  beforeAll(async () => {
    fixture = new StoreFixture(open, NOW);
    const opened: StateStore[] = [];
    for (let nth = 0; nth < CONNECTIONS; nth++) opened.push(await fixture.connect());
    stores = opened;
  });
  afterAll(() => fixture.close());

  it("fails no operation, and records and charges each change once", async () => {
    const [store] = stores;
    if (store === undefined) throw new Error("there is no connection");
    const numbers = newCompanies(COMPANIES);
    const owners: MonitorOwner[] = [];
    for (let nth = 0; nth < ACCOUNTS; nth++) owners.push(await newOwner(fixture, store));
    for (const owner of owners) await monitor(store, owner, numbers);
    const leaving = await Promise.all(Array.from({ length: CONNECTIONS }, () => newOwner(fixture, store)));
    for (const owner of leaving) await monitor(store, owner, numbers);
    const pick = <T>(all: readonly T[], turn: number): T => {
      const picked = all[turn % all.length];
      if (picked === undefined) throw new Error("there is nothing to pick");
      return picked;
    };
    /** The next change of all companies, by what is stored. */
    const nextOf = async ({ monitors }: StateStore): Promise<readonly Observation[]> => {
      const companies = await monitors.monitoredAmong(numbers);
      return companies.flatMap(({ kvkNumber, baselines }) =>
        baselines.map(({ asOfMs }) => observed(kvkNumber, asOfMs)),
      );
    };
    const work: readonly ((store: StateStore, turn: number, nth: number) => Promise<unknown>)[] = [
      async (store) => store.monitors.recordObservations((await nextOf(store)).toReversed()),
      async (store) => Promise.all(owners.map((owner) => deliver(store, owner))),
      // One request of an account at a time: others of a batch may have been decided when one of them fails.
      (store) =>
        Promise.all(
          owners.map(({ keyId }) => patiently(() => outcomes(store.metering.apply([call(keyId, 1)])))),
        ),
      (store, turn) =>
        store.monitors.addMonitors(pick(owners, turn), numbers, numbers.map(newMonitorId), {}, [], COMPANIES),
      (store, turn) => store.suppressed.forget(suppression(pick(numbers, turn * 5))),
      (store, turn) => store.monitors.alignMonitors({ ...TIERS, endless: { ...pick(LIMITS, turn) } }),
      (store) => store.monitors.sweepMonitors(0),
      (store, turn, nth) => {
        const { accountId } = pick(leaving, nth);
        return turn === TURNS / 2
          ? store.people.deleteAccount(accountId, "hash", 0)
          : store.people.sweepDeleted();
      },
    ];
    const suppression = (kvkNumber: KvkNumber) => ({
      kvkNumber,
      vatNumbers: [],
      forgottenAtMs: fixture.nowMs,
    });
    await Promise.all(
      stores.flatMap((each, nth) =>
        work.map(async (operation) => {
          for (let turn = 0; turn < TURNS; turn++) await patiently(() => operation(each, turn, nth));
        }),
      ),
    );
    await store.monitors.alignMonitors(TIERS);
    for (const owner of owners) {
      while ((await deliver(store, owner)) !== undefined);
      const { pending, spent } = await store.monitors.monitorAccount(owner);
      expect(pending).toBe(0);
      const used = (await store.ledger.spent(owner.accountId))?.used ?? 0;
      expect(used).toBe(spent + TURNS * CONNECTIONS);
      const page = await store.monitors.events(owner, 0, 1_000, {});
      const after = "expired" in page ? page.expired : 0;
      // One change of each remaining company, by a baseline that was stored exactly once.
      await store.monitors.recordObservations(await nextOf(store));
      const delivered = await deliver(store, owner);
      const events = await eventsOf(store, owner, after);
      const remaining = (await store.monitors.monitors(owner, "", 100)).monitors.length;
      expect(delivered).toMatchObject({ charged: remaining, delivered: remaining, left: 0 });
      expect(events.slice(-remaining).map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: remaining }, (_, nth) => (events.at(-1)?.sequence ?? 0) - remaining + 1 + nth),
      );
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      const changes = events.filter(({ type }) => type === "company.renamed");
      const seen = changes.map(({ kvkNumber, changes: { name } }) => `${kvkNumber} ${name?.current}`);
      expect(new Set(seen).size).toBe(seen.length);
    }
  });
}

/**
 * Nothing was done after these: a connection waits for another one of SQLite, for a free one of the pool, or for a lock
 * of PostgreSQL, for a limited time only.
 */
const IS_BUSY =
  /database is locked|timeout exceeded when trying to connect|canceling statement due to (?:statement|lock) timeout/;

/** Runs an operation, again if the store was busy. */
async function patiently(operation: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await operation();
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailable && IS_BUSY.test(error.reason))) throw error;
    }
  }
}

const LIMITS = [
  { monthlyTokens: 1_000_000_000, ratePerMinute: 1_000_000_000, maxMonitors: 4 },
  { monthlyTokens: 1_000_000_000, ratePerMinute: 1_000_000_000, maxMonitors: 100 },
];
