import { expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { CALL_RETENTION_MS, MAX_CALLS, type RecordedCall } from "../../../src/metering/recordedCalls.ts";
import type { OpenStore } from "./fixture.ts";
import { setFixture } from "./personBuilder.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const ALL = { offset: 0, limit: 5_000 };

/** The recent calls of accounts: visibility, number and retention. */
export function recentCalls(open: OpenStore): void {
  let store: StateStore;
  const { fixture } = setFixture(open, NOW, (opened) => {
    store = opened;
  });
  const call = (keyId: string, index: number, more: Partial<RecordedCall> = {}): RecordedCall => ({
    atMs: fixture.nowMs + index,
    requestId: `${keyId} ${index}`,
    keyId,
    operation: "lookup",
    status: 200,
    code: undefined,
    tokens: 1,
    durationUs: 1_234,
    ...more,
  });

  it("are listed newest first, by key, status and operation", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "large", 2);
    const [one = "", other = ""] = keyIds;
    const made = [
      call(one, 1),
      call(one, 2, { status: 404, code: "NOT_FOUND", tokens: 0 }),
      call(other, 3, { operation: "validate", status: 502, code: "UPSTREAM_ERROR", tokens: 0 }),
    ];
    await store.calls.addCalls(
      [made[1], made[0], made[2], call("key_none", 4)].flatMap((it) => it ?? []),
      [],
    );
    // A write whose response was lost and is repeated is stored once.
    await store.calls.addCalls(made, []);
    const calls = await store.calls.calls(accountId, 0, {}, ALL);
    expect(calls).toEqual({ calls: [...made].reverse(), total: 3, keyIds: [one, other].sort() });
    const ids = async (filter: Parameters<StateStore["calls"]["calls"]>[2]) =>
      (await store.calls.calls(accountId, 0, filter, ALL)).calls.map(({ status }) => status);
    expect(await ids({ keyId: one })).toEqual([404, 200]);
    expect(await ids({ operation: "validate" })).toEqual([502]);
    expect(await ids({ statuses: { from: 400, to: 499 } })).toEqual([404]);
    expect(await ids({ keyId: other, statuses: { from: 200, to: 200 } })).toEqual([]);
    expect((await store.calls.calls(accountId, fixture.nowMs + 2, {}, ALL)).total).toBe(1);
    const page = await store.calls.calls(accountId, 0, {}, { offset: 1, limit: 1 });
    expect([page.calls.map(({ status }) => status), page.total]).toEqual([[404], 3]);
    const stranger = await fixture.addAccount(store, "large");
    expect(await store.calls.calls(stranger.accountId, 0, {}, ALL)).toEqual({
      calls: [],
      total: 0,
      keyIds: [],
    });
  });

  it("are the last thousand, of seven days, until the account is deleted", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "large");
    const [key = ""] = keyIds;
    for (let from = 0; from < MAX_CALLS + 100; from += 100) {
      await store.calls.addCalls(
        Array.from({ length: 100 }, (_, index) => call(key, from + index)),
        [],
      );
    }
    const last = async () => store.calls.calls(accountId, 0, {}, ALL);
    expect(await last()).toMatchObject({ total: MAX_CALLS });
    await store.calls.addCalls([], [accountId]);
    expect((await last()).calls.at(-1)?.requestId).toBe(`${key} 100`);
    const terms = { idleMs: 1, knownSinceMs: 0, month: 0 };
    await store.people.deleteExpired({ nowMs: fixture.nowMs + 100 + CALL_RETENTION_MS, ...terms });
    expect((await last()).total).toBe(MAX_CALLS - 1);
    await store.people.deleteAccount(accountId, "hash", 0);
    expect((await last()).total).toBe(0);
    // Pending calls of a deleted account are dropped.
    await store.calls.addCalls([call(key, 5_000)], [accountId]);
    expect((await last()).total).toBe(0);
  });
}
