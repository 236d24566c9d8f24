import { expect, it } from "vitest";
import { chooser } from "./chosen.ts";

const digits = (nth: number) => nth.toString(16).padStart(16, "0");
const IDS = Array.from({ length: 10_000 }, (_, nth) => digits(nth + 1) + digits(7 * nth));
/** Identifiers whose parts have the same exclusive or. */
const TWICE_THE_SAME = Array.from({ length: 10_000 }, (_, nth) => digits(nth + 1).repeat(2));

it.each([
  ["any ids", IDS],
  ["ids of twice the same digits", TWICE_THE_SAME],
])("samples the configured share of %s", (_, ids) => {
  expect(ids.filter(chooser("a secret", 0.1)).length / ids.length).toBeCloseTo(0.1, 1);
  expect(ids.filter(chooser("a secret", 0))).toEqual([]);
  expect(ids.filter(chooser("a secret", 1))).toEqual(ids);
});

it("samples the same traces with the same secret, and others with another", () => {
  const chosen = IDS.filter(chooser("a secret", 0.1));
  expect(IDS.filter(chooser("a secret", 0.1))).toEqual(chosen);
  expect(chosen.filter(chooser("another", 0.1)).length / chosen.length).toBeCloseTo(0.1, 1);
});
