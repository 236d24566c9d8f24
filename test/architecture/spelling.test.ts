/** `npm run spelling` checks the texts; this holds its word list to what can be reviewed. */
import { expect, it } from "vitest";
import { textOf } from "./repository.ts";

const MAX_WORDS = 300;
const words = textOf("cspell-words.txt").trimEnd().split("\n");

it("the word list is sorted, in lower case and without repeats", () => {
  const sorted = [...new Set(words.map((word) => word.toLowerCase()))].sort();
  expect(words).toEqual(sorted);
});

it(`the word list has at most ${MAX_WORDS} words`, () => {
  expect(words.length).toBeLessThanOrEqual(MAX_WORDS);
});
