import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { ListBounds } from "../../../src/jobs/stored.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";
import {
  BOUNDS,
  begun,
  DAY_MS,
  FREE_TIER,
  newList,
  newOwner,
  type Owner,
  sweepAll,
  TERMS,
} from "./listFixture.ts";

const MARCH = "2026-03-15T12:00:30.000Z";
/** A count of all numbers is cached for at most this long. */
const COUNTED_EVERY_MS = 30_000;

/** Limits on the numbers in lists: per account by its tier, for all free tiers together, and for all. */
export function placesOfLists(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  let other: StateStore;
  beforeAll(async () => {
    fixture = new StoreFixture(open, MARCH);
    store = await fixture.connect();
    other = await fixture.connect();
  });
  beforeEach(() => sweepAll(fixture, store));
  afterAll(() => fixture.close());

  const owners = (count: number, tier?: string) =>
    Promise.all(Array.from({ length: count }, () => newOwner(fixture, store, tier)));

  /** Adds one list per owner, all at once. */
  const addAtOnce = async (all: readonly Owner[], sent: number, bounds: Partial<ListBounds>) => {
    const added = await Promise.all(
      all.map((owner) => store.jobs.addList(newList(owner, sent), { ...BOUNDS, ...bounds })),
    );
    return added.toSorted();
  };
  const times = (count: number, outcome: string) => Array<string>(count).fill(outcome);

  it("are shared by free tiers up to a fraction, exactly, which leaves the rest to others", async () => {
    const bounds = { maxNumbersOfFree: 100, maxNumbersOfAll: 200 };
    const free = await owners(12, FREE_TIER);
    const paying = await owners(4);
    expect(await addAtOnce(free, 20, bounds)).toEqual([...times(5, "added"), ...times(7, "full")]);
    expect(await addAtOnce(paying, 30, bounds)).toEqual([...times(3, "added"), ...times(1, "full")]);
  });

  it("are counted again when lists end and when accounts change their tier", async () => {
    const bounds = { ...BOUNDS, maxNumbersOfFree: 40 };
    const [first, second, third] = await owners(3, FREE_TIER);
    if (first === undefined || second === undefined || third === undefined) throw new Error("no owners");
    const { id } = await begun(store, first, 20);
    await begun(store, second, 20);
    fixture.nowMs += 1_000;
    const add = () => store.jobs.addList(newList(third, 20), bounds);
    expect(await add()).toBe("full");
    await store.jobs.changeList(first.accountId, id, { kind: "cancel" });
    fixture.nowMs += 1_000;
    expect(await add()).toBe("added");
    expect(await store.jobs.addList(newList(first, 20), bounds)).toBe("full");
    await store.accounts.setTier(third.accountId, "endless");
    fixture.nowMs += COUNTED_EVERY_MS;
    expect(await other.jobs.addList(newList(first, 20), bounds)).toBe("added");
  });

  it("follow the account's current tier, however many lists arrive at once", async () => {
    const [owner] = await owners(1, FREE_TIER);
    if (owner === undefined) throw new Error("no owner");
    expect(await addAtOnce([owner], 21, {})).toEqual(["numbers"]);
    expect(await addAtOnce([owner, owner, owner], 10, {})).toEqual(["added", "added", "numbers"]);
    await store.accounts.setTier(owner.accountId, "endless");
    expect(await addAtOnce([owner], 30, {})).toEqual(["added"]);
  });

  it("are released by lists of free tiers that have not ended after some days", async () => {
    const [free] = await owners(1, FREE_TIER);
    const [paying] = await owners(1);
    const [upgraded] = await owners(1, FREE_TIER);
    if (free === undefined || paying === undefined || upgraded === undefined) throw new Error("no owners");
    for (const owner of [free, paying, upgraded]) {
      const { id } = await begun(store, owner, 10);
      await store.jobs.changeList(owner.accountId, id, { kind: "pause" });
    }
    await store.accounts.setTier(upgraded.accountId, "endless");
    const statuses = async () => {
      while (await store.jobs.sweepLists(TERMS));
      const lists = await Promise.all(
        [free, paying, upgraded].map(({ accountId }) => store.jobs.lists(accountId)),
      );
      return lists.map(([list]) => list?.status);
    };
    fixture.nowMs += 3 * DAY_MS - 1;
    expect(await statuses()).toEqual(["paused", "paused", "paused"]);
    fixture.nowMs += 1;
    expect(await statuses()).toEqual(["expired", "paused", "paused"]);
    fixture.nowMs += 32 * DAY_MS;
    expect(await statuses()).toEqual([undefined, "expired", "expired"]);
  });
}
