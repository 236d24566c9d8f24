import { afterAll, beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { newEventId } from "../../../src/monitors/changeEvent.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";
import { begun, newOwner } from "./listFixture.ts";
import { watching } from "./monitorFixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const LEASE_MS = 60_000;
const AHEAD_MS = 1_800_000;

interface LeasedWork {
  readonly add: (fixture: StoreFixture, store: StateStore) => Promise<void>;
  /** @returns the number of the claim; undefined if there is nothing to claim */
  readonly claim: (store: StateStore) => Promise<number | undefined>;
}

const WORK: Readonly<Record<string, LeasedWork>> = {
  "a list": {
    add: async (fixture, store) => void (await begun(store, await newOwner(fixture, store), 1)),
    claim: async ({ jobs }) => (await jobs.claimList(LEASE_MS))?.claim,
  },
  "a mail": {
    add: async (_, { people }) => {
      const mail = { kind: "reset", language: "en", id: "mail_1", email: "a@fabel.example" } as const;
      await people.addMail(mail, "hash", { maxWaiting: 1, maxToOneAddress: 1 });
    },
    claim: async ({ people }) => {
      const mail = await people.claimMail({ tokenHash: "hash", leaseMs: LEASE_MS });
      return mail?.outcome === "send" ? mail.claim : undefined;
    },
  },
  "a webhook message": {
    add: async (fixture, store) => {
      const webhook = "https://fabel.example/hook";
      const { owner, monitors } = await watching(fixture, store, "endless", 1, { webhook });
      await store.monitors.addTestEvent(owner, { id: newEventId(), monitorId: monitors[0]?.id ?? "" });
    },
    claim: async ({ webhooks }) => (await webhooks.claimMessage(LEASE_MS))?.claim,
  },
  "a turn": {
    add: async () => {},
    claim: async ({ turns }) => {
      const turn = await turns.takeTurn("monitors", LEASE_MS, 0);
      return typeof turn === "number" ? undefined : turn.claim;
    },
  },
};

/** The guarantees of every kind of shared work. */
export function leasedWork(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  const opened: StoreFixture[] = [];
  beforeEach(async () => {
    fixture = new StoreFixture(open, NOW);
    opened.push(fixture);
    store = await fixture.connect();
  });
  afterAll(() => Promise.all(opened.map((each) => each.close())));

  it.each(Object.entries(WORK))(
    "is claimed by one of many processes, and again when its lease is over: %s",
    async (_, { add, claim }) => {
      await add(fixture, store);
      const stores = [store, await fixture.connect(), await fixture.connect()];
      const claims = await Promise.all([...stores, ...stores].map(claim));
      expect(claims.filter((one) => one !== undefined)).toEqual([1]);
      fixture.nowMs += LEASE_MS - 1;
      expect(await claim(store)).toBeUndefined();
      fixture.nowMs += 1;
      expect(await claim(store)).toBe(2);
    },
  );

  it.each(Object.entries(WORK))(
    "is not held by a claim of a clock that was ahead: %s",
    async (_, { add, claim }) => {
      await add(fixture, store);
      fixture.nowMs += AHEAD_MS;
      expect(await claim(store)).toBe(1);
      fixture.nowMs -= AHEAD_MS;
      expect(await claim(store)).toBe(2);
    },
  );

  it.each(["a list", "a turn"])("is free at once when its process was killed: %s", async (kind) => {
    const { add, claim } = WORK[kind] ?? expect.fail("no such work");
    await add(fixture, store);
    expect(await claim(store)).toBe(1);
    await store.turns.freeLeases();
    expect(await claim(store)).toBe(2);
  });
}
