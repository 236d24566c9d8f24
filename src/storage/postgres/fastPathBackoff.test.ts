import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FastPathBackoff } from "./fastPathBackoff.ts";

describe("the back-off of the fast path", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("holds an account for 20 ms since it was last left, and no other", () => {
    const backoff = new FastPathBackoff();
    backoff.add("acc_1");
    vi.advanceTimersByTime(10);
    backoff.add("acc_1");
    vi.advanceTimersByTime(19);
    expect([backoff.has("acc_1"), backoff.has("acc_2")]).toEqual([true, false]);
    vi.advanceTimersByTime(1);
    expect(backoff.has("acc_1")).toBe(false);
  });
});
