import fc from "fast-check";
import { expect, it } from "vitest";
import { capToday, coversPrice, type DailyCap, dayBalance, settleOfDay, spendOfDay } from "./browserKey.ts";

const DAY_MS = 86_400_000;
const DAY = 20_000;
const NOON = DAY * DAY_MS + DAY_MS / 2;
const cap = (spent: number, day = DAY): DailyCap => ({ limit: 10, day, spent });

it("begins a day at 0 with midnight (UTC), to the millisecond, and goes on where the clock went back a little", () => {
  const midnight = (DAY + 1) * DAY_MS;
  expect(capToday(cap(7), midnight - 1)).toEqual(cap(7));
  expect(capToday(cap(7), midnight)).toEqual(cap(0, DAY + 1));
  expect(capToday(cap(7, DAY + 1), midnight - 1)).toEqual(cap(7, DAY + 1));
  // A day that was begun by a clock that was wrong is taken back to now.
  expect(capToday(cap(7, DAY + 30), NOON)).toEqual(cap(0));
});

it("covers a price by what is left, and a price of 0 always", () => {
  expect([9, 10, 11].map((spent) => coversPrice(cap(spent), 1))).toEqual([true, false, false]);
  // The cap was lowered meanwhile.
  expect(coversPrice(cap(25), 0)).toBe(true);
  expect(dayBalance(cap(25))).toEqual({
    limit: 10,
    remaining: 0,
    resetSeconds: ((DAY + 1) * DAY_MS) / 1_000,
  });
});

it("never spends more than its limit, whatever is set aside, settled and spent in whatever order", () => {
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

it("gives nothing back to another day than that which it was set aside on", () => {
  expect(settleOfDay(cap(4), DAY - 1, -3)).toEqual(cap(4));
  expect(settleOfDay(cap(2), DAY, -3)).toEqual(cap(0));
});
