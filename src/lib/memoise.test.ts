import { expect, it } from "vitest";
import { memoise } from "./memoise.ts";

it("computes each result once, undefined included, and drops all when the limit is reached", () => {
  const asked: string[] = [];
  const first = memoise(2, (text) => {
    asked.push(text);
    return text[0];
  });
  expect(["a", "", "a", ""].map(first)).toEqual(["a", undefined, "a", undefined]);
  expect(asked).toEqual(["a", ""]);
  expect(["b", "b", "a"].map(first)).toEqual(["b", "b", "a"]);
  expect(asked).toEqual(["a", "", "b", "a"]);
});
