import { expect, it } from "vitest";
import { nextRunMs } from "./insolvency.ts";

it.each([
  ["04:30", "2026-11-29T02:00:00Z", "2026-11-29T03:30:00.000Z"],
  ["04:30", "2026-11-29T03:30:00Z", "2026-11-30T03:30:00.000Z"],
  ["04:30", "2026-07-01T22:30:00Z", "2026-07-02T02:30:00.000Z"],
  ["00:10", "2026-07-01T21:00:00Z", "2026-07-01T22:10:00.000Z"],
  // The clock is put forward at 02:00, and back at 03:00.
  ["04:30", "2026-03-28T23:00:00Z", "2026-03-29T02:30:00.000Z"],
  ["02:30", "2026-03-28T23:00:00Z", "2026-03-29T01:30:00.000Z"],
  ["04:30", "2026-10-24T22:00:00Z", "2026-10-25T03:30:00.000Z"],
  ["02:30", "2026-10-24T22:00:00Z", "2026-10-25T00:30:00.000Z"],
])("%s in the Netherlands after %s is %s", (time, after, next) => {
  expect(new Date(nextRunMs(time, Date.parse(after))).toISOString()).toBe(next);
});
