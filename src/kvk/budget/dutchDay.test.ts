import { describe, expect, it } from "vitest";
import { dutchDay, dutchDayEndMs } from "./dutchDay.ts";

describe("a day in the Netherlands", () => {
  it.each([
    ["2026-01-15T12:00:00.000Z", "2026-01-15T23:00:00.000Z"],
    ["2026-01-15T23:00:00.000Z", "2026-01-16T23:00:00.000Z"],
    ["2026-07-15T21:59:59.999Z", "2026-07-15T22:00:00.000Z"],
    ["2026-07-15T22:00:00.000Z", "2026-07-16T22:00:00.000Z"],
    // Summer time begins on 29 March and ends on 25 October.
    ["2026-03-28T12:00:00.000Z", "2026-03-28T23:00:00.000Z"],
    ["2026-03-29T12:00:00.000Z", "2026-03-29T22:00:00.000Z"],
    ["2026-10-24T12:00:00.000Z", "2026-10-24T22:00:00.000Z"],
    ["2026-10-25T12:00:00.000Z", "2026-10-25T23:00:00.000Z"],
    ["2026-12-31T23:30:00.000Z", "2027-01-01T23:00:00.000Z"],
  ])("of %s ends at %s", (at, end) => {
    const endMs = dutchDayEndMs(Date.parse(at));
    expect(new Date(endMs).toISOString()).toBe(end);
    expect(dutchDay(endMs - 1)).toBe(dutchDay(Date.parse(at)));
    expect(dutchDay(endMs)).not.toBe(dutchDay(endMs - 1));
  });
});
