import { expect, it } from "vitest";
import { inTime } from "./inTime.ts";
import { RecentlyUsed } from "./recentlyUsed.ts";

it("keeps what was used last, and never more than it may", () => {
  const kept = new RecentlyUsed<number>(3);
  for (const [index, key] of ["a", "b", "c"].entries()) kept.set(key, index);
  expect(kept.get("a")).toBe(0);
  kept.peek("b");
  kept.set("d", 3);
  expect(["a", "b", "c", "d"].map((key) => kept.peek(key))).toEqual([0, undefined, 2, 3]);
  kept.set("c", 9);
  kept.set("e", 4);
  expect(["a", "c", "d", "e"].map((key) => kept.peek(key))).toEqual([undefined, 9, 3, 4]);
});

it("gives what comes in time, undefined for what is late, and rejects with what rejects", async () => {
  expect(await inTime(10_000, Promise.resolve(1))).toBe(1);
  expect(await inTime(1, new Promise(() => {}))).toBeUndefined();
  await expect(inTime(10_000, Promise.reject(new Error("no")))).rejects.toThrow("no");
});
