import { afterAll, beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { ChangeEvent } from "../../../src/contract/monitors.ts";
import { call, type OpenStore, StoreFixture } from "./fixture.ts";
import { begun } from "./listFixture.ts";
import {
  changesOf,
  deliver,
  eventsOf,
  monitor,
  newCompanies,
  newMonitorId,
  newOwner,
  watching,
} from "./monitorFixture.ts";
import { PersonBuilder } from "./personBuilder.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const URL = "https://example.test/hook";
const LEASE_MS = 60_000;
const BOUNDS = { maxWaiting: 100, maxToOneAddress: 10 };

/** Messages about events, the webhooks that get them, and mails. */
export function monitorWebhooks(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  const opened: StoreFixture[] = [];
  beforeEach(async () => {
    fixture = new StoreFixture(open, NOW);
    opened.push(fixture);
    store = await fixture.connect();
  });
  afterAll(() => Promise.all(opened.map((each) => each.close())));

  const watch = (tier: string) => watching(fixture, store, tier, 1, { webhook: URL });

  /** Lets the next message fail. @returns whether it is retried */
  async function fail(pauseMs = HOUR_MS): Promise<boolean> {
    const message = await store.webhooks.claimMessage(LEASE_MS);
    if (message === undefined) throw new Error("no message is due");
    return store.webhooks.deferMessage(message.id, message.claim, pauseMs, "it answered 500");
  }
  async function accept(): Promise<void> {
    const message = await store.webhooks.claimMessage(LEASE_MS);
    await store.webhooks.endMessage(message?.id ?? "", message?.claim ?? 0);
  }
  /** Lets messages fail until one is dropped. */
  async function failUntilDropped(): Promise<void> {
    while (await fail()) fixture.nowMs += HOUR_MS;
  }

  it("queues a signed message per event, and again on request", async () => {
    const { owner, numbers, monitors } = await watch("endless");
    await changesOf(store, numbers);
    await deliver(store, owner);
    const [event] = await eventsOf(store, owner);
    const message = await store.webhooks.claimMessage(1_000);
    expect(message).toMatchObject({ id: event?.id, accountId: owner.accountId, url: URL, seeds: ["seed"] });
    const payload = JSON.parse(message?.payload ?? "") as { readonly data: ChangeEvent };
    expect(payload).toEqual({
      type: "company.renamed",
      timestamp: NOW,
      data: {
        ...{ id: event?.id, type: "company.renamed", kvkNumber: numbers[0], observedAt: NOW },
        source: { kvk: "import:fabel", cachedAt: "1970-01-01T00:00:00.002Z" },
        changes: { name: { previous: "1", current: "2" } },
      },
    });
    await store.webhooks.endMessage(message?.id ?? "", message?.claim ?? 0);
    expect(await store.webhooks.claimMessage(1_000)).toBeUndefined();
    expect(await store.monitors.redeliver(owner, event?.id ?? "")).toBe(true);
    expect(await store.webhooks.claimMessage(1_000)).toMatchObject({
      id: event?.id,
      payload: message?.payload,
    });
    expect(await store.monitors.redeliver(await newOwner(fixture, store), event?.id ?? "")).toBe(false);
    await store.monitors.changeMonitor(owner, monitors[0]?.id ?? "", { webhook: null });
    expect(await store.monitors.redeliver(owner, event?.id ?? "")).toBe(false);
  });

  it("shows the last delivery, the last failure and the waiting messages of a webhook", async () => {
    const { owner, numbers, monitors } = await watch("endless");
    await changesOf(store, numbers);
    await deliver(store, owner);
    const webhook = { url: URL, monitors: 1, monitorId: monitors[0]?.id };
    const status = async () => (await store.monitors.webhookStatuses(owner.accountId))[0];
    expect(await status()).toEqual({ ...webhook, waiting: 1 });
    expect(await fail()).toBe(true);
    const failed = { failedAtMs: fixture.nowMs, failure: "it answered 500" };
    expect(await status()).toEqual({ ...webhook, waiting: 1, ...failed });
    fixture.nowMs += HOUR_MS;
    await accept();
    expect(await status()).toEqual({ ...webhook, waiting: 0, ...failed, deliveredAtMs: fixture.nowMs });
  });

  it("disables a webhook that accepted nothing for three days, mails this once, and enables it on request", async () => {
    const { owner, numbers, monitors } = await watch("endless");
    const id = monitors[0]?.id ?? "";
    await changesOf(store, numbers);
    await deliver(store, owner);
    const fromMs = fixture.nowMs;
    await failUntilDropped();
    expect(fixture.nowMs - fromMs).toBe(3 * DAY_MS - HOUR_MS);
    expect(await store.monitors.monitor(owner, id)).toMatchObject({ webhookDisabledAtMs: fixture.nowMs });
    const [notice] = await store.people.disabledWebhooks(10);
    expect(notice).toEqual({
      accountId: owner.accountId,
      email: `${owner.accountId}@example.test`,
      language: "en",
    });
    const order = {
      id: "mail",
      kind: "webhook-disabled",
      accountId: owner.accountId,
      language: "nl",
    } as const;
    const full = { ...BOUNDS, maxWaiting: 0 };
    expect(await store.people.addOnce(order, "hash", full)).toBe("full");
    const added = await Promise.all(
      [1, 2, 3].map((nth) => store.people.addOnce({ ...order, id: `mail ${nth}` }, "hash", BOUNDS)),
    );
    expect([...added].sort()).toEqual(["added", "repeated", "repeated"]);
    expect(await store.people.disabledWebhooks(10)).toEqual([]);
    const mail = await store.people.claimMail({ leaseMs: 1, tokenHash: "none" });
    expect(mail).toMatchObject({
      outcome: "send",
      kind: "webhook-disabled",
      language: "nl",
      to: notice?.email,
    });
    // Events are recorded, and no message is queued.
    await changesOf(store, numbers, 2);
    await deliver(store, owner);
    expect(await eventsOf(store, owner)).toHaveLength(2);
    expect(await store.webhooks.claimMessage(LEASE_MS)).toBeUndefined();
    expect(await store.monitors.redeliver(owner, (await eventsOf(store, owner))[0]?.id ?? "")).toBe(false);
    expect(await store.monitors.addTestEvent(owner, { id: "evt_1", monitorId: id })).toBe(false);
    const enabled = await store.monitors.changeMonitor(owner, id, { webhook: URL });
    expect(enabled).not.toHaveProperty("webhookDisabledAtMs");
    await changesOf(store, numbers, 3);
    await deliver(store, owner);
    await accept();
    expect(await store.webhooks.claimMessage(LEASE_MS)).toBeUndefined();
  });

  it("mails a person once a week how many events are new, unless that is turned off", async () => {
    const { account } = await new PersonBuilder(fixture).addPerson(store);
    const owner = { accountId: account.id, keyId: await fixture.addKey(store, account.id) };
    const numbers = newCompanies(2);
    await monitor(store, owner, numbers);
    await changesOf(store, numbers);
    await deliver(store, owner);
    expect(await store.people.dueDigests(10)).toEqual([]);
    fixture.nowMs += 7 * DAY_MS;
    const [due, ...more] = await store.people.dueDigests(10);
    const { id: accountId, email } = account;
    expect([due, more]).toEqual([{ accountId, email, language: "nl", events: 2 }, []]);
    const order = { kind: "monitor-digest", accountId, language: "nl", events: 2 } as const;
    const add = (id: string, bounds = BOUNDS) => store.people.addOnce({ id, ...order }, "hash", bounds);
    expect(await add("a", { ...BOUNDS, maxWaiting: 0 })).toBe("full");
    const added = await Promise.all(["b", "c", "d"].map((id) => add(id)));
    expect([...added].sort()).toEqual(["added", "repeated", "repeated"]);
    const mail = await store.people.claimMail({ leaseMs: 1, tokenHash: "none" });
    expect(mail).toMatchObject({ kind: "monitor-digest", to: email, events: 2 });
    fixture.nowMs += 7 * DAY_MS;
    expect(await store.people.dueDigests(10)).toEqual([]);
    await changesOf(store, numbers, 2);
    await deliver(store, owner);
    expect(await store.people.dueDigests(10)).toMatchObject([{ events: 2 }]);
    await store.monitors.setMonitorAccount(accountId, { hasDigest: false });
    expect(await store.people.dueDigests(10)).toEqual([]);
    expect(await add("e")).toBe("repeated");
  });

  it("drops all waiting messages of a webhook that it disables, and those of no other", async () => {
    const { owner, numbers } = await watch("endless");
    const other = await watching(fixture, store, "endless", 1, { webhook: `${URL}/other` });
    for (let recency = 1; recency <= 3; recency++) await changesOf(store, numbers, recency);
    await deliver(store, owner);
    await failUntilDropped();
    expect((await store.monitors.webhookStatuses(owner.accountId))[0]).toMatchObject({ waiting: 0 });
    await changesOf(store, other.numbers);
    await deliver(store, other.owner);
    expect(await store.webhooks.claimMessage(LEASE_MS)).toMatchObject({ url: `${URL}/other` });
  });

  it("does not disable a webhook that accepts other messages", async () => {
    const { owner, numbers } = await watch("endless");
    await changesOf(store, numbers);
    await deliver(store, owner);
    const bad = await store.webhooks.claimMessage(LEASE_MS);
    await changesOf(store, numbers, 2);
    await deliver(store, owner);
    fixture.nowMs += 1;
    await accept();
    // In steps that a clock without a fault makes.
    for (let hour = 0; hour < 72; hour += 3) {
      fixture.nowMs += 3 * HOUR_MS;
      await store.webhooks.claimMessage(0, { accounts: [owner.accountId] });
    }
    expect(await store.webhooks.deferMessage(bad?.id ?? "", bad?.claim ?? 0, 1, "it answered 500")).toBe(
      false,
    );
    expect((await store.monitors.webhookStatuses(owner.accountId))[0]).not.toHaveProperty("disabledAtMs");
  });

  it("does not disable a webhook because a message about a list was dropped", async () => {
    const { owner } = await watch("endless");
    const { id } = await begun(store, owner, 1, { webhook: URL });
    await store.jobs.changeList(owner.accountId, id, { kind: "cancel" });
    await failUntilDropped();
    expect((await store.monitors.webhookStatuses(owner.accountId))[0]).toMatchObject({
      failure: "it answered 500",
    });
    expect((await store.monitors.webhookStatuses(owner.accountId))[0]).not.toHaveProperty("disabledAtMs");
  });

  it("delivers a test of a webhook free of charge, also without tokens and of a paused monitor", async () => {
    const { owner, monitors } = await watch("two");
    await store.metering.apply([call(owner.keyId, 2)]);
    const test = { id: `evt_${"t".repeat(22)}`, monitorId: monitors[0]?.id ?? "" };
    expect(await store.monitors.addTestEvent(owner, test)).toBe(true);
    expect(await store.monitors.addTestEvent(owner, { ...test, monitorId: newMonitorId() })).toBe(false);
    expect(await store.webhooks.claimMessage(1_000)).toMatchObject({ id: test.id });
    await store.monitors.alignMonitors({ two: { monthlyTokens: 2, ratePerMinute: 6, maxMonitors: 0 } });
    expect(await store.monitors.monitorAccount(owner)).toMatchObject({ paused: 1 });
    expect(await store.monitors.addTestEvent(owner, { ...test, id: "evt_paused" })).toBe(true);
    expect(await store.webhooks.claimMessage(1_000)).toMatchObject({ id: "evt_paused" });
  });
}
