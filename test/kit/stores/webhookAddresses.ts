import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { newEventId } from "../../../src/monitors/changeEvent.ts";
import type { MonitorOwner } from "../../../src/monitors/stored.ts";
import type { AddressChange, ClaimedMessage } from "../../../src/webhooks/claimed.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";
import { BOUNDS, begun, newList } from "./listFixture.ts";
import { changesOf, deliver, eventsOf, monitor, watching } from "./monitorFixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LEASE_MS = 60_000;
const URL = "https://example.test/hook";
const OTHER = "https://other.example.test/hook";

/** Tests of the addresses of webhooks: which one a message goes to, pauses, ends and turns. */
export function webhookAddresses(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  const opened: StoreFixture[] = [];
  beforeEach(async () => {
    fixture = new StoreFixture(open, NOW);
    opened.push(fixture);
    store = await fixture.connect();
  });
  afterAll(() => Promise.all(opened.map((each) => each.close())));

  const watch = (url = URL, companies = 1) =>
    watching(fixture, store, "endless", companies, { webhook: url });
  const sendTest = (owner: MonitorOwner, monitorId = "") =>
    store.monitors.addTestEvent(owner, { id: newEventId(), monitorId });
  const endList = async (owner: MonitorOwner, url: string) => {
    const list = newList(owner, 1, { webhook: url });
    expect(await store.jobs.addList(list, { ...BOUNDS, maxCancelled: 100 })).toBe("added");
    await store.jobs.beginList(list.id);
    await store.jobs.changeList(owner.accountId, list.id, { kind: "cancel" });
  };
  const end = ({ id, claim }: ClaimedMessage) => store.webhooks.endMessage(id, claim);
  const fail = ({ id, claim }: ClaimedMessage, afterMs = HOUR_MS, change?: AddressChange) =>
    store.webhooks.deferMessage(id, claim, afterMs, "it answered something", change);
  /** Claims every message that is due. */
  async function claimAll(except = {}): Promise<ClaimedMessage[]> {
    const claimed: ClaimedMessage[] = [];
    for (;;) {
      const next = await store.webhooks.claimMessage(LEASE_MS, except);
      if (next === undefined) return claimed;
      claimed.push(next);
    }
  }
  async function claimOne(): Promise<ClaimedMessage> {
    const message = await store.webhooks.claimMessage(LEASE_MS);
    if (message === undefined) throw new Error("no message is due");
    return message;
  }
  const urlsOf = (messages: readonly ClaimedMessage[]) => messages.map(({ url }) => url);
  /** Lets time pass as an even clock does, without a claim. */
  async function pass(ms: number): Promise<void> {
    const untilMs = fixture.nowMs + ms;
    while (fixture.nowMs < untilMs) {
      fixture.nowMs = Math.min(fixture.nowMs + 3 * HOUR_MS, untilMs);
      await store.webhooks.claimMessage(0, { tiers: ["endless"] });
    }
  }
  const statusOf = async ({ accountId }: MonitorOwner, url = URL) =>
    (await store.monitors.webhookStatuses(accountId)).find((status) => status.url === url);

  describe("a waiting message", () => {
    it.each([
      [
        "PATCH of its monitor",
        (owner: MonitorOwner, id: string, url: string | null) =>
          store.monitors.changeMonitor(owner, id, { webhook: url }),
      ],
      [
        "adding its company again",
        (owner: MonitorOwner, _id: string, url: string | null, numbers) =>
          monitor(store, owner, numbers, { webhook: url }),
      ],
    ] satisfies [
      string,
      (owner: MonitorOwner, id: string, url: string | null, numbers: Numbers) => Promise<unknown>,
    ][])("goes to the present webhook at once, or nowhere: %s", async (_how, change) => {
      const { owner, numbers, monitors } = await watch(URL, 2);
      const [moved, stays] = monitors.map(({ id }) => id);
      await changesOf(store, numbers);
      await deliver(store, owner);
      await sendTest(owner, moved);
      const claimed = await claimAll();
      const inProgress = claimed.find(({ payload }) => payload.includes(numbers[0] ?? "none"));
      if (inProgress === undefined) throw new Error("no message is due");
      const others = claimed.filter(({ id }) => id !== inProgress.id);
      for (const message of others) expect(await fail(message, HOUR_MS, { pauseMs: HOUR_MS })).toBe(true);
      await change(owner, moved ?? "", OTHER, numbers.slice(0, 1));
      // Also the one being delivered: it may have gone to the old address only.
      await end(inProgress);
      expect(await fail(inProgress)).toBe(true);
      const waiting = await claimAll();
      expect(urlsOf(waiting)).toEqual([OTHER, OTHER]);
      expect(waiting.map(({ failures }) => failures)).toEqual([0, 0]);
      expect(await statusOf(owner, OTHER)).toMatchObject({ waiting: 2 });
      expect(await statusOf(owner)).toMatchObject({ waiting: 1 });
      await change(owner, moved ?? "", null, numbers.slice(0, 1));
      await pass(HOUR_MS);
      expect(urlsOf(await claimAll())).toEqual([URL]);
      expect(await store.monitors.monitor(owner, stays ?? "")).toMatchObject({ webhook: URL });
    });

    it("keeps its pause when its monitor gets the same webhook again", async () => {
      const { owner, numbers, monitors } = await watch();
      await changesOf(store, numbers);
      await deliver(store, owner);
      expect(await fail(await claimOne(), HOUR_MS, { pauseMs: HOUR_MS })).toBe(true);
      await store.monitors.changeMonitor(owner, monitors[0]?.id ?? "", { webhook: URL });
      expect(await claimAll()).toEqual([]);
      await pass(HOUR_MS);
      expect(await claimAll()).toHaveLength(1);
    });

    it("has a new life at a new address, which its first failure does not disable", async () => {
      const { owner, numbers, monitors } = await watch();
      await changesOf(store, numbers);
      await deliver(store, owner);
      expect(await fail(await claimOne(), 3 * DAY_MS - 1)).toBe(true);
      await pass(3 * DAY_MS - HOUR_MS);
      await store.monitors.changeMonitor(owner, monitors[0]?.id ?? "", { webhook: OTHER });
      expect(await fail(await claimOne(), DAY_MS)).toBe(true);
      expect(await statusOf(owner, OTHER)).not.toHaveProperty("disabledAtMs");
    });

    it("is dropped with its monitor, and so is its test", async () => {
      const [gone, stays] = [await watch(), await watch()];
      for (const { owner, numbers, monitors } of [gone, stays]) {
        await changesOf(store, numbers);
        await deliver(store, owner);
        await sendTest(owner, monitors[0]?.id);
      }
      expect(await store.monitors.removeMonitor(gone.owner, gone.monitors[0]?.id ?? "")).toBe(true);
      const accounts = (await claimAll()).map(({ accountId }) => accountId);
      expect(accounts).toEqual([stays.owner.accountId, stays.owner.accountId]);
    });

    it("that is sent again follows its monitor as well", async () => {
      const { owner, numbers, monitors } = await watch();
      await changesOf(store, numbers);
      await deliver(store, owner);
      await end(await claimOne());
      const [event] = await eventsOf(store, owner);
      expect(await store.monitors.redeliver(owner, event?.id ?? "")).toBe(true);
      await store.monitors.changeMonitor(owner, monitors[0]?.id ?? "", { webhook: OTHER });
      expect(urlsOf(await claimAll())).toEqual([OTHER]);
    });
  });

  describe("a busy address", () => {
    it("gets no message of its account until its pause ends, and every other address gets its own", async () => {
      const [owner, other] = [(await watch()).owner, (await watch()).owner];
      await endList(owner, URL);
      expect(await fail(await claimOne(), HOUR_MS, { pauseMs: HOUR_MS })).toBe(true);
      for (const [who, url] of [
        [owner, URL],
        [owner, URL],
        [owner, OTHER],
        [other, URL],
      ] as const)
        await endList(who, url);
      const due = await claimAll();
      expect(due.map(({ accountId, url }) => `${accountId} ${url}`).sort()).toEqual(
        [`${owner.accountId} ${OTHER}`, `${other.accountId} ${URL}`].sort(),
      );
      for (const message of due) await end(message);
      expect(await statusOf(owner)).toMatchObject({ pausedUntilMs: fixture.nowMs + HOUR_MS });
      await pass(HOUR_MS - 1);
      expect(await claimAll()).toEqual([]);
      await pass(1);
      expect(await claimAll()).toHaveLength(3);
      expect(await statusOf(owner)).not.toHaveProperty("pausedUntilMs");
    });

    it("counts its failures until it accepts a message", async () => {
      const { owner } = await watch();
      const failures: number[] = [];
      for (const isAccepted of [false, false, true, false]) {
        await endList(owner, URL);
        const message = await claimOne();
        failures.push(message.addressFailures);
        if (isAccepted) await end(message);
        else await fail(message, DAY_MS - 1);
      }
      expect(failures).toEqual([0, 1, 2, 0]);
    });

    it("gets a message a last time at the end of its life, and no later", async () => {
      const { owner } = await watch();
      await endList(owner, URL);
      const attempts: number[] = [];
      const begunMs = fixture.nowMs;
      for (let isRetried = true; isRetried; ) {
        attempts.push((fixture.nowMs - begunMs) / HOUR_MS);
        isRetried = await fail(await claimOne(), 7 * HOUR_MS, { pauseMs: 7 * HOUR_MS });
        const next = (await statusOf(owner))?.pausedUntilMs;
        if (isRetried) await pass((next ?? 0) - fixture.nowMs);
      }
      expect(attempts).toEqual([0, 7, 14, 21, 24]);
      expect(await statusOf(owner)).not.toHaveProperty("disabledAtMs");
    });

    it("lets messages expire that it never got, and no others", async () => {
      const { owner } = await watch();
      for (let nth = 0; nth < 30; nth += 1) await endList(owner, URL);
      await pass(20 * HOUR_MS);
      await endList(owner, URL);
      await pass(4 * HOUR_MS);
      expect(await statusOf(owner)).toMatchObject({ waiting: 31 });
      expect(await fail(await claimOne(), HOUR_MS, { pauseMs: HOUR_MS })).toBe(false);
      expect(await statusOf(owner)).toMatchObject({ waiting: 1 });
    });

    it("is paused no longer than by a clock that is right", async () => {
      const { owner } = await watch();
      await endList(owner, URL);
      await claimAll({ tiers: ["endless"] });
      fixture.nowMs += 365 * DAY_MS;
      expect(await fail(await claimOne(), HOUR_MS, { pauseMs: HOUR_MS })).toBe(true);
      fixture.nowMs -= 365 * DAY_MS;
      expect(await claimAll()).toHaveLength(1);
    });
  });

  describe("an address that is gone", () => {
    it("is disabled at once with a mail, loses its messages, and can be enabled, of this account only", async () => {
      const [one, other] = [await watch(), await watch()];
      for (const { owner, numbers } of [one, other]) {
        for (const recency of [1, 2]) await changesOf(store, numbers, recency);
        await deliver(store, owner);
        await endList(owner, URL);
      }
      const messages = await claimAll();
      const own = messages.filter(({ accountId }) => accountId === one.owner.accountId);
      const [first, ...others] = own;
      if (first === undefined) throw new Error("no message is due");
      for (const message of others) await fail(message, HOUR_MS);
      expect(await fail(first, HOUR_MS, "gone")).toBe(false);
      expect(await statusOf(one.owner)).toMatchObject({ disabledAtMs: fixture.nowMs, waiting: 0 });
      expect(await statusOf(other.owner)).toMatchObject({ waiting: 3 });
      expect(await statusOf(other.owner)).not.toHaveProperty("disabledAtMs");
      expect(await store.people.disabledWebhooks(10)).toMatchObject([{ accountId: one.owner.accountId }]);
      // Its events are recorded, and no message is queued.
      await changesOf(store, one.numbers, 3);
      await deliver(store, one.owner);
      expect(await statusOf(one.owner)).toMatchObject({ waiting: 0 });
      const { id = "" } = one.monitors[0] ?? {};
      expect(await store.monitors.changeMonitor(one.owner, id, { webhook: URL })).not.toHaveProperty(
        "webhookDisabledAtMs",
      );
      expect(await sendTest(one.owner, id)).toBe(true);
    });

    it("of a list gets nothing of lists that are open, and is enabled by a new list, with one mail", async () => {
      const { owner } = await watch();
      const later = await begun(store, owner, 1, { webhook: OTHER });
      const [order, bounds] = [
        { kind: "webhook-disabled", accountId: owner.accountId, language: "nl" } as const,
        { maxWaiting: 100, maxToOneAddress: 10 },
      ];
      const mails: string[] = [];
      for (const nth of [1, 2]) {
        await endList(owner, OTHER);
        expect(await fail(await claimOne(), HOUR_MS, "gone")).toBe(false);
        mails.push(await store.people.addOnce({ id: `mail ${nth}`, ...order }, "hash", bounds));
      }
      expect(mails).toEqual(["added", "repeated"]);
      await store.jobs.changeList(owner.accountId, later.id, { kind: "cancel" });
      expect(await claimAll()).toEqual([]);
      await endList(owner, OTHER);
      await end(await claimOne());
      await endList(owner, OTHER);
      expect(await fail(await claimOne(), HOUR_MS, "gone")).toBe(false);
      expect(await store.people.addOnce({ id: "mail 3", ...order }, "hash", bounds)).toBe("added");
    });
  });

  it("gives the addresses of an account their turns, however many messages wait for one", async () => {
    const { owner } = await watch();
    for (let nth = 0; nth < 30; nth += 1) await endList(owner, URL);
    const others = Array.from({ length: 5 }, (_, nth) => `${OTHER}/${nth}`);
    for (const url of others) await endList(owner, url);
    const served: string[] = [];
    for (let nth = 0; nth < 6; nth += 1) {
      const message = await claimOne();
      served.push(message.url);
      fixture.nowMs += 1;
      // Not claimed again at once.
      await fail(message, HOUR_MS);
    }
    expect(served.sort()).toEqual([URL, ...others].sort());
  });
}

type Numbers = Parameters<typeof monitor>[2];
