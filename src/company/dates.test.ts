import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDay, isRegistrationDay, parseDay, parseInstant, parseKvkDate } from "./dates.ts";

describe("days", () => {
  it("are valid only if they exist in the calendar", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1000, max: 2400 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, day) => {
          const two = (part: number) => String(part).padStart(2, "0");
          const date = new Date(Date.UTC(year, month - 1, day));
          const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
          expect(isDay(`${year}-${two(month)}-${two(day)}`)).toBe(exists);
        },
      ),
    );
  });

  it.each([
    ["20110314", "2011-03-14"],
    ["2011-03-14", "2011-03-14"],
    ["20150600", "partial"],
    ["20150000", "partial"],
    ["00000000", "partial"],
    ["20150230", undefined],
    ["string", undefined],
  ])("parses KVK's %s as %s", (text, day) => {
    expect(parseKvkDate(text)).toBe(day);
  });

  it.each([
    ["14-03-2011", "2011-03-14"],
    ["4/3/2011", "2011-03-04"],
    ["14.03.2011", "2011-03-14"],
    ["2011-03-14 00:00:00", "2011-03-14"],
    ["2011-03-14T09:30:00Z", "2011-03-14"],
    ["2011-03-14Z", "2011-03-14"],
    ["2011-03-14+01:00", "2011-03-14"],
    ["31-02-2011", undefined],
    ["03-14-2011", undefined],
    ["14-03-11", undefined],
    ["09-apr-2012", "2012-04-09"],
    ["9 april 2012", "2012-04-09"],
    ["9 MRT. 12", "2012-03-09"],
    ["9 Oct 2012 00:00", "2012-10-09"],
    ["9/mei/98", "1998-05-09"],
    ["31-12-98", "1998-12-31"],
    ["01-02-00", "2000-02-01"],
    ["31 apr 2012", undefined],
    ["9-xyz-2012", undefined],
  ])("parses a spreadsheet's %s as %s", (text, day) => {
    expect(parseDay(text)).toBe(day);
  });

  it.each([
    ["2026-02-03", "2026-02-03T00:00:00.000Z"],
    ["2026-02-03T10:00:00+01:00", "2026-02-03T09:00:00.000Z"],
    ["2026-02-03T10:00:00.5Z", "2026-02-03T10:00:00.500Z"],
    ["2026-02-30T10:00:00Z", undefined],
    ["2026-02-03T25:00:00Z", undefined],
    ["2026-02-03T10:00:00", undefined],
    ["yesterday", undefined],
  ])("parses the instant %s as %s", (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });
});

it.each([
  ["1672-05-01", true],
  ["2026-11-28", true],
  ["2026-11-29", true],
  ["2026-11-30", false],
  ["2099-01-01", false],
  ["9999-12-31", false],
  ["1111-11-11", false],
])("a company can be registered since %s: %s", (day, isPossible) => {
  expect(isRegistrationDay(day, Date.parse("2026-11-28T12:00:00Z"))).toBe(isPossible);
});
