import { afterAll, beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { KvkNumber } from "../../../src/contract/numbers.ts";
import type { MonitorFields, MonitorOwner } from "../../../src/monitors/stored.ts";
import type { Baseline, Observation } from "../../../src/monitors/types.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";
import { baseline, deliver, eventsOf, newCompanies, newMonitorId, newOwner } from "./monitorFixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const ENDED = { name: "Fabel B.V.", isActive: false, deregistrationDate: "2026-01-31" };

/** Events of new monitors about companies that ended or became insolvent before. */
export function firstLook(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  const opened: StoreFixture[] = [];
  beforeEach(async () => {
    fixture = new StoreFixture(open, NOW);
    opened.push(fixture);
    store = await fixture.connect();
  });
  afterAll(() => Promise.all(opened.map((each) => each.close())));

  const add = async (
    owner: MonitorOwner,
    numbers: readonly KvkNumber[],
    baselines: readonly Baseline[],
    fields: MonitorFields = {},
  ) => {
    const ids = numbers.map(newMonitorId);
    expect(await store.monitors.addMonitors(owner, numbers, ids, fields, baselines, 1_000)).toHaveLength(
      ids.length,
    );
    return ids;
  };
  const of = (kvkNumber: KvkNumber, asOfMs: number, fields: Baseline["fields"], origin = "import:fabel") =>
    baseline(kvkNumber, { asOfMs, serialMs: asOfMs }, fields, origin);
  const bad = (kvkNumber: KvkNumber) => [
    of(kvkNumber, 2, ENDED),
    of(kvkNumber, 3, ENDED, "gleif"),
    of(kvkNumber, 4, { insolvency: "bankruptcy", isActive: false }, "kvk-open-data"),
  ];
  const read = async (owner: MonitorOwner) => {
    await deliver(store, owner);
    return (await eventsOf(store, owner)).map(({ kvkNumber, type, changes }) => [kvkNumber, type, changes]);
  };
  const pendingOf = async (owner: MonitorOwner) => (await store.monitors.monitorAccount(owner)).pending;

  it("is one event for each monitor and fact, whatever the number of sources, also for an account that follows later", async () => {
    const [one, other] = [await newOwner(fixture, store), await newOwner(fixture, store)];
    const [company, active] = newCompanies(2) as [KvkNumber, KvkNumber];
    await add(one, [company, active], [...bad(company), of(active, 1, { isActive: true })]);
    await add(other, [company], []);
    for (const owner of [one, other]) {
      expect(await read(owner)).toEqual([
        [company, "company.deregistered", { isActive: { current: false } }],
        [company, "company.insolvency_changed", { insolvency: { current: "bankruptcy" } }],
      ]);
      expect((await store.ledger.spent(owner.accountId))?.used).toBe(2);
    }
  });

  it("is not repeated for a monitor that is changed, or removed and added again", async () => {
    const owner = await newOwner(fixture, store);
    const companies = newCompanies(1);
    const [company = "" as KvkNumber] = companies;
    const [id = ""] = await add(owner, companies, bad(company));
    expect(await read(owner)).toHaveLength(2);
    await add(owner, companies, bad(company), { metadata: { debtor: "1" } });
    expect(await pendingOf(owner)).toBe(0);
    await store.monitors.removeMonitor(owner, id);
    await add(owner, companies, bad(company));
    expect(await pendingOf(owner)).toBe(0);
  });

  it("is reported again if the company was active, or solvent, in between", async () => {
    const owner = await newOwner(fixture, store);
    const companies = newCompanies(1);
    const [company = "" as KvkNumber] = companies;
    const [id = ""] = await add(owner, companies, [of(company, 2, ENDED)]);
    await store.monitors.recordObservations([
      {
        replaces: { asOfMs: 2, serialMs: 2 },
        baseline: of(company, 3, { isActive: true }),
        changes: [{ type: "company.reactivated", changes: { isActive: { previous: false, current: true } } }],
      },
    ]);
    expect(await read(owner)).toHaveLength(2);
    await store.monitors.removeMonitor(owner, id);
    await add(owner, companies, [of(company, 4, ENDED)]);
    expect((await read(owner)).map(([, type]) => type)).toEqual([
      "company.deregistered",
      "company.reactivated",
      "company.deregistered",
    ]);
  });

  it("waits for tokens, and goes with its monitor", async () => {
    const owner = await newOwner(fixture, store, "two");
    const numbers = newCompanies(2);
    const ids = await add(owner, numbers, numbers.flatMap(bad));
    const [first] = await read(owner);
    expect(await pendingOf(owner)).toBe(2);
    const waiting = numbers[0] === first?.[0] ? 1 : 0;
    await store.monitors.removeMonitor(owner, ids[waiting] ?? "");
    expect(await pendingOf(owner)).toBe(0);
    // The account never read of it.
    await add(owner, numbers, numbers.flatMap(bad));
    expect(await pendingOf(owner)).toBe(2);
  });

  it("reports only the types that a monitor wants, and nothing to test keys", async () => {
    const owner = await newOwner(fixture, store);
    const numbers = newCompanies(1);
    const baselines = numbers.flatMap(bad);
    await add(owner, numbers, baselines, { events: ["company.insolvency_changed", "company.moved"] });
    expect((await read(owner)).map(([, type]) => type)).toEqual(["company.insolvency_changed"]);
    await add({ ...owner, isTest: true }, numbers, baselines);
    expect(await pendingOf({ ...owner, isTest: true })).toBe(0);
  });

  it("reaches each monitor once that is added while the end is recorded", async () => {
    const numbers = newCompanies(4);
    const owners = await Promise.all(Array.from({ length: 6 }, () => newOwner(fixture, store)));
    const first = await newOwner(fixture, store);
    const active = numbers.map((kvkNumber) => of(kvkNumber, 1, { isActive: true }));
    await add(first, numbers, active);
    const ends = numbers.map(
      (kvkNumber): Observation => ({
        replaces: { asOfMs: 1, serialMs: 1 },
        baseline: of(kvkNumber, 2, ENDED),
        changes: [
          { type: "company.deregistered", changes: { isActive: { previous: true, current: false } } },
        ],
      }),
    );
    const stores = [store, await fixture.connect()];
    await Promise.all([
      ...owners.map((owner, nth) =>
        nth % 2 === 0 ? add(owner, numbers, active) : addAt(stores[1], owner, numbers),
      ),
      ...stores.map((each) => each.monitors.recordObservations(ends)),
    ]);
    for (const owner of [first, ...owners]) expect(await pendingOf(owner)).toBe(numbers.length);
  });
}

async function addAt(
  store: StateStore | undefined,
  owner: MonitorOwner,
  numbers: readonly KvkNumber[],
): Promise<void> {
  await store?.monitors.addMonitors(owner, numbers, numbers.map(newMonitorId), {}, [], 1_000);
}
