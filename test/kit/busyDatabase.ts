/** A machine with no time for its database has calls refused: each says so and costs nothing. */
import { expect } from "vitest";
import type { Answer } from "./answer.ts";
import { expectError } from "./contractAnswer.ts";

/** What callers were told that they paid. Who was refused before its key was known is told nothing of that. */
export function chargedIn(answers: readonly Answer[]): number {
  return answers.reduce((sum, { headers }) => sum + Number(headers["x-tokens-charged"] ?? "0"), 0);
}

/** Holds answers that are none to what a call is refused with then. */
export function expectRefusedForNothing(answers: readonly Answer[]): void {
  const refused = answers.filter(({ status }) => status !== 200);
  for (const answer of refused) expectError(answer, "SERVICE_UNAVAILABLE");
  expect(chargedIn(refused)).toBe(0);
}
