/** A machine with no time for its database has calls refused: each says so and costs nothing. */
import { expect } from "vitest";
import { type Answer, type Asked, codeOf } from "./answer.ts";
import { load } from "./client.ts";
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

export interface Insisted {
  /** Of each call one that is no such refusal, in the order in which they came. */
  readonly answers: readonly Answer[];
  readonly refusals: number;
}

/** Sends calls, and those again that are refused because the database has no time. */
export async function insisting(
  service: { readonly port: number },
  calls: readonly Asked[],
  connections: number,
): Promise<Insisted> {
  const answers: Answer[] = [];
  let refusals = 0;
  for (let left = calls; left.length > 0; ) {
    const refused: Asked[] = [];
    const onAnswer = (answer: Answer, _count: number, asked: Asked) => {
      if (codeOf(answer) === "SERVICE_UNAVAILABLE") refused.push(asked);
      else answers.push(answer);
      return true;
    };
    const { unanswered } = await load(service, left, { connections, onAnswer });
    expect(unanswered).toEqual([]);
    refusals += refused.length;
    left = refused;
  }
  return { answers, refusals };
}
