import { expect, it } from "vitest";
import { parsePostalCode } from "./address.ts";

it.each([
  ["1012 \u212aA", "the Kelvin sign"],
  ["1012 \u017fA", "the long s"],
  ["1012 \uff21B", "a wide letter"],
])("a postal code with another letter than those of A to Z is none: %s (%s)", (text) => {
  expect(parsePostalCode(text)).toBeUndefined();
});
