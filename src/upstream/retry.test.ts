import { describe, expect, it } from "vitest";
import { Bulkhead } from "./bulkhead.ts";
import { retry } from "./retry.ts";

const never = new AbortController().signal;

/** A call that returns these results in order. */
function saying(...outcomes: readonly string[]) {
  let calls = 0;
  return { call: async () => outcomes[calls++] ?? "too many", calls: () => calls };
}

function retried(call: () => Promise<string>, deadline = never, firstRetryAfterMs = 1) {
  const isWorthRetrying = (word: string) => word === "again";
  return retry(call, { isWorthRetrying, maxRetries: 2, firstRetryAfterMs, deadline });
}

describe("a retry", () => {
  it("is made at most as often as allowed, only if it can help, and returns the last result", async () => {
    for (const [words, expected, count] of [
      [["fine"], "fine", 1],
      [["again", "fine"], "fine", 2],
      [["again", "again", "again"], "again", 3],
      [["no", "fine"], "no", 1],
    ] as const) {
      const { call, calls } = saying(...words);
      expect([await retried(call), calls()]).toEqual([expected, count]);
    }
  });

  it("is not made after the deadline, which ends the delay before it", async () => {
    const { call, calls } = saying("again", "fine");
    const deadline = new AbortController();
    const result = retried(call, deadline.signal, 3_600_000);
    deadline.abort();
    expect([await result, calls()]).toEqual(["again", 1]);
  });

  it("is not made after an error, which is passed on", async () => {
    await expect(retried(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
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
    expect(await bulkhead.run(call, never)).toBeUndefined();
    impatient.abort();
    expect(await waiting).toBeUndefined();
    release();
    expect(await Promise.all(given)).toEqual(["done", "done"]);
    await expect(bulkhead.run(() => Promise.reject(new Error("broken")), never)).rejects.toThrow("broken");
  });
});
