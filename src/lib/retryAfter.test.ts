import { expect, it } from "vitest";
import { retryAfterSeconds } from "./retryAfter.ts";

const DATE = "Thu, 26 Nov 2026 10:00:00 GMT";

it.each([
  ["30", 30],
  [" 1 ", 1],
  ["86401", 86_400],
  ["99999999999999999999", 86_400],
  ["Thu, 26 Nov 2026 10:02:00 GMT", 120],
  ["Thursday, 26-Nov-26 10:00:30 GMT", 30],
  ["Thu Nov 26 10:00:05 2026", 5],
  ["Fri, 31 Dec 2099 23:59:59 GMT", 86_400],
  ["0", undefined],
  ["Thu, 26 Nov 2026 10:00:00 GMT", undefined],
  ["Fri, 01 Jan 1999 00:00:00 GMT", undefined],
  ["", undefined],
  ["soon", undefined],
  ["-5", undefined],
  ["1.5", undefined],
  ["30s", undefined],
  ["2026-11-26T10:02:00Z", undefined],
  ["Xyz, 99 Foo 2026 99:99:99 GMT", undefined],
])("Retry-After %j is %j seconds", (text, seconds) => {
  expect(retryAfterSeconds({ headers: { date: DATE, "retry-after": text } })).toBe(seconds);
});

it("counts from this machine's clock where the response has no date", () => {
  const inAMinute = new Date(Date.now() + 60_000).toUTCString();
  for (const date of [{}, { date: "never" }]) {
    const seconds = retryAfterSeconds({ headers: { ...date, "retry-after": inAMinute } });
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThanOrEqual(60);
  }
  expect(retryAfterSeconds({ headers: {} })).toBeUndefined();
});
