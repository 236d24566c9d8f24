import { afterAll, beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";
import { begun } from "./listFixture.ts";
import { changesOf, deliver, newOwner, noteComparison, watching } from "./monitorFixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const MINUTE_MS = 60_000;
const MINUTE = 60;
const HOUR_MS = 60 * MINUTE_MS;
const LEASE_MS = 60_000;
const URL = "https://example.test/hook";
const NOTHING = {
  opzoek_monitors_compared_timestamp_seconds: undefined,
  opzoek_monitor_changes_waiting: 0,
  opzoek_monitor_changes_oldest_seconds: 0,
  opzoek_webhook_messages_waiting: 0,
  opzoek_webhook_messages_oldest_seconds: 0,
  opzoek_webhook_hosts_failing: 0,
  opzoek_webhooks_disabled: 0,
  opzoek_lists_oldest_waiting_seconds: 0,
};

/** Work that waits, as the metrics show it. */
export function waitingWork(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  const opened: StoreFixture[] = [];
  beforeEach(async () => {
    fixture = new StoreFixture(open, NOW);
    opened.push(fixture);
    store = await fixture.connect();
  });
  afterAll(() => Promise.all(opened.map((each) => each.close())));
  const waiting = () => store.waiting.waitingWork();
  const later = (ms: number) => {
    fixture.nowMs += ms;
  };

  it("is nothing in an empty state", async () => {
    expect(await waiting()).toEqual(NOTHING);
  });

  it("counts changes, and the time since they could be delivered", async () => {
    const { owner, numbers } = await watching(fixture, store, "endless", 2);
    expect(await waiting()).toEqual({ ...NOTHING, opzoek_monitors_compared_timestamp_seconds: 0 });
    await changesOf(store, numbers);
    later(5 * MINUTE_MS);
    expect(await waiting()).toMatchObject({
      opzoek_monitor_changes_waiting: 2,
      opzoek_monitor_changes_oldest_seconds: 5 * MINUTE,
    });
    // Without tokens they wait, but do not stand still.
    await store.monitors.postponeAccount(owner, MINUTE_MS, true);
    expect(await waiting()).toMatchObject({
      opzoek_monitor_changes_waiting: 2,
      opzoek_monitor_changes_oldest_seconds: 0,
    });
    later(MINUTE_MS);
    await deliver(store, owner);
    expect(await waiting()).toMatchObject({ opzoek_monitor_changes_waiting: 0 });
  });

  it("has the time of the last comparison", async () => {
    await watching(fixture, store, "endless", 1);
    await noteComparison(store, { comparedAtMs: 1_500 });
    expect(await waiting()).toMatchObject({ opzoek_monitors_compared_timestamp_seconds: 1.5 });
  });

  it("counts webhook messages, the age of the oldest, failing hosts and disabled webhooks", async () => {
    const watched = await watching(fixture, store, "endless", 1, { webhook: URL });
    await changesOf(store, watched.numbers);
    await deliver(store, watched.owner);
    expect(await waiting()).toMatchObject({
      opzoek_webhook_messages_waiting: 1,
      opzoek_webhook_messages_oldest_seconds: 0,
      opzoek_webhook_hosts_failing: 0,
    });
    const fail = async () => {
      const message = await store.webhooks.claimMessage(LEASE_MS);
      if (message === undefined) throw new Error("no message is due");
      return store.webhooks.deferMessage(message.id, message.claim, HOUR_MS, "it answered 500");
    };
    await fail();
    later(30 * MINUTE_MS);
    expect(await waiting()).toMatchObject({
      opzoek_webhook_messages_waiting: 1,
      opzoek_webhook_messages_oldest_seconds: 30 * MINUTE,
      opzoek_webhook_hosts_failing: 1,
    });
    later(30 * MINUTE_MS);
    while (await fail()) later(HOUR_MS);
    expect(await waiting()).toMatchObject({
      opzoek_webhook_messages_waiting: 0,
      opzoek_webhook_hosts_failing: 0,
      opzoek_webhooks_disabled: 1,
    });
    // Its monitors use another one.
    await store.monitors.changeMonitor(watched.owner, watched.monitors[0]?.id ?? "", {
      webhook: "https://example.test/other",
    });
    expect(await waiting()).toMatchObject({ opzoek_webhooks_disabled: 0 });
  });

  it("has the age of the message about a list", async () => {
    const owner = await newOwner(fixture, store);
    await store.webhooks.rollWebhookSecret(owner.accountId, "seed", 0);
    const { id } = await begun(store, owner, 1, { webhook: URL });
    await store.jobs.changeList(owner.accountId, id, { kind: "cancel" });
    later(MINUTE_MS);
    expect(await waiting()).toMatchObject({
      opzoek_webhook_messages_waiting: 1,
      opzoek_webhook_messages_oldest_seconds: MINUTE,
      opzoek_lists_oldest_waiting_seconds: 0,
    });
  });

  it("has the time since a list could have had a turn: not while its account has one, or after a pause", async () => {
    const owner = await newOwner(fixture, store);
    const { id } = await begun(store, owner, 1);
    await begun(store, owner, 1);
    later(5 * MINUTE_MS);
    expect(await waiting()).toMatchObject({ opzoek_lists_oldest_waiting_seconds: 5 * MINUTE });
    const claimed = await store.jobs.claimList(LEASE_MS);
    expect(await waiting()).toMatchObject({ opzoek_lists_oldest_waiting_seconds: 0 });
    await store.jobs.releaseList(id, claimed?.claim ?? 0, {});
    later(MINUTE_MS);
    expect(await waiting()).toMatchObject({ opzoek_lists_oldest_waiting_seconds: MINUTE });
    // A worker that was killed left its claim.
    await store.jobs.claimList(LEASE_MS);
    later(LEASE_MS + MINUTE_MS);
    expect(await waiting()).toMatchObject({ opzoek_lists_oldest_waiting_seconds: LEASE_MS / 1_000 + MINUTE });
    for (const list of await store.jobs.lists(owner.accountId)) {
      await store.jobs.changeList(owner.accountId, list.id, { kind: "pause" });
    }
    expect(await waiting()).toMatchObject({ opzoek_lists_oldest_waiting_seconds: 0 });
  });
}
