import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { MONITOR_BOUNDS } from "../../../src/contract/monitors.ts";
import { newEventId } from "../../../src/monitors/changeEvent.ts";
import type { MonitorOwner } from "../../../src/monitors/stored.ts";
import type { ClaimedMessage } from "../../../src/webhooks/claimed.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";
import { begun, charged, chunk, TERMS } from "./listFixture.ts";
import { changesOf, deliver, eventsOf, monitor, watching } from "./monitorFixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LEASE_MS = 60_000;
const URL = "https://example.test/hook";
const { testsPerHour, maxWaitingTests } = MONITOR_BOUNDS;

/** Tests of webhooks, the order in which accounts get their messages, and clocks that jump while messages wait. */
export function webhookTurns(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  const opened: StoreFixture[] = [];
  beforeEach(async () => {
    fixture = new StoreFixture(open, NOW);
    opened.push(fixture);
    store = await fixture.connect();
  });
  afterAll(() => Promise.all(opened.map((each) => each.close())));

  const watch = (url = URL) => watching(fixture, store, "endless", 1, { webhook: url });
  const sendTest = (owner: MonitorOwner, monitorId = "", at = store) =>
    at.monitors.addTestEvent(owner, { id: newEventId(), monitorId });
  const claim = (except = {}) => store.webhooks.claimMessage(LEASE_MS, except);
  const end = ({ id, claim }: ClaimedMessage) => store.webhooks.endMessage(id, claim);
  const fail = ({ id, claim }: ClaimedMessage, pauseMs = 5_000) =>
    store.webhooks.deferMessage(id, claim, pauseMs, "it answered 500");
  /** Claims every message that is due. */
  async function claimAll(): Promise<ClaimedMessage[]> {
    const claimed: ClaimedMessage[] = [];
    for (let next = await claim(); next !== undefined; next = await claim()) claimed.push(next);
    return claimed;
  }
  async function acceptAll(): Promise<readonly string[]> {
    const claimed = await claimAll();
    for (const message of claimed) await end(message);
    return claimed.map(({ id }) => id);
  }

  describe("a test of a webhook", () => {
    it("is a message, not an event, and cannot be sent again", async () => {
      const { owner, monitors } = await watch();
      const id = newEventId();
      const test = { id, monitorId: monitors[0]?.id ?? "" };
      expect(await store.monitors.addTestEvent(owner, test)).toBe(true);
      expect(await deliver(store, owner)).toBeUndefined();
      expect(await eventsOf(store, owner)).toEqual([]);
      expect(await store.monitors.event(owner, id)).toBeUndefined();
      expect(await store.monitors.redeliver(owner, id)).toBe(false);
      expect(await acceptAll()).toEqual([id]);
    });

    it("is counted exactly under parallel calls of several processes and keys, and again in the next hour", async () => {
      const { owner, numbers, monitors } = await watch();
      const keyId = await fixture.addKey(store, owner.accountId, 20, "test");
      const testOwner = { accountId: owner.accountId, keyId, isTest: true } as const;
      const [test] = await monitor(store, testOwner, numbers, { webhook: URL });
      const other = await fixture.connect();
      const results: (boolean | number)[] = [];
      while (results.length < testsPerHour + 20) {
        const [first, second] = [sendTest(owner, monitors[0]?.id), sendTest(owner, monitors[0]?.id, other)];
        const third = sendTest(testOwner, test?.id);
        results.push(...(await Promise.all([first, second, third, sendTest(testOwner, test?.id, other)])));
      }
      expect(results.filter((result) => result === true)).toHaveLength(testsPerHour);
      expect(results.filter((result) => result !== true)).toEqual(Array(20).fill(HOUR_MS));
      expect(await claimAll()).toHaveLength(testsPerHour);
      // Another account has its own.
      const another = await watch();
      expect(await sendTest(another.owner, another.monitors[0]?.id)).toBe(true);
      fixture.nowMs += HOUR_MS - 1;
      expect(await sendTest(owner, monitors[0]?.id)).toBe(1);
      fixture.nowMs += 1;
      expect(await sendTest(owner, monitors[0]?.id)).toBe(true);
    });

    it("is refused while 100 wait, as is a message of a test key, but not a change", async () => {
      const { owner, numbers, monitors } = await watch();
      const id = monitors[0]?.id ?? "";
      const keyId = await fixture.addKey(store, owner.accountId, 20, "test");
      const testOwner = { accountId: owner.accountId, keyId, isTest: true } as const;
      const [test] = await monitor(store, testOwner, numbers, { webhook: URL });
      const event = { monitorId: test?.id ?? "", type: "company.renamed" as const, changes: {} };
      const record = (count: number, from: string) =>
        store.monitors.addSandboxEvents(
          owner.accountId,
          Array.from({ length: count }, (_, nth) => ({ ...event, id: `evt_${from}_${nth}` })),
        );
      await record(maxWaitingTests - 1, "first");
      const results = await Promise.all([1, 2, 3].map(() => sendTest(owner, id)));
      expect(results.filter((result) => result === true)).toHaveLength(1);
      expect(results.filter((result) => result !== true)).toEqual([HOUR_MS, HOUR_MS]);
      await record(5, "more");
      expect(await store.monitors.redeliver(testOwner, "evt_more_0")).toBe(HOUR_MS);
      await changesOf(store, numbers);
      await deliver(store, owner);
      expect(await acceptAll()).toHaveLength(maxWaitingTests + 1);
      expect(await sendTest(owner, id)).toBe(true);
      expect(await store.monitors.redeliver(testOwner, "evt_more_0")).toBe(true);
    });

    it("is not sent after its company was forgotten", async () => {
      const [gone, stays] = [await watch(), await watch()];
      for (const { owner, monitors } of [gone, stays])
        expect(await sendTest(owner, monitors[0]?.id)).toBe(true);
      await store.suppressed.forget({
        ...{ kvkNumber: gone.numbers[0] ?? ("" as never), vatNumbers: [], forgottenAtMs: fixture.nowMs },
      });
      expect((await claimAll()).map(({ accountId }) => accountId)).toEqual([stays.owner.accountId]);
    });
  });

  it("gives every account with a due message its turn, however many one of them has", async () => {
    const watched = [];
    for (let nth = 0; nth < 5; nth += 1) watched.push(await watch());
    const [busy, ...others] = watched.map(({ owner }) => owner);
    for (let recency = 1; recency <= 30; recency += 1) {
      await changesOf(store, watched[0]?.numbers ?? [], recency);
      await deliver(store, busy ?? { accountId: "" });
    }
    for (const { owner, monitors } of watched.slice(1)) await sendTest(owner, monitors[0]?.id);
    const turns: string[] = [];
    // As many claims as there are accounts: none is skipped for the one with many.
    for (let nth = 0; nth < watched.length; nth += 1) turns.push((await claim())?.accountId ?? "none");
    expect(new Set(turns)).toEqual(new Set([busy?.accountId, ...others.map(({ accountId }) => accountId)]));
    expect(await claimAll()).toHaveLength(29);
  });

  it("finds a message behind more accounts than one step reads", async () => {
    // Each has a message that waits for its next attempt.
    for (let nth = 0; nth < 120; nth += 1) {
      const { owner, monitors } = await watch();
      await sendTest(owner, monitors[0]?.id);
    }
    for (const message of await claimAll()) await fail(message, HOUR_MS);
    expect(await claim()).toBeUndefined();
    const { owner, monitors } = await watch();
    await sendTest(owner, monitors[0]?.id);
    expect(await claim()).toMatchObject({ accountId: owner.accountId });
    expect(await claim()).toBeUndefined();
  });

  describe("a clock that jumps ahead and back", () => {
    it.each([
      ["six minutes", 6 * MINUTE_MS],
      ["three hours", 3 * HOUR_MS],
      ["five hours", 5 * HOUR_MS],
      ["a day", DAY_MS],
      ["four days", 4 * DAY_MS],
      ["a year", 365 * DAY_MS],
      ["eighty years", 80 * 365 * DAY_MS],
    ])("by %s loses no message, and disables no webhook", async (_name, jumpMs) => {
      const { owner, numbers, monitors } = await watch();
      const later = await watch();
      const list = async () => {
        const { id } = await begun(store, owner, 1, { webhook: URL });
        await store.jobs.changeList(owner.accountId, id, { kind: "cancel" });
      };
      await changesOf(store, numbers);
      await deliver(store, owner);
      await sendTest(owner, monitors[0]?.id);
      await list();
      const before = await claimAll();
      expect(before).toHaveLength(3);
      const [inProgress, ...failed] = before;
      for (const message of failed) expect(await fail(message)).toBe(true);

      fixture.nowMs += jumpMs;
      // Its delivery ends by the wrong clock.
      expect(inProgress && (await fail(inProgress))).toBe(true);
      await list();
      await changesOf(store, later.numbers);
      await deliver(store, later.owner);
      for (const pauseMs of [30_000, 2 * MINUTE_MS, 10 * MINUTE_MS]) {
        fixture.nowMs += pauseMs;
        const claimed = await claimAll();
        expect(claimed).toHaveLength(5);
        for (const message of claimed) expect(await fail(message, pauseMs)).toBe(true);
      }

      fixture.nowMs -= jumpMs;
      const arrived = await acceptAll();
      expect(arrived).toHaveLength(5);
      for (const { id } of before) expect(arrived).toContain(id);
      const [webhook] = await store.monitors.webhookStatuses(owner.accountId);
      expect(webhook).toMatchObject({ waiting: 0, deliveredAtMs: expect.any(Number) });
      expect(webhook).not.toHaveProperty("disabledAtMs");
    });

    it("lets a message expire once the clock runs evenly for its life", async () => {
      const { owner, monitors } = await watch();
      expect(await claim()).toBeUndefined();
      await sendTest(owner, monitors[0]?.id);
      fixture.nowMs += 30 * DAY_MS;
      let hours = 0;
      for (let message = await claim(); message !== undefined; message = await claim()) {
        if (!(await fail(message, HOUR_MS))) break;
        fixture.nowMs += HOUR_MS;
        hours += 1;
      }
      expect(hours).toBe(3 * 24 - 1);
      expect(await store.monitors.webhookStatuses(owner.accountId)).toMatchObject([
        { disabledAtMs: fixture.nowMs, waiting: 0 },
      ]);
    });

    it.each([
      ["ten days", 10 * DAY_MS],
      ["a year", 365 * DAY_MS],
    ])("by %s deletes no results of lists, unfinished lists or events", async (_name, jumpMs) => {
      const { owner, numbers } = await watch();
      await changesOf(store, numbers);
      await deliver(store, owner);
      const { id } = await begun(store, owner, 10);
      const step = (await store.jobs.claimList(LEASE_MS))?.claim ?? 0;
      await charged(store, owner, chunk(id, 0, step));
      expect(await store.jobs.completeList(id, step)).toBe(true);
      const open = await begun(store, owner, 1);
      const sweep = async () => {
        for (const next of [
          () => store.jobs.sweepLists(TERMS),
          () => store.monitors.sweepMonitors(90 * DAY_MS),
        ])
          while (await next());
      };
      await claim();
      fixture.nowMs += jumpMs;
      await sweep();
      await claim();
      await sweep();
      fixture.nowMs += 3 * HOUR_MS;
      await claim();
      await sweep();
      fixture.nowMs -= jumpMs;
      await claim();
      await sweep();
      expect(await store.jobs.list(owner.accountId, id)).toMatchObject({ status: "completed" });
      expect(await store.jobs.list(owner.accountId, open.id)).toMatchObject({ status: "queued" });
      expect(await eventsOf(store, owner)).toHaveLength(1);
      // A clock that runs evenly lets them expire.
      for (let passedMs = 0; passedMs < 91 * DAY_MS; passedMs += 3 * HOUR_MS) {
        fixture.nowMs += 3 * HOUR_MS;
        await claim();
      }
      await sweep();
      expect(await store.jobs.list(owner.accountId, id)).toBeUndefined();
      expect(await store.monitors.events(owner, 0, 10, {})).toEqual({ expired: 1 });
    });
  });
}
