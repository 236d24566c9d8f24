import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PeriodicWrite } from "./periodicWrite.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A write that ends on request. */
function slowWrite() {
  const ends: (() => void)[] = [];
  const write = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  return { write, endNext: () => ends.shift()?.() };
}

test("writes periodically, but not during another write", async () => {
  const { write, endNext } = slowWrite();
  const periodic = new PeriodicWrite(write, 1_000);
  await vi.advanceTimersByTimeAsync(999);
  expect(write).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(write).toHaveBeenCalledTimes(1);
  endNext();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(write).toHaveBeenCalledTimes(2);
  endNext();
  void periodic.close();
});

test("returns the write in progress to callers", async () => {
  const { write, endNext } = slowWrite();
  const periodic = new PeriodicWrite(write, 1_000);
  const [one, other] = [periodic.now(), periodic.now()];
  expect(other).toBe(one);
  endNext();
  await one;
  expect(write).toHaveBeenCalledTimes(1);
});

test("writes a last time after the write in progress, and then stops", async () => {
  const { write, endNext } = slowWrite();
  const periodic = new PeriodicWrite(write, 1_000);
  void periodic.now();
  const closed = periodic.close();
  expect(write).toHaveBeenCalledTimes(1);
  endNext();
  await vi.advanceTimersByTimeAsync(0);
  expect(write).toHaveBeenCalledTimes(2);
  endNext();
  await closed;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(write).toHaveBeenCalledTimes(2);
});
