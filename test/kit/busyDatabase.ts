/** A machine that is too slow for its database refuses calls: each refusal is explicit and free of charge. */
import { expect } from "vitest";
import { type Answer, codeOf, type TestRequest } from "./answer.ts";
import { load } from "./client.ts";
import { expectError } from "./contractAnswer.ts";

/** The sum of the reported charges. Calls refused before the key was checked report none. */
export function chargedIn(answers: readonly Answer[]): number {
  return answers.reduce((sum, { headers }) => sum + Number(headers["x-tokens-charged"] ?? "0"), 0);
}

/** Expects every response other than 200 to be a refusal free of charge. */
export function expectRefusedForNothing(answers: readonly Answer[]): void {
  const refused = answers.filter(({ status }) => status !== 200);
  for (const answer of refused) expectError(answer, "SERVICE_UNAVAILABLE");
  expect(chargedIn(refused)).toBe(0);
}

export interface AcceptedCalls {
  /** One response per call that is not such a refusal, in order of arrival. */
  readonly answers: readonly Answer[];
  readonly refusals: number;
}

/** Sends calls, and repeats those that are refused because the database is busy. */
export async function callUntilAccepted(
  service: { readonly port: number },
  calls: readonly TestRequest[],
  connections: number,
): Promise<AcceptedCalls> {
  const answers: Answer[] = [];
  let refusals = 0;
  for (let left = calls; left.length > 0; ) {
    const refused: TestRequest[] = [];
    const onAnswer = (answer: Answer, _count: number, call: TestRequest) => {
      if (codeOf(answer) === "SERVICE_UNAVAILABLE") refused.push(call);
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
