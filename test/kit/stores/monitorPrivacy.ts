import { afterAll, beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { KvkNumber } from "../../../src/contract/numbers.ts";
import { compareCompany } from "../../../src/monitors/compare.ts";
import type { Observation } from "../../../src/monitors/types.ts";
import { decisions, type OpenStore, StoreFixture } from "./fixture.ts";
import {
  baseline,
  changesOf,
  deliver,
  eventsOf,
  monitor,
  newOwner,
  ORIGIN,
  observed,
  watching,
} from "./monitorFixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const URL = "https://example.test/hook";
const MANY = 1_200;
const MOVED = {
  previous: { street: "Dorpsstraat", houseNumber: "1", postalCode: "1234AB", city: "Fabelstad" },
  current: { street: "Kade", houseNumber: "2", postalCode: "4321BA", city: "Verzonnen" },
};
const SHOWN = { previous: { city: "Fabelstad" }, current: { city: "Verzonnen" } };

/** Companies that are suppressed or shielded, and accounts that are deleted. */
export function monitorPrivacy(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  const opened: StoreFixture[] = [];
  beforeEach(async () => {
    fixture = new StoreFixture(open, NOW);
    opened.push(fixture);
    store = await fixture.connect();
  });
  afterAll(() => Promise.all(opened.map((each) => each.close())));

  const watch = (tier: string, companies: number) =>
    watching(fixture, store, tier, companies, { webhook: URL, metadata: { debtor: "1042" } });
  const forget = (kvkNumber: KvkNumber) =>
    store.suppressed.forget({ kvkNumber, vatNumbers: [], forgottenAtMs: fixture.nowMs });
  const moves = (kvkNumber: KvkNumber, recency: number): Observation => ({
    ...observed(kvkNumber, recency),
    changes: [{ type: "company.moved", changes: { address: MOVED } }],
  });

  it("forgets all data about a company, and ends its monitors with a free event", async () => {
    const { owner, numbers, monitors } = await watch("two", 2);
    const [gone, stays] = numbers as [KvkNumber, KvkNumber];
    await store.monitors.storeInsolvency(gone, { insolvency: "bankruptcy", observedAtMs: fixture.nowMs });
    await changesOf(store, numbers);
    await deliver(store, owner);
    await changesOf(store, numbers, 2);
    expect(await store.monitors.monitorAccount(owner)).toMatchObject({ monitors: 2, pending: 2 });
    await forget(gone);
    expect((await eventsOf(store, owner)).map(({ kvkNumber }) => kvkNumber)).toEqual([stays]);
    expect(await store.monitors.monitorAccount(owner)).toMatchObject({ monitors: 1, pending: 2 });
    expect(await store.monitors.monitor(owner, monitors[0]?.id ?? "")).toBeUndefined();
    expect(await store.monitors.monitoredAmong([gone])).toEqual([]);
    expect(await store.monitors.insolvencies([gone])).toEqual([null]);
    // The allowance is used up, and the end is free.
    expect(await deliver(store, owner)).toMatchObject({ charged: 0, delivered: 1, left: 1 });
    const [, ended] = await eventsOf(store, owner);
    expect(ended).toMatchObject({ sequence: 3, type: "monitor.ended", kvkNumber: gone, changes: {} });
    expect(ended).toMatchObject({ metadata: { debtor: "1042" } });
    expect(ended).not.toHaveProperty("source");
    const messages = [await store.webhooks.claimMessage(1_000), await store.webhooks.claimMessage(1_000)];
    expect(messages.map((message) => JSON.parse(message?.payload ?? "{}"))).toMatchObject([
      { type: "company.renamed", data: { kvkNumber: stays } },
      { type: "monitor.ended", data: { kvkNumber: gone, metadata: { debtor: "1042" } } },
    ]);
    expect(await store.webhooks.claimMessage(1_000)).toBeUndefined();
    // Forgotten again with another VAT number, the report of the end stays.
    await forget(gone);
    expect(await eventsOf(store, owner)).toHaveLength(2);
  });

  it("keeps the metadata of an ended monitor, without a name of the company", async () => {
    const metadata = { debtor: "1042", name: " FABEL b.v.", note: "Fabel B.V. pays late" };
    const { owner, numbers } = await watching(fixture, store, "two", 1, { metadata });
    await forget((numbers as [KvkNumber])[0]);
    await deliver(store, owner);
    const [ended] = await eventsOf(store, owner);
    expect(ended?.metadata).toEqual({ debtor: "1042", note: "Fabel B.V. pays late" });
  });

  it("removes former names too, in any spelling", async () => {
    const metadata = {
      debtor: "1042",
      first: "Fabel BV",
      second: "SAGE & Zn.",
      trade: "'t Sprookje",
      other: "Fabels",
    };
    const { owner, numbers } = await watching(fixture, store, "endless", 1, { metadata });
    const [gone] = numbers as [KvkNumber];
    const names = [
      { name: "Sage en Zoon N.V.", tradingNames: ["’t Sprookje"] },
      { name: "Legende", tradingNames: [] },
    ];
    for (const [nth, fields] of names.entries()) {
      const [company] = await store.monitors.monitoredAmong([gone]);
      const seen = { origin: ORIGIN, asOfMs: nth + 2, serialMs: nth + 2, fields };
      await store.monitors.recordObservations(compareCompany(gone, company?.baselines ?? [], [seen]));
    }
    await forget(gone);
    await deliver(store, owner);
    expect((await eventsOf(store, owner)).map((event) => event.metadata)).toEqual([
      { debtor: "1042", other: "Fabels" },
    ]);
  });

  it("reports the end of a monitor before changes that wait for tokens, however many", async () => {
    const { owner, numbers } = await watch("two", 5);
    await changesOf(store, numbers);
    await deliver(store, owner);
    await forget((numbers as [KvkNumber])[0]);
    expect(await deliver(store, owner, 2)).toMatchObject({ charged: 0, delivered: 1 });
    expect((await eventsOf(store, owner)).at(-1)).toMatchObject({ type: "monitor.ended" });
  });

  it("stores nothing about a suppressed company afterwards", async () => {
    const { owner, numbers } = await watch("endless", 1);
    const [gone] = numbers as [KvkNumber];
    await forget(gone);
    await store.monitors.recordObservations([
      { ...observed(gone, 1), replaces: undefined },
      observed(gone, 1),
    ]);
    await store.monitors.storeInsolvency(gone, { observedAtMs: fixture.nowMs });
    expect(await store.monitors.insolvencies([gone])).toEqual([null]);
    expect(await store.monitors.monitorAccount(owner)).toMatchObject({ pending: 1 });
    expect(await deliver(store, owner)).toMatchObject({ delivered: 1 });
    expect(await deliver(store, owner)).toBeUndefined();
  });

  it("delivers a change or forgets it, never both, when both happen at once", async () => {
    const other = await fixture.connect();
    for (let round = 0; round < 10; round++) {
      const { owner, numbers } = await watch("endless", 3);
      await changesOf(store, numbers);
      const [gone] = numbers as [KvkNumber];
      const [due] = (await store.monitors.dueAccounts(10, 10)).filter(
        (one) => one.accountId === owner.accountId,
      );
      const request = {
        kind: "events",
        keyId: owner.keyId,
        operation: "monitors.change",
        pendingIds: due?.pendingIds ?? [],
      } as const;
      await Promise.all([
        decisions(other.metering.apply([request])),
        forget(gone),
        other.monitors.recordObservations(numbers.map((kvkNumber) => observed(kvkNumber, 2))),
      ]);
      while ((await deliver(store, owner)) !== undefined);
      const events = await eventsOf(store, owner);
      const ofGone = events.filter(({ kvkNumber }) => kvkNumber === gone);
      expect(ofGone.map(({ type }) => type)).toEqual(["monitor.ended"]);
      expect(events).toHaveLength(5);
    }
  });

  it("removes the hidden parts of an address that is shielded since, and nothing else", async () => {
    const { owner, numbers } = await watch("endless", 2);
    const [shielded, open] = numbers as [KvkNumber, KvkNumber];
    const address = {
      street: "Kade",
      houseNumber: "2",
      postalCode: "4321BA",
      city: "Verzonnen",
      country: "NL",
    };
    const second = baseline(shielded, { asOfMs: 1, serialMs: 1 }, { address }, "gleif");
    await store.monitors.recordObservations([
      { replaces: undefined, baseline: second, changes: [] },
      ...numbers.map((kvkNumber) => moves(kvkNumber, 1)),
    ]);
    await deliver(store, owner);
    await store.monitors.recordObservations(numbers.map((kvkNumber) => moves(kvkNumber, 2)));
    await store.monitors.recordObservations([{ ...observed(shielded, 3, []), hidesAddress: true }]);
    const [company] = await store.monitors.monitoredAmong([shielded]);
    expect(company?.baselines.find(({ origin }) => origin === "gleif")?.fields).toEqual({
      address: { city: "Verzonnen", country: "NL" },
    });
    await deliver(store, owner);
    const addresses = (await eventsOf(store, owner)).map(({ kvkNumber, changes }) => [
      kvkNumber,
      changes["address"],
    ]);
    expect(addresses).toEqual([
      [shielded, SHOWN],
      [open, MOVED],
      [shielded, SHOWN],
      [open, MOVED],
    ]);
    const payloads = [];
    for (
      let message = await store.webhooks.claimMessage(1_000);
      message;
      message = await store.webhooks.claimMessage(1_000)
    )
      payloads.push(JSON.parse(message.payload).data);
    expect(payloads).toHaveLength(4);
    for (const { kvkNumber, changes } of payloads)
      expect(changes.address).toEqual(kvkNumber === shielded ? SHOWN : MOVED);
  });

  it("removes them also from the events of a monitor that was removed", async () => {
    const { owner, numbers, monitors } = await watch("endless", 2);
    const [moved, renamed] = numbers as [KvkNumber, KvkNumber];
    await store.monitors.recordObservations([moves(moved, 1), observed(renamed, 1)]);
    await deliver(store, owner);
    for (const { id } of monitors) await store.monitors.removeMonitor(owner, id);
    while (await store.monitors.sweepMonitors(1_000));
    const pass = await store.monitors.monitoredCompanies("", 100_000);
    const compared = pass.map(({ kvkNumber }) => kvkNumber).filter((number) => numbers.includes(number));
    expect(compared).toEqual([moved]);
    await store.monitors.recordObservations([{ ...observed(moved, 2, []), hidesAddress: true }]);
    const [event] = await eventsOf(store, owner);
    expect(event?.changes["address"]).toEqual(SHOWN);
  });

  it("gives the place of a forgotten company's monitor to a paused one", async () => {
    const tiers = { endless: { monthlyTokens: 1, ratePerMinute: 1 } };
    const { owner } = await watch("endless", 2);
    const read = async () => (await store.monitors.monitors(owner, "", 10)).monitors;
    await store.monitors.alignMonitors(tiers);
    const [active, paused] = await read();
    expect([active?.pausedFor, paused?.pausedFor]).toEqual([undefined, "limit"]);
    if (active !== undefined) await forget(active.kvkNumber);
    await store.monitors.alignMonitors(tiers);
    const remaining = await read();
    expect(remaining.map(({ id, pausedFor }) => [id, pausedFor])).toEqual([[paused?.id, undefined]]);
  });

  it("erases monitors, changes, events and webhooks with the account, also if there are many", async () => {
    for (const companies of [2, MANY]) {
      const { owner, numbers } = await watch("endless", companies);
      const other = await newOwner(fixture, store);
      await monitor(store, other, numbers.slice(0, 1));
      await changesOf(store, numbers);
      await deliver(store, owner, MANY / 2);
      expect(await store.people.deleteAccount(owner.accountId, "hash", fixture.nowMs)).toBe(true);
      expect(await deliver(store, owner)).toBeUndefined();
      while (await store.people.sweepDeleted());
      expect(await store.monitors.monitorAccount(owner)).toMatchObject({
        monitors: 0,
        pending: 0,
        unread: 0,
      });
      expect(await store.monitors.webhookStatuses(owner.accountId)).toEqual([]);
      expect(await eventsOf(store, owner)).toEqual([]);
      while (await store.monitors.sweepMonitors(1));
      expect(await store.monitors.monitoredCompanies("", 10)).toMatchObject([{ kvkNumber: numbers[0] }]);
      expect(await deliver(store, other)).toMatchObject({ charged: 1 });
      await store.people.deleteAccount(other.accountId, "hash", fixture.nowMs);
    }
  });
}
