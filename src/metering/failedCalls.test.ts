import { afterEach, describe, expect, it, vi } from "vitest";
import { FailedCalls } from "./failedCalls.ts";
import type { FailedCount } from "./recordedCalls.ts";

const NOON = Date.parse("2026-05-05T12:00:00.000Z");
const DAY = "2026-05-05";

function made() {
  const written: (readonly FailedCount[])[] = [];
  const now = { isBusy: false, isUnreachable: false };
  const failed = new FailedCalls({
    store: {
      async addFailedCalls(counts) {
        if (now.isUnreachable) throw new Error("away");
        written.push(counts);
      },
    },
    isBusy: () => now.isBusy,
  });
  const note = (status: number, keyId = "key_1", atMs = NOON) =>
    failed.record({ atMs, keyId, operation: "lookup", status });
  const counted = (byCaller: number, byService: number, more: Partial<FailedCount> = {}): FailedCount => ({
    keyId: "key_1",
    day: DAY,
    operation: "lookup",
    byCaller,
    byService,
    ...more,
  });
  return { failed, note, counted, written, now };
}

afterEach(() => {
  vi.useRealTimers();
});

describe("failed calls", () => {
  it("are counted by key, day and operation, separately for caller and service, without refusals", async () => {
    const { failed, note, counted, written } = made();
    for (const status of [200, 304, 400, 404, 403, 429, 500, 502, 503]) note(status);
    note(404, "key_2");
    note(404, "key_1", NOON + 86_400_000);
    await failed.now();
    expect(written).toEqual([
      [counted(3, 3), counted(1, 0, { keyId: "key_2" }), counted(1, 0, { day: "2026-05-06" })],
    ]);
    await failed.close();
    expect(written).toHaveLength(1);
  });

  it("are written periodically in one statement, not while charges wait, and when the service ends", async () => {
    vi.useFakeTimers();
    const { failed, note, counted, written, now } = made();
    note(404);
    note(502, "key_2");
    expect(written).toEqual([]);
    now.isBusy = true;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(written).toEqual([]);
    now.isBusy = false;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(written).toEqual([[counted(1, 0), counted(0, 1, { keyId: "key_2" })]]);
    note(400);
    now.isBusy = true;
    await failed.close();
    expect(written[1]).toEqual([counted(1, 0)]);
    note(400);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(written).toHaveLength(2);
  });

  it("wait for an unavailable store, within a limit; beyond it the oldest are dropped", async () => {
    const { failed, note, counted, written, now } = made();
    now.isUnreachable = true;
    note(404);
    await failed.now();
    note(500);
    await failed.now();
    now.isUnreachable = false;
    await failed.now();
    expect(written).toEqual([[counted(1, 1)]]);
    for (let index = 0; index < 1_001; index++) note(404, `key_of_${index}`);
    await failed.close();
    const keys = written[1]?.map(({ keyId }) => keyId);
    expect([keys?.length, keys?.[0], keys?.at(-1)]).toEqual([1_000, "key_of_1", "key_of_1000"]);
  });
});
