import { expect, it } from "vitest";
import { Misses } from "./misses.ts";

const NOON = Date.parse("2026-05-05T12:00:00Z");
const long = () => AbortSignal.timeout(20_000);

function missesOf(mostADay: number) {
  const counted = new Map<string, number>();
  const clock = { nowMs: NOON };
  const store = {
    async countMiss(accountId: string, day: string) {
      const id = `${accountId} ${day}`;
      counted.set(id, (counted.get(id) ?? 0) + 1);
    },
    missesOf: async (accountId: string, day: string) => counted.get(`${accountId} ${day}`) ?? 0,
  };
  return { misses: new Misses(store, mostADay, () => clock.nowMs), counted, clock };
}

/** A call that ends some turns of the event loop later. */
async function call(misses: Misses, accountId: string, wasMiss: boolean): Promise<string> {
  const place = await misses.enter(accountId, long());
  if (typeof place === "string") return place;
  await new Promise((resolve) => setImmediate(resolve));
  await place.leave(wasMiss);
  return "asked";
}

it("lets exactly so many misses of an account through, however many come at once", async () => {
  const { misses, counted } = missesOf(10);
  const ended = await Promise.all(Array.from({ length: 200 }, () => call(misses, "a", true)));
  expect(ended.filter((one) => one === "asked").length).toBe(10);
  expect(ended.filter((one) => one === "none-left").length).toBe(190);
  expect(counted.get("a 2026-05-05")).toBe(10);
  expect(await call(misses, "b", true)).toBe("asked");
});

it("refuses nobody who asks for what exists, however many ask at once", async () => {
  const { misses } = missesOf(3);
  const ended = await Promise.all(Array.from({ length: 100 }, () => call(misses, "a", false)));
  expect(new Set(ended)).toEqual(new Set(["asked"]));
});

it("begins anew with the next day, and knows what other processes have counted", async () => {
  const { misses, counted, clock } = missesOf(2);
  counted.set("a 2026-05-05", 2);
  expect(await call(misses, "a", true)).toBe("none-left");
  clock.nowMs += 86_400_000;
  expect(await call(misses, "a", true)).toBe("asked");
});

it("does not let a caller wait beyond its deadline", async () => {
  const { misses } = missesOf(1);
  const first = await misses.enter("a", long());
  expect(await misses.enter("a", AbortSignal.timeout(5))).toBe("late");
  if (typeof first !== "string") await first.leave(false);
  expect(await call(misses, "a", false)).toBe("asked");
});
