import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LeftOpen } from "./leftOpen.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("holds an account for 20 ms since it was last left, and no other", () => {
  const leftOpen = new LeftOpen();
  leftOpen.add("acc_1");
  vi.advanceTimersByTime(10);
  leftOpen.add("acc_1");
  vi.advanceTimersByTime(19);
  expect([leftOpen.has("acc_1"), leftOpen.has("acc_2")]).toEqual([true, false]);
  vi.advanceTimersByTime(1);
  expect(leftOpen.has("acc_1")).toBe(false);
});
