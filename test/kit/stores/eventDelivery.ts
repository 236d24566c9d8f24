import { afterAll, beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { KvkNumber } from "../../../src/contract/numbers.ts";
import type { EventFilter, MonitorFields, MonitorOwner } from "../../../src/monitors/stored.ts";
import { call, decisions, type OpenStore, outcomes, StoreFixture, TIERS } from "./fixture.ts";
import {
  changesOf,
  deliver,
  eventsOf,
  monitor,
  newCompanies,
  newOwner,
  observed,
  watching,
} from "./monitorFixture.ts";

const NOW = "2026-05-30T12:00:00.000Z";
const DAY_MS = 86_400_000;
const CONNECTIONS = 4;

/** Changes of monitored companies: recorded once, charged once, and numbered in the order of the commits. */
export function eventDeliveries(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  let others: readonly StateStore[];
  const opened: StoreFixture[] = [];
  beforeEach(async () => {
    fixture = new StoreFixture(open, NOW);
    opened.push(fixture);
    store = await fixture.connect();
    others = await Promise.all(Array.from({ length: CONNECTIONS }, () => fixture.connect()));
  });
  afterAll(() => Promise.all(opened.map((each) => each.close())));

  const watch = (tier: string, companies: number, fields: MonitorFields = {}) =>
    watching(fixture, store, tier, companies, fields);
  const change = (numbers: readonly KvkNumber[], recency = 1) => changesOf(store, numbers, recency);
  const events = (owner: MonitorOwner, after = 0) => eventsOf(store, owner, after);
  const used = async ({ accountId }: MonitorOwner) => (await store.ledger.spent(accountId))?.used ?? 0;

  it("records a change once for each monitor that wants it, however many processes see it", async () => {
    const { owner, numbers } = await watch("endless", 3);
    const other = await newOwner(fixture, store);
    await monitor(store, other, numbers, { events: ["company.moved"] });
    const seen = numbers.map((kvkNumber) =>
      observed(kvkNumber, 1, ["company.renamed", "company.deregistered"]),
    );
    await Promise.all([store, ...others].map(({ monitors }) => monitors.recordObservations(seen)));
    expect(await store.monitors.monitorAccount(owner)).toMatchObject({ pending: 6 });
    expect(await store.monitors.monitorAccount(other)).toMatchObject({ pending: 0 });
    // The same observation again, and one of a company that no one monitors.
    await store.monitors.recordObservations([...seen, observed(newCompanies(1)[0] as KvkNumber, 1)]);
    expect(await store.monitors.monitorAccount(owner)).toMatchObject({ pending: 6 });
    const [company] = await store.monitors.monitoredAmong(numbers.slice(0, 1));
    expect(company?.baselines).toMatchObject([{ asOfMs: 2, serialMs: 2, fields: { name: "2" } }]);
  });

  it("delivers all with enough tokens, and charges and numbers them once", async () => {
    const metadata = { debtor: "' or 1=1; --" };
    const { owner, numbers, monitors } = await watch("small", 3, { metadata });
    await change(numbers);
    expect(await deliver(store, owner)).toMatchObject({
      outcome: "granted",
      charged: 3,
      delivered: 3,
      left: 0,
    });
    expect(await deliver(store, owner)).toBeUndefined();
    const recorded = await events(owner);
    expect(recorded.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(recorded[0]).toEqual({
      sequence: 1,
      id: expect.stringMatching(/^evt_[0-9A-Za-z]{22}$/),
      monitorId: monitors[0]?.id,
      type: "company.renamed",
      kvkNumber: numbers[0],
      observedAtMs: fixture.nowMs,
      source: { origin: "import:fabel", asOfMs: 2 },
      changes: { name: { previous: "1", current: "2" } },
      metadata,
    });
    expect(await store.monitors.event(owner, recorded[0]?.id ?? "")).toEqual(recorded[0]);
    const latest = (before: number, limit: number, filter: EventFilter = {}) =>
      store.monitors.latestEvents(owner, before, limit, filter);
    const [first, second, third] = recorded;
    expect(await latest(4, 2)).toEqual({ events: [third, second], read: 2 });
    expect(await latest(2, 2)).toEqual({ events: [first], read: 0 });
    expect(await latest(4, 2, { kvkNumber: numbers[0] })).toEqual({ events: [first], read: 1 });
    expect(await latest(4, 2, { type: "company.moved" })).toEqual({ events: [], read: 1 });
    expect(await latest(1, 2, { type: "company.moved" })).toEqual({ events: [], read: 0 });
    expect(await used(owner)).toBe(3);
    const day = NOW.slice(0, 10);
    expect(await store.ledger.lines(owner.accountId, day, day)).toMatchObject([
      { keyId: owner.keyId, operation: "monitors.change", tokens: 3 },
    ]);
    expect(await store.monitors.monitorAccount(owner)).toMatchObject({ pending: 0, spent: 3, unread: 3 });
    await store.monitors.markEventsRead(owner.accountId);
    expect(await store.monitors.monitorAccount(owner)).toMatchObject({ unread: 0 });
  });

  it("delivers the oldest that the allowance covers, and the rest next month", async () => {
    const { owner, numbers } = await watch("two", 4);
    await change(numbers.slice(0, 2));
    await change(numbers.slice(2));
    expect(await deliver(store, owner)).toMatchObject({ charged: 2, delivered: 2, left: 2 });
    expect(await deliver(store, owner)).toMatchObject({ charged: 0, delivered: 0, left: 2 });
    await store.monitors.postponeAccount(owner, 60_000, true);
    expect(await deliver(store, owner)).toBeUndefined();
    fixture.nowMs += 3 * DAY_MS;
    expect(await deliver(store, owner)).toMatchObject({ charged: 2, left: 0 });
    expect((await events(owner)).map(({ kvkNumber }) => kvkNumber)).toEqual(numbers);
  });

  it("spends at most the cap of the account in a month, and more once it is raised", async () => {
    const { owner, numbers } = await watch("small", 5);
    await store.monitors.setMonitorAccount(owner.accountId, { maxTokens: 1 });
    await change(numbers);
    expect(await deliver(store, owner)).toMatchObject({ charged: 1, left: 4 });
    expect(await deliver(store, owner)).toMatchObject({ charged: 0, left: 4 });
    await store.monitors.postponeAccount(owner, 60_000, true);
    await store.monitors.setMonitorAccount(owner.accountId, { maxTokens: 3 });
    expect(await deliver(store, owner)).toMatchObject({ charged: 2, left: 2 });
    expect(await store.monitors.monitorAccount(owner)).toMatchObject({ spent: 3, pending: 2 });
    fixture.nowMs += 3 * DAY_MS;
    expect(await store.monitors.monitorAccount(owner)).toMatchObject({ spent: 0 });
    expect(await deliver(store, owner)).toMatchObject({ charged: 2, left: 0 });
    expect(await store.monitors.monitorAccount(owner)).toMatchObject({ spent: 2 });
  });

  it("leaves the tokens of calls that are under way, and calls find those that events left", async () => {
    const { owner, numbers } = await watch("two", 2);
    await change(numbers);
    expect(await outcomes(store.metering.apply([call(owner.keyId, 1)]))).toEqual(["granted 1"]);
    expect(await deliver(store, owner)).toMatchObject({ charged: 1, left: 1 });
    expect(await outcomes(store.metering.apply([call(owner.keyId, 1)]))).toEqual(["quota"]);
  });

  it("delivers and charges each change once when many processes deliver at once", async () => {
    const { owner, numbers } = await watch("small", 30);
    await change(numbers);
    const [due] = await store.monitors.dueAccounts(10, 100);
    const request = {
      kind: "events",
      keyId: owner.keyId,
      operation: "monitors.change",
      pendingIds: due?.pendingIds ?? [],
    } as const;
    const all = await Promise.all(
      [store, ...others].map(({ metering }) =>
        decisions(metering.apply([request, request, call(owner.keyId, 0)])),
      ),
    );
    const charged = all.flat().map((decision) => (decision.outcome === "granted" ? decision.charged : 0));
    expect(charged.reduce((sum, one) => sum + one, 0)).toBe(20);
    expect(await used(owner)).toBe(20);
    expect((await events(owner)).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 20 }, (_, nth) => nth + 1),
    );
    expect(await store.monitors.monitorAccount(owner)).toMatchObject({ pending: 10 });
  });

  it("charges a change to the key it was recorded for, though it was revoked or has expired", async () => {
    const { owner, numbers } = await watch("small", 2);
    await change(numbers);
    const createdAt = new Date(fixture.nowMs).toISOString();
    expect(await store.accounts.revokeKey(owner.keyId, createdAt)).toBeTruthy();
    expect(await deliver(store, owner)).toMatchObject({ outcome: "granted", charged: 2 });
  });

  it("delivers nothing to a suspended account, and what is left afterwards", async () => {
    const { owner, numbers, monitors } = await watch("small", 1);
    await change(numbers);
    const [due] = await store.monitors.dueAccounts(10, 10);
    const createdAt = new Date(fixture.nowMs).toISOString();
    await store.accounts.setSuspended(owner.accountId, true, createdAt);
    expect(await deliver(store, owner)).toBeUndefined();
    const request = {
      kind: "events",
      keyId: owner.keyId,
      operation: "monitors.change",
      pendingIds: due?.pendingIds ?? [],
    } as const;
    expect(await decisions(store.metering.apply([request]))).toMatchObject([{ outcome: "suspended" }]);
    expect(await store.monitors.monitor(owner, monitors[0]?.id ?? "")).toMatchObject({
      pausedFor: "account",
    });
    expect(await store.monitors.monitorAccount(owner)).toMatchObject({ paused: 1, pending: 1 });
    await store.accounts.setSuspended(owner.accountId, false, createdAt);
    expect(await deliver(store, owner)).toMatchObject({ charged: 1 });
  });

  it("keeps the changes of a paused monitor until it is resumed, or has been paused for long", async () => {
    const { owner, numbers } = await watch("small", 3);
    await store.accounts.setTier(owner.accountId, "two");
    await store.monitors.alignMonitors(TIERS);
    await change(numbers);
    expect(await deliver(store, owner)).toMatchObject({ charged: 2, left: 0 });
    expect(await deliver(store, owner)).toBeUndefined();
    await store.accounts.setTier(owner.accountId, "small");
    await store.monitors.alignMonitors(TIERS);
    expect(await deliver(store, owner)).toMatchObject({ charged: 1 });
    await store.accounts.setTier(owner.accountId, "two");
    await store.monitors.alignMonitors(TIERS);
    await change(numbers, 2);
    fixture.nowMs += 2 * DAY_MS;
    while (await store.monitors.sweepMonitors(DAY_MS));
    expect(await store.monitors.monitorAccount(owner)).toMatchObject({ pending: 2 });
  });

  it("removes the pending changes of a removed monitor, and keeps its events", async () => {
    const { owner, numbers, monitors } = await watch("small", 2);
    await change(numbers);
    await deliver(store, owner, 1);
    for (const { id } of monitors) await store.monitors.removeMonitor(owner, id);
    expect(await deliver(store, owner)).toBeUndefined();
    expect(await events(owner)).toHaveLength(1);
  });

  it("numbers without gaps, shows events by company and type, and passes those that a filter left out", async () => {
    const { owner, numbers } = await watch("endless", 2);
    const [a, b] = numbers as [KvkNumber, KvkNumber];
    for (let recency = 1; recency <= 3; recency++) {
      await change([a, b], recency);
      await deliver(store, owner);
    }
    const page = (after: number, limit: number, filter = {}) =>
      store.monitors.events(owner, after, limit, filter);
    expect(await page(0, 2)).toMatchObject({ events: [{ sequence: 1 }, { sequence: 2 }], read: 2 });
    expect(await page(5, 10)).toMatchObject({ events: [{ sequence: 6 }], read: 6 });
    expect(await page(6, 10)).toEqual({ events: [], read: 6 });
    expect(await page(1, 10, { kvkNumber: a })).toMatchObject({
      events: [{ sequence: 3 }, { sequence: 5 }],
      read: 6,
    });
    expect(await page(0, 1, { kvkNumber: b, type: "company.renamed" })).toMatchObject({
      events: [{ sequence: 2 }],
      read: 2,
    });
    expect(await page(0, 10, { type: "company.moved" })).toEqual({ events: [], read: 6 });
  });

  it("deletes events for their age, and refuses cursors before them", async () => {
    const { owner, numbers } = await watch("endless", 1);
    await change(numbers);
    await deliver(store, owner);
    fixture.nowMs += 10 * DAY_MS;
    await change(numbers, 2);
    await deliver(store, owner);
    while (await store.monitors.sweepMonitors(9 * DAY_MS));
    expect(await store.monitors.events(owner, 0, 10, {})).toEqual({ expired: 1 });
    expect(await store.monitors.events(owner, 1, 10, {})).toMatchObject({
      events: [{ sequence: 2 }],
      read: 2,
    });
    await change(numbers, 3);
    await deliver(store, owner);
    expect(await events(owner, 1)).toMatchObject([{ sequence: 2 }, { sequence: 3 }]);
  });

  it("records events of test keys at once, free, apart from others, and keeps the latest 1,000", async () => {
    const { owner, numbers } = await watch("two", 1);
    const keyId = await fixture.addKey(store, owner.accountId, 20, "test");
    const testOwner = { accountId: owner.accountId, keyId, isTest: true } as const;
    const [test] = await monitor(store, testOwner, numbers);
    const changes = { name: { previous: "a", current: "b" } };
    const sandboxEvents = (count: number, from: number) =>
      Array.from({ length: count }, (_, nth) => ({
        ...{
          id: `evt_test_${from + nth}`,
          monitorId: test?.id ?? "",
          type: "company.renamed" as const,
          changes,
        },
      }));
    await store.monitors.addSandboxEvents(owner.accountId, [
      ...sandboxEvents(2, 0),
      { ...sandboxEvents(1, 5)[0], monitorId: "mon_unknown" } as never,
    ]);
    expect(await events(testOwner)).toMatchObject([{ sequence: 1, changes }, { sequence: 2 }]);
    expect(await events(owner)).toEqual([]);
    await store.monitors.addSandboxEvents(owner.accountId, sandboxEvents(1_000, 10));
    expect(await store.monitors.events(testOwner, 0, 10, {})).toEqual({ expired: 2 });
    expect(await events(testOwner, 2)).toHaveLength(1_000);
    expect(await used(owner)).toBe(0);
    // Changes of companies are for live keys.
    await change(numbers);
    expect(await store.monitors.monitorAccount(testOwner)).toMatchObject({ pending: 0, monitors: 1 });
  });
}
