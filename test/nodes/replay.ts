/** The decisions of one key in the order in which they were committed, and the same decided anew by the plainest rule. */
import { type Answer, codeOf, numberIn } from "../kit/answer.ts";

export interface PricedAnswer {
  readonly answer: Answer;
  readonly price: number;
}

/**
 * Puts the answers to one key into the order of their commits. The ledger itself is added up by day, key and operation
 * and knows no order; the key's window does: every answer to a good key takes exactly one slot of it, in the
 * transaction that decides the call and under the lock of the account's row, which is held until the commit. Of two
 * calls the one with fewer slots left in the same window was therefore committed later, whichever node decided them.
 * Holds only for calls that are settled in one step, as one that reserves first tells of its window when it is settled.
 * @throws {Error} when a slot was given out twice or left out: then no order of commits explains the answers
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
    if (leftOf(priced) !== expected) throw new Error(`a slot is missing or double: ${leftOf(priced)}`);
    [window, left] = [windowOf(priced), expected];
  }
  return ordered;
}

/** What a call was answered with, in short: `granted 5 of 12`, or `refused with 3 left`. */
export function toldBy({ answer }: PricedAnswer): string {
  const left = numberIn(answer, "x-tokens-remaining");
  const charged = numberIn(answer, "x-tokens-charged");
  if (answer.status === 200) return `granted ${charged}, then ${left}`;
  return `${codeOf(answer)} ${charged}, then ${left}`;
}

/** The same calls one after the other against so many tokens: what costs more than is left is refused. */
export function replayed(ordered: readonly PricedAnswer[], tokens: number): readonly string[] {
  let left = tokens;
  return ordered.map(({ price }) => {
    if (price > left) return `QUOTA_EXCEEDED 0, then ${left}`;
    left -= price;
    return `granted ${price}, then ${left}`;
  });
}
