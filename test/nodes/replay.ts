/** The decisions for one key in commit order, and the same recomputed by the simplest rule. */
import { type Answer, codeOf, numberIn } from "../kit/answer.ts";

export interface PricedAnswer {
  readonly answer: Answer;
  readonly price: number;
}

/**
 * Sorts the responses to one key by their commits. The ledger is summed by day, key and operation and has no order; the
 * key's window does: every response to a valid key takes exactly one slot of it, in the transaction that decides the
 * call and under the lock of the account's row, which is held until the commit. Of two calls the one with fewer slots
 * left in the same window was therefore committed later, on any node. Holds only for calls that are settled in one
 * step, as one that reserves first reports its window when it is settled.
 * @throws {Error} when a slot was granted twice or skipped: then no order of commits explains the responses
 */
export function inCommitOrder(answers: readonly PricedAnswer[]): readonly PricedAnswer[] {
  const windowOf = ({ answer }: PricedAnswer) => numberIn(answer, "x-ratelimit-reset");
  const leftOf = ({ answer }: PricedAnswer) => numberIn(answer, "x-ratelimit-remaining");
  const ordered = [...answers].sort(
    (one, other) => windowOf(one) - windowOf(other) || leftOf(other) - leftOf(one),
  );
  let [window, left] = [0, 0];
  for (const priced of ordered) {
    const limit = numberIn(priced.answer, "x-ratelimit-limit");
    const expected = windowOf(priced) === window ? left - 1 : limit - 1;
    if (leftOf(priced) !== expected) throw new Error(`a slot is missing or used twice: ${leftOf(priced)}`);
    [window, left] = [windowOf(priced), expected];
  }
  return ordered;
}

/** A response in short: `granted 5 of 12`, or `refused with 3 left`. */
export function summaryOf({ answer }: PricedAnswer): string {
  const left = numberIn(answer, "x-tokens-remaining");
  const charged = numberIn(answer, "x-tokens-charged");
  if (answer.status === 200) return `granted ${charged}, then ${left}`;
  return `${codeOf(answer)} ${charged}, then ${left}`;
}

/** Runs the same calls in sequence with the given tokens: a call that costs more than what is left is refused. */
export function replayed(ordered: readonly PricedAnswer[], tokens: number): readonly string[] {
  let left = tokens;
  return ordered.map(({ price }) => {
    if (price > left) return `QUOTA_EXCEEDED 0, then ${left}`;
    left -= price;
    return `granted ${price}, then ${left}`;
  });
}
