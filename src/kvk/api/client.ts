import { earlierOf } from "../../lib/deadline.ts";
import { Bulkhead } from "../../upstream/bulkhead.ts";
import type { NoResponse, Response } from "../../upstream/pool.ts";
import { Retry } from "../../upstream/retry.ts";
import type { CallBudget, NoCall, Payer } from "../liveSource.ts";
import type { Breakers } from "./breakers.ts";
import * as codes from "./codes.ts";
import { RateLimiter } from "./rateLimiter.ts";
import { readResponse } from "./readResponse.ts";
import { isPaid, type KvkNoAnswer, type KvkResult, type Product } from "./results.ts";
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
  /** Told of each try, and how long KVK took for it, milliseconds; undefined when KVK was not asked. */
  readonly onTried?: (product: Product, result: KvkResult, tookMs: number | undefined) => void;
}

const NO_CALL: Readonly<Record<NoCall, KvkNoAnswer>> = {
  budget: codes.BUDGET_SPENT,
  "free-share": codes.SHARE_SPENT,
  outage: codes.TOO_MANY_UNANSWERED,
};

/** What a try comes to that never reached KVK. */
const UNASKED: ReadonlySet<KvkResult> = new Set([
  codes.NOT_ASKED,
  codes.QUEUED_TOO_LONG,
  ...Object.values(NO_CALL),
]);

const AT_ONCE = 64;
const MAX_QUEUED = 10_000;
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
  readonly #onTried: NonNullable<KvkClientOptions["onTried"]>;

  constructor(options: KvkClientOptions) {
    const { atOnce = AT_ONCE, perSecond = PER_SECOND, firstRetryAfterMs } = options;
    this.#upstream = options.upstream;
    this.#breakers = options.breakers;
    this.#budget = options.budget;
    this.#callWithinMs = options.callWithinMs;
    this.#onTried = options.onTried ?? (() => {});
    this.#bulkhead = new Bulkhead(atOnce, MAX_QUEUED);
    this.#rate = new RateLimiter({ calls: perSecond, withinMs: SECOND_MS });
    this.#retry = new Retry({
      isWorthRetrying: (result) => result.kind === "no-answer" && result.isTransient,
      ...(firstRetryAfterMs !== undefined && { firstRetryAfterMs }),
    });
  }

  /** KVK's result on `path`, within `deadline`, which ends whatever is under way. Rejects only when the budget does. */
  async ask(product: Product, path: string, deadline: AbortSignal, payer: Payer): Promise<KvkResult> {
    if (!this.#breakers.permits(product)) {
      this.#onTried(product, codes.NOT_ASKED, undefined);
      return codes.NOT_ASKED;
    }
    const askOnce = async () => {
      const inTurn = () => this.#breakers.run(product, () => this.#call(product, path, deadline, payer));
      const result = (await this.#bulkhead.run(inTurn, deadline)) ?? codes.QUEUED_TOO_LONG;
      if (UNASKED.has(result)) this.#onTried(product, result, undefined);
      return result;
    };
    return this.#retry.run(askOnce, deadline, codes.CUT_SHORT);
  }

  async #call(product: Product, path: string, deadline: AbortSignal, payer: Payer): Promise<KvkResult> {
    // The rate first: a paid call must not be taken from the budget by somebody who then gives up waiting.
    if (!(await this.#rate.take(deadline))) return codes.QUEUED_TOO_LONG;
    if (!isPaid(product)) return (await this.#send(product, path, deadline)).result;
    const taken = await this.#budget.spend(payer);
    if (typeof taken === "string") return NO_CALL[taken];
    const { result, hasArrived } = await this.#send(product, path, deadline);
    if (hasArrived) taken.ended(result.kind !== "no-answer");
    else await taken.refund();
    return result;
  }

  async #send(
    product: Product,
    path: string,
    deadline: AbortSignal,
  ): Promise<{ result: KvkResult; hasArrived: boolean }> {
    if (deadline.aborted) {
      this.#onTried(product, codes.CUT_SHORT, undefined);
      return { result: codes.CUT_SHORT, hasArrived: false };
    }
    const startedMs = performance.now();
    const response = await this.#upstream.get(path, earlierOf(deadline, this.#callWithinMs));
    const tookMs = performance.now() - startedMs;
    const result = this.#resultOf(response, tookMs);
    this.#onTried(product, result, tookMs);
    return { result, hasArrived: response.kind !== "refused" && response.kind !== "untrusted" };
  }

  #resultOf(response: Response | NoResponse, tookMs: number): KvkResult {
    if (response.kind === "response") return readResponse(response, new Date().toISOString());
    const results: Readonly<Record<typeof response.kind, KvkNoAnswer>> = {
      "timed-out": tookMs >= this.#callWithinMs / 2 ? codes.TIMED_OUT : codes.CUT_SHORT,
      "too-long": codes.UNREADABLE,
      refused: codes.UNREACHABLE,
      untrusted: codes.UNTRUSTED,
      broken: codes.UNREACHABLE,
    };
    return results[response.kind];
  }
}
