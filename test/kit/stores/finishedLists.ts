import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { ClaimedMessage } from "../../../src/webhooks/claimed.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";
import {
  BOUNDS,
  begun,
  charged,
  chunk,
  DAY_MS,
  LEASE_MS,
  newList,
  newOwner,
  sweepAll,
  TERMS,
} from "./listFixture.ts";

const MARCH = "2026-03-15T12:00:30.000Z";

/** Finished lists: filtered by the suppression list, sent to webhooks, and deleted after their time. */
export function endsOfLists(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  beforeAll(async () => {
    fixture = new StoreFixture(open, MARCH);
    store = await fixture.connect();
  });
  beforeEach(() => sweepAll(fixture, store));
  afterAll(() => fixture.close());

  it("have their results filtered again by the suppression list, for one list or any", async () => {
    const owner = await newOwner(fixture, store);
    const { id } = await begun(store, owner, 20);
    await store.jobs.claimList(LEASE_MS);
    await charged(store, owner, chunk(id, 0, 1));
    await charged(store, owner, chunk(id, 1, 1, { block: 1, mark: "2 2" }));
    expect(await store.jobs.staleResults("2 2", 10, id)).toMatchObject([
      { jobId: id, kind: "lookup", step: 0 },
    ]);
    expect(await store.jobs.staleResults("2 2", 10, "job_0")).toEqual([]);
    const renewed = { jobId: id, step: 0, lines: "{}\n", jsonlBytes: 3, csvBytes: 1 };
    await store.jobs.renewResults({ ...renewed, staleMark: "1 1", mark: "2 2" });
    // By a process that read them earlier, with an older list.
    const older = { ...renewed, lines: '{"older":1}\n' };
    await store.jobs.renewResults({ ...older, staleMark: "1 1", mark: "1 2" });
    expect(await store.jobs.staleResults("2 2", 10)).toEqual([]);
    expect(await store.jobs.results(id, 0)).toEqual({ step: 0, lines: "{}\n" });
  });

  it("are deleted when they are over: results after their time, cancelled and incomplete lists sooner", async () => {
    const owner = await newOwner(fixture, store);
    const { id } = await begun(store, owner, 10);
    await store.jobs.claimList(LEASE_MS);
    await charged(store, owner, chunk(id, 0, 1));
    await store.jobs.completeList(id, 1);
    await store.jobs.addList(newList(owner, 10), BOUNDS);
    const cancelled = await begun(store, owner, 5);
    await store.jobs.changeList(owner.accountId, cancelled.id, { kind: "cancel" });
    const waiting = await begun(store, owner, 10);
    const swept = async () => {
      while (await store.jobs.sweepLists(TERMS));
      return (await store.jobs.lists(owner.accountId)).map((list) => `${list.id} ${list.status}`).sort();
    };
    expect(await swept()).toEqual(
      [`${id} completed`, `${cancelled.id} cancelled`, `${waiting.id} queued`].sort(),
    );
    fixture.nowMs += 7 * DAY_MS - 1;
    expect(await swept()).toEqual([`${id} completed`, `${waiting.id} queued`].sort());
    expect(await store.jobs.resultSizes(id)).toHaveLength(1);
    expect(await store.jobs.list(owner.accountId, id)).toMatchObject({ status: "completed" });
    fixture.nowMs += 1;
    // A list that is being deleted is invisible.
    expect(await store.jobs.list(owner.accountId, id)).toBeUndefined();
    expect(await store.jobs.lists(owner.accountId)).toMatchObject([{ id: waiting.id }]);
    expect(await swept()).toEqual([`${waiting.id} queued`]);
    expect(await store.jobs.resultSizes(id)).toEqual([]);
    fixture.nowMs += 28 * DAY_MS;
    expect(await swept()).toEqual([`${waiting.id} expired`]);
    expect(await store.jobs.nextItems(waiting.id, 10)).toBeUndefined();
    // Incomplete and deleted lists no longer count.
    expect(await store.jobs.addList(newList(owner, 50), { ...BOUNDS, maxNumbersOfAll: 60 })).toBe("numbers");
    expect(await store.jobs.addList(newList(owner, 40), { ...BOUNDS, maxNumbersOfAll: 60 })).toBe("added");
  });

  it("are remembered for a day after cancellation, as they may be sent again, and listed for an hour", async () => {
    const owner = await newOwner(fixture, store);
    const terms = (nth: number) => ({
      id: `job_${owner.accountId}${nth}`,
      idPrefix: `job_${owner.accountId}`,
    });
    const add = (nth: number) => store.jobs.addList(newList(owner, 1, terms(nth)), BOUNDS);
    const { id } = await begun(store, owner, 1, terms(1));
    await store.jobs.changeList(owner.accountId, id, { kind: "cancel" });
    expect(await store.jobs.lists(owner.accountId)).toHaveLength(1);
    fixture.nowMs += DAY_MS - 1;
    while (await store.jobs.sweepLists(TERMS));
    expect(await store.jobs.lists(owner.accountId)).toEqual([]);
    expect(await store.jobs.list(owner.accountId, id)).toMatchObject({ status: "cancelled" });
    expect([await add(1), await add(2)]).toEqual(["repeated", "another"]);
    // The number remembered is limited.
    const other = await begun(store, owner, 1);
    await store.jobs.changeList(owner.accountId, other.id, { kind: "cancel" });
    expect(await store.jobs.addList(newList(owner, 1), BOUNDS)).toBe("cancelled");
    fixture.nowMs += 1;
    while (await store.jobs.sweepLists(TERMS));
    expect(await add(2)).toBe("added");
  });

  it("are deleted with their account", async () => {
    const owner = await newOwner(fixture, store);
    const { id } = await begun(store, owner, 20);
    await store.jobs.claimList(LEASE_MS);
    await charged(store, owner, chunk(id, 0, 1));
    expect(await store.people.deleteAccount(owner.accountId, `hash of ${owner.accountId}`, 0)).toBe(true);
    expect([await store.jobs.resultSizes(id), await store.jobs.nextItems(id, 10)]).toEqual([[], undefined]);
    expect(await charged(store, owner, chunk(id, 1, 1, { block: 1 }))).toBe("revoked");
    expect(await store.jobs.listCounts()).toEqual(expect.arrayContaining([{ status: "running", count: 0 }]));
  });

  it("are all listed, including the last hundred cancelled ones", async () => {
    const owner = await newOwner(fixture, store);
    const [first, bounds] = [newList(owner, 1), { ...BOUNDS, maxCancelled: 1_000 }];
    await store.jobs.addList(first, bounds);
    await store.jobs.beginList(first.id);
    for (let nth = 0; nth < 201; nth += 1) {
      fixture.nowMs += 1;
      const list = newList(owner, 1);
      await store.jobs.addList(list, bounds);
      await store.jobs.beginList(list.id);
      await store.jobs.changeList(owner.accountId, list.id, { kind: "cancel" });
    }
    const listed = await store.jobs.lists(owner.accountId);
    expect([listed.length, listed.at(-1)?.id]).toEqual([101, first.id]);
  });

  it("have webhooks signed by the previous secrets as well, a few of them, until each expires", async () => {
    const owner = await newOwner(fixture, store);
    const seeds = async () => (await store.webhooks.claimMessage(0))?.seeds;
    for (const seed of ["held", "lost", "sent"]) {
      await store.webhooks.rollWebhookSecret(owner.accountId, seed, DAY_MS / 2);
      fixture.nowMs += 1_000;
    }
    const { id } = await begun(store, owner, 5, { webhook: "https://example.com/hook" });
    await store.jobs.changeList(owner.accountId, id, { kind: "cancel" });
    expect(await seeds()).toEqual(["sent", "lost", "held"]);
    fixture.nowMs += DAY_MS / 2 - 2_000;
    expect(await seeds()).toEqual(["sent", "lost"]);
    for (let nth = 0; nth < 9; nth += 1) {
      await store.webhooks.rollWebhookSecret(owner.accountId, `again ${nth}`, DAY_MS / 2);
      fixture.nowMs += 1;
    }
    const last = await store.webhooks.claimMessage(0);
    expect(last?.seeds).toEqual(["again 8", "again 7", "again 6", "again 5"]);
    await store.webhooks.endMessage(last?.id ?? "", last?.claim ?? 0);
  });

  it("send no message to addresses in progress, those that failed last, or of accounts without a place", async () => {
    const [one, other] = [await newOwner(fixture, store), await newOwner(fixture, store)];
    const [URL, OTHER] = ["https://example.com/hook", "https://other.example/hook"];
    const endList = async (owner: typeof one, webhook: string) => {
      const list = newList(owner, 1, { webhook });
      expect(await store.jobs.addList(list, { ...BOUNDS, maxCancelled: 10 })).toBe("added");
      await store.jobs.beginList(list.id);
      await store.jobs.changeList(owner.accountId, list.id, { kind: "cancel" });
    };
    async function claimAll(except = {}): Promise<ClaimedMessage[]> {
      const claimed: ClaimedMessage[] = [];
      for (;;) {
        const next = await store.webhooks.claimMessage(1_000, except);
        if (next === undefined) return claimed;
        claimed.push(next);
      }
    }
    for (const owner of [one, other]) await store.webhooks.rollWebhookSecret(owner.accountId, "seed", DAY_MS);
    for (const owner of [one, other]) await endList(owner, URL);
    const [first, second] = await claimAll();
    if (first === undefined || second === undefined) throw new Error("no message is due");
    await store.webhooks.endMessage(second.id, second.claim);
    expect(await store.webhooks.deferMessage(first.id, first.claim, 0, "down")).toBe(true);
    const busy = first.accountId;
    for (const owner of [one, other]) for (const url of [URL, OTHER]) await endList(owner, url);
    const urls = async (except: object) => {
      const claimed = await claimAll(except);
      for (const { id, claim } of claimed) await store.webhooks.endMessage(id, claim);
      return claimed.map(({ accountId, url }) => [accountId === busy, url]);
    };
    const addresses = [one, other].map(({ accountId }) => ({ accountId, url: OTHER }));
    expect(await urls({ addresses, failing: [busy] })).toEqual([[false, URL]]);
    expect(await urls({ accounts: [busy], failing: "all" })).toEqual([[false, OTHER]]);
    expect(await urls({ failing: "all" })).toEqual([[true, OTHER]]);
    expect(await urls({ failing: [] })).toEqual([
      [true, URL],
      [true, URL],
    ]);
  });

  it("send one webhook, which one worker claims at a time, signed by the unexpired secrets", async () => {
    const [owner, other] = [await newOwner(fixture, store), await fixture.connect()];
    await store.webhooks.rollWebhookSecret(owner.accountId, "old", DAY_MS);
    fixture.nowMs += 1;
    await store.webhooks.rollWebhookSecret(owner.accountId, "new", DAY_MS);
    const { id } = await begun(store, owner, 5, { webhook: "https://example.com/hook" });
    await store.jobs.changeList(owner.accountId, id, { kind: "cancel" });
    await store.jobs.changeList(owner.accountId, id, { kind: "cancel" });
    const claims = await Promise.all(
      [store, other, store].map(({ webhooks }) => webhooks.claimMessage(1_000)),
    );
    const [message, ...rest] = claims.filter((one) => one !== undefined);
    expect([message, rest]).toMatchObject([
      { url: "https://example.com/hook", tierName: "endless", seeds: ["new", "old"], failures: 0 },
      [],
    ]);
    if (message === undefined) throw new Error("there is no message");
    expect(JSON.parse(message.payload)).toMatchObject({ type: "job.cancelled", data: { id } });
    expect(await store.webhooks.deferMessage(message.id, message.claim, 60_000, "down")).toBe(true);
    expect(await store.webhooks.claimMessage(1_000)).toBeUndefined();
    fixture.nowMs += 60_000;
    const again = await store.webhooks.claimMessage(1_000);
    expect(again).toMatchObject({ id: message.id, failures: 1 });
    await store.webhooks.endMessage(message.id, message.claim);
    // In steps that a clock without a fault makes.
    for (let hour = 0; hour < 24; hour += 3) {
      fixture.nowMs += DAY_MS / 8;
      await store.webhooks.claimMessage(0);
    }
    const last = await store.webhooks.claimMessage(1_000);
    expect(last).toMatchObject({ id: message.id, seeds: ["new"] });
    expect(await store.webhooks.deferMessage(message.id, last?.claim ?? 0, 1, "down")).toBe(false);
    fixture.nowMs += DAY_MS;
    expect(await store.webhooks.claimMessage(1_000)).toBeUndefined();
  });
}
