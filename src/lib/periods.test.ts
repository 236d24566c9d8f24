import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  dayInMonth,
  dayOf,
  minuteEndSeconds,
  minuteOf,
  monthEndSeconds,
  monthOf,
  monthStartMs,
} from "./periods.ts";

const moments = fc
  .date({ min: new Date("1970-01-01"), max: new Date("2200-12-31"), noInvalidDate: true })
  .map((date) => date.getTime());

describe("windows and months", () => {
  it("contain every moment from their start to before their end", () => {
    fc.assert(
      fc.property(moments, (nowMs) => {
        const month = monthOf(nowMs);
        expect(monthStartMs(month)).toBeLessThanOrEqual(nowMs);
        expect(monthEndSeconds(month) * 1_000).toBeGreaterThan(nowMs);
        expect(monthOf(monthEndSeconds(month) * 1_000)).toBe(month + 1);
        const endMs = minuteEndSeconds(minuteOf(nowMs)) * 1_000;
        expect(endMs - nowMs).toBeGreaterThan(0);
        expect(endMs - nowMs).toBeLessThanOrEqual(60_000);
      }),
    );
  });

  it("change at 00:00:00 UTC on the 1st, also over years and leap days", () => {
    expect(monthOf(Date.parse("2026-12-31T23:59:59.999Z")) + 1).toBe(monthOf(Date.parse("2027-01-01")));
    expect(monthEndSeconds(monthOf(Date.parse("2028-02-29T12:00:00Z")))).toBe(
      Date.parse("2028-03-01") / 1_000,
    );
  });

  it("record every charge on a day of its month, today if possible", () => {
    fc.assert(
      fc.property(moments, moments, (nowMs, monthMs) => {
        const month = dayOf(monthMs).slice(0, 7);
        const day = dayInMonth(nowMs, monthOf(monthMs));
        expect(day.slice(0, 7)).toBe(month);
        if (dayOf(nowMs).startsWith(month)) expect(day).toBe(dayOf(nowMs));
      }),
    );
  });
});
