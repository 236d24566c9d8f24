import { describe, expect, it } from "vitest";
import { Bulkhead } from "./bulkhead.ts";
import { Retry } from "./retry.ts";

const never = new AbortController().signal;
const retry = new Retry<string>({ isWorthRetrying: (word) => word === "again", firstRetryAfterMs: 1 });

/** A call that returns these results in order. */
function saying(...outcomes: string[]) {
  let calls = 0;
  return { call: async () => outcomes[calls++] ?? "too many", calls: () => calls };
}

describe("a retry", () => {
  it("is made at most twice, only if it can help, and returns the last result", async () => {
    for (const [words, expected, count] of [
      [["fine"], "fine", 1],
      [["again", "fine"], "fine", 2],
      [["again", "again", "again"], "again", 3],
      [["no", "fine"], "no", 1],
    ] as const) {
      const { call, calls } = saying(...words);
      expect([await retry.run(call, never, "late"), calls()]).toEqual([expected, count]);
    }
  });

  it("ends with the deadline, and passes errors on", async () => {
    const hanging = () => new Promise<string>(() => undefined);
    expect(await retry.run(hanging, AbortSignal.timeout(10), "late")).toBe("late");
    await expect(retry.run(() => Promise.reject(new Error("broken")), never, "late")).rejects.toThrow(
      "broken",
    );
  });
});

describe("a bulkhead", () => {
  it("limits concurrent calls, and rejects those that wait too long", async () => {
    const bulkhead = new Bulkhead(2, 1);
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const call = () => gate.then(() => "done");
    const given = [bulkhead.run(call, never), bulkhead.run(call, never)];
    const impatient = new AbortController();
    const waiting = bulkhead.run(call, impatient.signal);
    impatient.abort();
    expect(await bulkhead.run(call, never)).toBeUndefined();
    release();
    expect(await Promise.all(given)).toEqual(["done", "done"]);
    expect(await waiting).toBeUndefined();
    await expect(bulkhead.run(() => Promise.reject(new Error("broken")), never)).rejects.toThrow("broken");
  });
});
