import { afterEach, describe, expect, it, vi } from "vitest";
import { RecentCalls } from "./recentCalls.ts";
import type { RecordedCall } from "./recordedCalls.ts";

const call = (index: number, keyId = "key_1"): RecordedCall => ({
  atMs: index,
  requestId: `r-${index}`,
  keyId,
  operation: "lookup",
  status: 200,
  code: undefined,
  tokens: 1,
  durationUs: 300,
});

/** Writes into a list, and can be made to fail or to be busy. */
function recentCalls() {
  const [written, trimmed, reported]: [RecordedCall[], string[], number[]] = [[], [], []];
  const now = { isBusy: false, isUnreachable: false, tries: 0 };
  const recent = new RecentCalls({
    store: {
      async addCalls(calls, accounts) {
        now.tries += 1;
        if (now.isUnreachable) throw new Error("away");
        written.push(...calls);
        trimmed.push(...accounts);
      },
    },
    isBusy: () => now.isBusy,
    onSkipped: (count) => reported.push(count),
  });
  return { recent, written, trimmed, reported, now };
}

afterEach(() => {
  vi.useRealTimers();
});

describe("recent calls", () => {
  it("are written once a second, and the rest on close", async () => {
    vi.useFakeTimers();
    const { recent, written } = recentCalls();
    recent.record("acc_1", call(1));
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(written).toEqual([call(1)]);
    recent.record(undefined, call(2));
    await recent.close();
    expect(written).toEqual([call(1), call(2)]);
    recent.record("acc_1", call(3));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(written).toHaveLength(2);
  });

  it("are skipped beyond a limit, first those of a busy key, and that is counted and reported", async () => {
    const { recent, written, reported } = recentCalls();
    for (let index = 0; index < 300; index++) recent.record("acc_1", call(index));
    recent.record("acc_2", call(300, "key_2"));
    expect([recent.skippedOf("acc_1"), recent.skippedOf("acc_2")]).toEqual([50, 0]);
    for (let index = 0; index < 2_000; index++) recent.record("acc_3", call(index, `key_of_${index}`));
    expect(recent.skippedOf("acc_3")).toBe(2_000 - 749);
    await recent.now();
    expect(written).toHaveLength(1_000);
    expect(written.filter(({ keyId }) => keyId === "key_2")).toHaveLength(1);
    expect(reported).toEqual([1_301]);
    await recent.close();
  });

  it("are skipped while charges wait for the store, and if it fails, without an error", async () => {
    const { recent, written, now } = recentCalls();
    now.isBusy = true;
    recent.record("acc_1", call(1));
    await recent.now();
    now.isBusy = false;
    now.isUnreachable = true;
    recent.record("acc_1", call(2));
    await recent.now();
    now.isUnreachable = false;
    recent.record("acc_1", call(3));
    await recent.close();
    expect(written).toEqual([call(3)]);
    expect(recent.skippedOf("acc_1")).toBe(2);
  });

  it("are not written one batch after another to an unresponsive store", async () => {
    const { recent, now } = recentCalls();
    now.isUnreachable = true;
    for (let index = 0; index < 250; index++) recent.record("acc_1", call(index));
    await recent.close();
    expect([now.tries, recent.skippedOf("acc_1")]).toEqual([1, 250]);
  });

  it("delete their account's oldest ones after a number of new ones", async () => {
    const { recent, trimmed } = recentCalls();
    for (let round = 0; round < 5; round++) {
      for (let index = 0; index < 100; index++) recent.record("acc_1", call(index));
      recent.record("acc_2", call(round, "key_2"));
      await recent.now();
    }
    expect(trimmed).toEqual(["acc_1", "acc_1"]);
    await recent.close();
  });
});
