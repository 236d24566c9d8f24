import { expect, it } from "vitest";
import { lastWeek } from "./monitorNotices.ts";

it.each([
  ["2026-11-23T05:59:59.999Z", "2026-11-09T06:00:00.000Z", "2026-11-16T06:00:00.000Z"],
  ["2026-11-23T06:00:00.000Z", "2026-11-16T06:00:00.000Z", "2026-11-23T06:00:00.000Z"],
  ["2026-11-29T23:00:00.000Z", "2026-11-16T06:00:00.000Z", "2026-11-23T06:00:00.000Z"],
])("at %s the last week is %s to %s", (now, from, until) => {
  const { fromMs, untilMs } = lastWeek(Date.parse(now));
  expect([fromMs, untilMs].map((ms) => new Date(ms).toISOString())).toEqual([from, until]);
});
