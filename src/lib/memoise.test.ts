import { expect, it } from "vitest";
import { memoise } from "./memoise.ts";

it("a result is made once for each text as long as there is room, undefined too, and all are forgotten then", () => {
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
