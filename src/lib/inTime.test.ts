import { expect, it } from "vitest";
import { inTime } from "./inTime.ts";

it("gives what comes in time, undefined for what is late, and rejects with what rejects", async () => {
  expect(await inTime(10_000, Promise.resolve(1))).toBe(1);
  expect(await inTime(1, new Promise(() => {}))).toBeUndefined();
  await expect(inTime(10_000, Promise.reject(new Error("no")))).rejects.toThrow("no");
});
