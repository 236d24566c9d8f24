import fc from "fast-check";
import { expect, it } from "vitest";
import { capToday, coversPrice, type DailyCap, dayBalance, settleOfDay, spendOfDay } from "./browserKey.ts";

const DAY_MS = 86_400_000;
const DAY = 20_000;
const NOON = DAY * DAY_MS + DAY_MS / 2;
const cap = (spent: number, day = DAY): DailyCap => ({ limit: 10, day, spent });

it("starts a day at 0 at midnight (UTC), to the millisecond, and continues if the clock goes back a little", () => {
  const midnight = (DAY + 1) * DAY_MS;
  expect(capToday(cap(7), midnight - 1)).toEqual(cap(7));
  expect(capToday(cap(7), midnight)).toEqual(cap(0, DAY + 1));
  expect(capToday(cap(7, DAY + 1), midnight - 1)).toEqual(cap(7, DAY + 1));
  // A day that was begun by a wrong clock is reset to now.
  expect(capToday(cap(7, DAY + 30), NOON)).toEqual(cap(0));
});

it("covers a price with the remaining tokens, and always a price of 0", () => {
  expect([9, 10, 11].map((spent) => coversPrice(cap(spent), 1))).toEqual([true, false, false]);
  // The cap was lowered in the meantime.
  expect(coversPrice(cap(25), 0)).toBe(true);
  expect(dayBalance(cap(25))).toEqual({
    limit: 10,
    remaining: 0,
    resetSeconds: ((DAY + 1) * DAY_MS) / 1_000,
  });
});

it("never spends more than its limit, in any order of reserving, settling and spending", () => {
  const step = fc.record({ price: fc.integer({ min: 0, max: 5 }), isHeld: fc.boolean(), part: fc.nat(5) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let now = cap(0);
      let charged = 0;
      const open: { price: number; charge: number }[] = [];
      for (const { price, isHeld, part } of steps) {
        if (!coversPrice(now, price)) continue;
        now = spendOfDay(now, price);
        if (isHeld) open.push({ price, charge: Math.min(part, price) });
        else charged += price;
        const first = steps.length % 2 === 0 ? open.shift() : undefined;
        if (first !== undefined) {
          now = settleOfDay(now, DAY, first.charge - first.price);
          charged += first.charge;
        }
        expect(now.spent).toBeLessThanOrEqual(10);
        expect(charged + open.reduce((sum, held) => sum + held.price, 0)).toBe(now.spent);
      }
    }),
  );
});

it("returns unspent tokens only to the day of their reservation", () => {
  expect(settleOfDay(cap(4), DAY - 1, -3)).toEqual(cap(4));
  expect(settleOfDay(cap(2), DAY, -3)).toEqual(cap(0));
});
