import { expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { lastUse, sumsByDay, sumsByKey, sumsByMonth } from "../../../src/metering/ledgerReads.ts";
import type { FailedCount } from "../../../src/metering/recordedCalls.ts";
import { NO_FIGURES } from "../../../src/metering/usage.ts";
import { call, type OpenStore } from "./fixture.ts";
import { AT_ONCE, atOnce, setFixture } from "./personBuilder.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const DAY = "2026-05-05";
const [FIRST, LAST] = ["2026-05-01", "2026-05-31"];

/** Failed calls: reported next to the ledger's figures, and without effect on decisions. */
export function failedCalls(open: OpenStore): void {
  let store: StateStore;
  const { fixture } = setFixture(open, NOW, (opened) => {
    store = opened;
  });
  const count = (keyId: string, more: Partial<FailedCount> = {}): FailedCount => ({
    keyId,
    day: DAY,
    operation: "lookup",
    byCaller: 1,
    byService: 0,
    ...more,
  });

  it("are reported by key, day and operation in every sum of the account, and cost nothing", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "large", 2);
    const [one = "", other = ""] = keyIds;
    await store.metering.apply([call(one, 2), call(one, 0)]);
    await store.calls.addFailedCalls([
      count(one, { byService: 3 }),
      count(one, { day: "2026-05-06", operation: "other" }),
      count(other, { operation: "validate", byCaller: 0, byService: 1 }),
      count("key_none"),
    ]);
    await store.calls.addFailedCalls([count(one)]);
    await store.calls.addFailedCalls([]);
    const used = { ...NO_FIGURES, requests: 2, tokens: 2, failedByCaller: 2, failedByService: 3 };
    const validated = { ...NO_FIGURES, failedByService: 1 };
    const nextDay = { ...NO_FIGURES, failedByCaller: 1 };
    const lines = await store.ledger.lines(accountId, FIRST, LAST);
    expect(lines.slice(0, 2)).toEqual(
      [
        { keyId: one, day: DAY, operation: "lookup", ...used },
        { keyId: other, day: DAY, operation: "validate", ...validated },
      ].sort((first, second) => (first.keyId < second.keyId ? -1 : 1)),
    );
    expect(lines.slice(2)).toEqual([{ keyId: one, day: "2026-05-06", operation: "other", ...nextDay }]);
    expect(await sumsByDay(store.ledger, accountId, DAY, DAY)).toEqual([
      { day: DAY, operation: "lookup", ...used },
      { day: DAY, operation: "validate", ...validated },
    ]);
    const ofOne = { ...used, failedByCaller: 3 };
    expect(await sumsByKey(store.ledger, accountId, FIRST, LAST, { limit: 1 })).toEqual([
      { keyId: one, ...ofOne },
    ]);
    expect(await sumsByMonth(store.ledger, accountId, FIRST)).toEqual([
      { month: "2026-05", ...ofOne, failedByService: 4 },
    ]);
    expect(await lastUse(store.ledger, accountId, keyIds)).toEqual([{ keyId: one, day: DAY }]);
    expect(await store.ledger.spent(accountId)).toMatchObject({ used: 2 });
    const stranger = await fixture.addAccount(store, "large");
    expect(await store.ledger.lines(stranger.accountId, FIRST, LAST)).toEqual([]);
  });

  it("add up when many processes write concurrently, in any order", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "large", 3);
    await atOnce((index) => {
      const counts = keyIds.map((keyId) => count(keyId, { byService: 2 }));
      return store.calls.addFailedCalls(index % 2 === 0 ? counts : counts.reverse());
    });
    const lines = await store.ledger.lines(accountId, FIRST, LAST);
    expect(lines.map(({ failedByCaller, failedByService }) => [failedByCaller, failedByService])).toEqual(
      keyIds.map(() => [AT_ONCE, 2 * AT_ONCE]),
    );
  });

  it("are deleted with their account, and pending ones are dropped", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "large");
    const [key = ""] = keyIds;
    await store.calls.addFailedCalls([count(key)]);
    await store.people.deleteAccount(accountId, "hash of a deleted one", 0);
    await store.calls.addFailedCalls([count(key)]);
    expect(await store.ledger.lines(accountId, FIRST, LAST)).toEqual([]);
  });
}
