import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { decisions, type OpenStore, reserve, StoreFixture, settle } from "./fixture.ts";
import {
  BOUNDS,
  begun,
  charged,
  chunk,
  LEASE_MS,
  newList,
  newOwner,
  type Owner,
  sweepAll,
} from "./listFixture.ts";

const MARCH = "2026-03-15T12:00:30.000Z";

/** Lists in progress: each number is processed once, by one worker at a time. */
export function lists(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  beforeAll(async () => {
    fixture = new StoreFixture(open, MARCH);
    store = await fixture.connect();
  });
  beforeEach(() => sweepAll(fixture, store));
  afterAll(() => fixture.close());

  const used = async ({ accountId }: Owner) => (await store.ledger.spent(accountId))?.used ?? 0;

  it("are visible to their account once they have begun, newest first", async () => {
    const [owner, other] = [await newOwner(fixture, store), await newOwner(fixture, store)];
    const receiving = newList(owner, 5);
    await store.jobs.addList(receiving, BOUNDS);
    expect([
      await store.jobs.lists(owner.accountId),
      await store.jobs.list(owner.accountId, receiving.id),
    ]).toEqual([[], undefined]);
    const first = await begun(store, owner, 5, { maxTokens: 3, duplicates: 0 });
    fixture.nowMs += 1;
    const second = await begun(store, owner, 5);
    expect((await store.jobs.lists(owner.accountId)).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(await store.jobs.list(owner.accountId, first.id)).toMatchObject({
      maxTokens: 3,
      sent: 5,
      status: "queued",
    });
    expect(await store.jobs.list(other.accountId, first.id)).toBeUndefined();
    expect(await store.jobs.beginList(first.id)).toBeUndefined();
  });

  it("are accepted up to the account's limit, however many arrive at once", async () => {
    const [owner, wide] = [await newOwner(fixture, store), await newOwner(fixture, store)];
    const all = await Promise.all(
      Array.from({ length: 8 }, () => store.jobs.addList(newList(owner, 5), BOUNDS)),
    );
    expect(all.toSorted()).toEqual([...Array(3).fill("added"), ...Array(5).fill("open")]);
    const many = await Promise.all([30, 30].map((sent) => store.jobs.addList(newList(wide, sent), BOUNDS)));
    expect(many.toSorted()).toEqual(["added", "numbers"]);
    const hook = newList(await newOwner(fixture, store), 1, { webhook: "https://example.com/x" });
    expect(await store.jobs.addList(hook, BOUNDS)).toBe("no-secret");
    expect(
      await store.jobs.addList(newList(await newOwner(fixture, store), 1), {
        ...BOUNDS,
        maxNumbersOfAll: 1,
      }),
    ).toBe("full");
  });

  it("are leased to one of many workers, to the next when released or expired, in turns among accounts", async () => {
    const [owner, second, other] = [
      await newOwner(fixture, store),
      await newOwner(fixture, store),
      await fixture.connect(),
    ];
    const list = await begun(store, owner, 5);
    await begun(store, owner, 5);
    const claimed = await Promise.all(
      [store, other, store, other].map(({ jobs }) => jobs.claimList(LEASE_MS)),
    );
    const [first] = claimed.filter((one) => one !== undefined);
    expect(claimed.filter((one) => one !== undefined)).toHaveLength(1);
    expect(first).toMatchObject({ id: list.id, claim: 1, step: 0, status: "running" });
    fixture.nowMs += 1;
    const its = await begun(store, second, 5);
    expect(await store.jobs.claimList(LEASE_MS)).toMatchObject({ id: its.id });
    fixture.nowMs += LEASE_MS;
    expect(await other.jobs.claimList(LEASE_MS)).toMatchObject({ id: list.id, claim: 2 });
    expect(await store.jobs.extendClaim(list.id, 1, LEASE_MS)).toBe(false);
    expect(await store.jobs.extendClaim(list.id, 2, LEASE_MS)).toBe(true);
    await store.jobs.releaseList(list.id, 1, { reason: "cap" });
    expect(await store.jobs.list(owner.accountId, list.id)).toMatchObject({ status: "running" });
    await store.jobs.releaseList(list.id, 2, { reason: "allowance", claimableAfterMs: 60_000 });
    expect(await store.jobs.list(owner.accountId, list.id)).toMatchObject({
      status: "paused",
      reason: "allowance",
    });
  });

  it("are claimed by the next worker at once after a release, even if a renewal of the claim arrives late", async () => {
    const owner = await newOwner(fixture, store);
    const { id } = await begun(store, owner, 5);
    await store.jobs.claimList(LEASE_MS);
    await store.jobs.releaseList(id, 1, {});
    expect(await store.jobs.extendClaim(id, 1, LEASE_MS)).toBe(false);
    expect(await store.jobs.claimList(LEASE_MS)).toMatchObject({ id, claim: 2 });
    await store.jobs.releaseList(id, 2, { reason: "cap" });
  });

  it("return their numbers in order, retries when due, and end when none is left", async () => {
    const owner = await newOwner(fixture, store);
    const { id, numbers } = await begun(store, owner, 13);
    await store.jobs.claimList(LEASE_MS);
    expect(await store.jobs.nextItems(id, 10)).toEqual({
      block: 0,
      taken: 0,
      attempt: 0,
      items: numbers.slice(0, 10),
    });
    await charged(store, owner, chunk(id, 0, 1, { taken: 4, found: 4 }));
    expect(await store.jobs.nextItems(id, 3)).toMatchObject({
      block: 0,
      taken: 4,
      items: numbers.slice(4, 7),
    });
    const toRetry = { numbers: '["number 4"]', size: 1, attempt: 1, retryAfterMs: 60_000 };
    await charged(store, owner, chunk(id, 1, 1, { taken: 10, found: 5, toRetry }));
    await charged(store, owner, chunk(id, 2, 1, { block: 1, taken: 3, found: 2, failed: 1 }));
    expect(await store.jobs.nextItems(id, 10)).toEqual({ dueInMs: 60_000 });
    fixture.nowMs += 60_000;
    expect(await store.jobs.nextItems(id, 10)).toEqual({
      block: 2,
      taken: 0,
      attempt: 1,
      items: ["number 4"],
    });
    await charged(store, owner, chunk(id, 3, 1, { block: 2, taken: 1, found: 1 }));
    expect(await store.jobs.nextItems(id, 10)).toBeUndefined();
    expect([await store.jobs.completeList(id, 9), await store.jobs.completeList(id, 1)]).toEqual([
      false,
      true,
    ]);
    expect(await store.jobs.list(owner.accountId, id)).toMatchObject({
      status: "completed",
      found: 12,
      failed: 1,
      charged: 12,
      endedAtMs: fixture.nowMs,
    });
    expect(await store.jobs.completeList(id, 1)).toBe(false);
    expect((await store.jobs.resultSizes(id)).map(({ step }) => step)).toEqual([0, 1, 2, 3]);
  });

  it("store and charge a chunk once for concurrent submissions, and refuse one from a worker without the lease", async () => {
    const [owner, other] = [await newOwner(fixture, store), await fixture.connect()];
    const { id } = await begun(store, owner, 20);
    await store.jobs.claimList(LEASE_MS);
    const part = chunk(id, 0, 1);
    const ids = Array.from({ length: 6 }, (_, nth) => `${id} by ${nth}`);
    await store.metering.apply(ids.map((reservation) => reserve(owner.keyId, reservation, 10)));
    const settled = await Promise.all(
      ids.map((reservation, nth) =>
        decisions(
          (nth % 2 === 0 ? store : other).metering.apply([
            { ...settle(owner.keyId, reservation, 10), chunk: part },
          ]),
        ),
      ),
    );
    const settledOutcomes = settled.flat().map(({ outcome }) => outcome);
    expect(settledOutcomes.filter((outcome) => outcome === "granted")).toHaveLength(1);
    expect(await used(owner)).toBe(10);
    expect(await store.jobs.resultSizes(id)).toEqual([
      { step: 0, jsonlBytes: 160, csvBytes: 20, mark: "1 1" },
    ]);
    expect((await store.jobs.results(id, 0))?.lines).toBe(part.lines);
    for (const wrong of [chunk(id, 1, 2), chunk(id, 0, 1), chunk(id, 2, 1)]) {
      expect(await charged(store, owner, wrong)).not.toContain("granted");
    }
    await store.jobs.changeList(owner.accountId, id, { kind: "cancel" });
    expect(await charged(store, owner, chunk(id, 1, 1))).not.toContain("granted");
    expect([await used(owner), await store.jobs.resultSizes(id)]).toEqual([10, []]);
  });

  it("pause and resume as their caller requests, and at the cap only with a higher one", async () => {
    const owner = await newOwner(fixture, store);
    const { id } = await begun(store, owner, 5, { maxTokens: 1 });
    const change = (terms: Parameters<StateStore["jobs"]["changeList"]>[2]) =>
      store.jobs.changeList(owner.accountId, id, terms);
    expect(await change({ kind: "pause" })).toMatchObject({ status: "paused", reason: "caller" });
    expect(await store.jobs.claimList(LEASE_MS)).toBeUndefined();
    expect(await change({ kind: "resume", keyId: owner.keyId })).toMatchObject({ status: "queued" });
    await store.jobs.claimList(LEASE_MS);
    await charged(store, owner, chunk(id, 0, 1, { taken: 1, found: 1 }));
    await store.jobs.releaseList(id, 1, { reason: "cap" });
    expect(await change({ kind: "resume", keyId: owner.keyId })).toBe("cap");
    const other = await fixture.addKey(store, owner.accountId);
    expect(await change({ kind: "resume", keyId: other, maxTokens: 9 })).toMatchObject({
      status: "running",
      keyId: other,
      maxTokens: 9,
    });
    // A test key cannot take over a live key's list.
    expect(await change({ kind: "resume", keyId: "test", isTest: true })).toMatchObject({ keyId: other });
    expect(await change({ kind: "cancel" })).toMatchObject({ status: "cancelled" });
    expect(await change({ kind: "resume", keyId: other })).toBe("ended");
    expect(
      await store.jobs.changeList((await newOwner(fixture, store)).accountId, id, { kind: "cancel" }),
    ).toBeUndefined();
  });

  it("run again with the first numbers processed after a pause, unless their caller paused them", async () => {
    const owner = await newOwner(fixture, store);
    const { id } = await begun(store, owner, 30);
    await store.jobs.claimList(LEASE_MS);
    await store.jobs.releaseList(id, 1, { reason: "allowance", claimableAfterMs: 0 });
    expect(await store.jobs.claimList(LEASE_MS)).toMatchObject({ status: "paused", reason: "allowance" });
    expect(await charged(store, owner, chunk(id, 0, 2))).toContain("granted");
    const running = await store.jobs.list(owner.accountId, id);
    expect([running?.status, running?.reason]).toEqual(["running", undefined]);
    await store.jobs.changeList(owner.accountId, id, { kind: "pause" });
    expect(await charged(store, owner, chunk(id, 1, 2, { block: 1 }))).toContain("granted");
    expect(await store.jobs.list(owner.accountId, id)).toMatchObject({ status: "paused", reason: "caller" });
  });
}
