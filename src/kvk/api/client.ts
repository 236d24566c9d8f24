import { earlierOf } from "../../lib/deadline.ts";
import { Bulkhead } from "../../upstream/bulkhead.ts";
import { type Clock, RateLimiter } from "../../upstream/rateLimiter.ts";
import { Retry } from "../../upstream/retry.ts";
import type { CallBudget, NoCall, Payer } from "../liveSource.ts";
import type { Breakers } from "./breakers.ts";
import * as codes from "./codes.ts";
import { readResponse } from "./readResponse.ts";
import { isPaid, type KvkResult, type NoAnswer, type Product } from "./results.ts";
import type { KvkUpstream } from "./upstream.ts";

export interface KvkClientOptions {
  readonly upstream: KvkUpstream;
  readonly breakers: Breakers;
  /** Of paid calls; every try takes one. */
  readonly budget: CallBudget;
  /** Calls under way at once. */
  readonly atOnce?: number;
  /** Calls a second at most; KVK allows 100. */
  readonly perSecond?: number;
  /** One call to KVK gets this long, milliseconds. */
  readonly callWithinMs: number;
  /** The middle of the first, scattered pause before another try, milliseconds. */
  readonly firstRetryAfterMs?: number;
  /** Of the rate. */
  readonly clock?: Clock;
  /** Told of each question, retries included, and how long it took. */
  readonly onAsked?: (product: Product, result: KvkResult, tookMs: number) => void;
}

/** What one question to a live source has cost so far, and whom: a call that was spent counts although its caller left. */
export interface Tally {
  paidCalls: number;
  readonly payer: Payer;
}

const NO_CALL: Readonly<Record<NoCall, NoAnswer>> = {
  budget: codes.BUDGET_SPENT,
  "free-share": codes.SHARE_SPENT,
  outage: codes.TOO_MANY_UNANSWERED,
};

const AT_ONCE = 64;
const MOST_QUEUED = 10_000;
const PER_SECOND = 100;
/** A little more than a second: what leaves evenly arrives in bunches. */
const SECOND_MS = 1_050;

/** Asks KVK within its rate, the operator's budget and a deadline, and not at all where calls have just failed. */
export class KvkClient {
  readonly #upstream: KvkUpstream;
  readonly #breakers: Breakers;
  readonly #budget: CallBudget;
  readonly #callWithinMs: number;
  readonly #bulkhead: Bulkhead;
  readonly #rate: RateLimiter;
  readonly #retry: Retry<KvkResult>;
  readonly #onAsked: KvkClientOptions["onAsked"];

  constructor(options: KvkClientOptions) {
    const { atOnce = AT_ONCE, perSecond = PER_SECOND, clock, firstRetryAfterMs } = options;
    this.#upstream = options.upstream;
    this.#breakers = options.breakers;
    this.#budget = options.budget;
    this.#callWithinMs = options.callWithinMs;
    this.#onAsked = options.onAsked;
    this.#bulkhead = new Bulkhead(atOnce, MOST_QUEUED);
    this.#rate = new RateLimiter({
      calls: perSecond,
      withinMs: SECOND_MS,
      ...(clock !== undefined && { clock }),
    });
    this.#retry = new Retry({
      isWorthRetrying: (result) => result.kind === "no-answer" && result.isTransient,
      ...(firstRetryAfterMs !== undefined && { firstRetryAfterMs }),
    });
  }

  /** KVK's result on `path`, within `deadline`, which ends whatever is under way. Rejects only when the budget does. */
  async ask(product: Product, path: string, deadline: AbortSignal, tally: Tally): Promise<KvkResult> {
    const askedMs = performance.now();
    const result = await this.#ask(product, path, deadline, tally);
    this.#onAsked?.(product, result, performance.now() - askedMs);
    return result;
  }

  async #ask(product: Product, path: string, deadline: AbortSignal, tally: Tally): Promise<KvkResult> {
    if (!this.#breakers.permits(product)) return codes.NOT_ASKED;
    const askOnce = async () => {
      const inTurn = () => this.#breakers.run(product, () => this.#call(product, path, deadline, tally));
      return (await this.#bulkhead.run(inTurn, deadline)) ?? codes.QUEUED_TOO_LONG;
    };
    return this.#retry.run(askOnce, deadline, codes.CUT_SHORT);
  }

  async #call(product: Product, path: string, deadline: AbortSignal, tally: Tally): Promise<KvkResult> {
    // The rate first: a paid call must not be taken from the budget by somebody who then gives up waiting.
    if (!(await this.#rate.take(deadline))) return codes.QUEUED_TOO_LONG;
    if (!isPaid(product)) return (await this.#send(path, deadline)).result;
    const taken = await this.#budget.spend(tally.payer);
    if (typeof taken === "string") return NO_CALL[taken];
    tally.paidCalls += 1;
    const { result, hasArrived } = await this.#send(path, deadline);
    if (hasArrived) {
      taken.ended(result.kind !== "no-answer");
    } else {
      tally.paidCalls -= 1;
      await taken.refund();
    }
    return result;
  }

  async #send(path: string, deadline: AbortSignal): Promise<{ result: KvkResult; hasArrived: boolean }> {
    if (deadline.aborted) return { result: codes.CUT_SHORT, hasArrived: false };
    const startedMs = performance.now();
    const response = await this.#upstream.get(path, earlierOf(deadline, this.#callWithinMs));
    if (response.kind === "response") {
      return { result: readResponse(response, new Date().toISOString()), hasArrived: true };
    }
    const hadItsTime = performance.now() - startedMs >= this.#callWithinMs / 2;
    const results: Readonly<Record<typeof response.kind, NoAnswer>> = {
      "timed-out": hadItsTime ? codes.TIMED_OUT : codes.CUT_SHORT,
      "too-long": codes.UNREADABLE,
      refused: codes.UNREACHABLE,
      untrusted: codes.UNTRUSTED,
      broken: codes.UNREACHABLE,
    };
    const hasArrived = response.kind !== "refused" && response.kind !== "untrusted";
    return { result: results[response.kind], hasArrived };
  }
}
