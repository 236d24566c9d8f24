import { earlierOf } from "../../lib/deadline.ts";
import { known } from "../../lib/values.ts";
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
  /** The budget of paid calls; each try takes one. */
  readonly budget: CallBudget;
  /** Calls in progress at once. */
  readonly atOnce?: number;
  /** Maximum calls per second; KVK allows 100. */
  readonly perSecond?: number;
  /** Timeout of a single call, milliseconds. */
  readonly callWithinMs: number;
  /** Mean of the first random delay before a retry, milliseconds. */
  readonly firstRetryAfterMs?: number;
  /** Called after each try with its duration in milliseconds, undefined when nothing was sent. */
  readonly onTried?: (product: Product, result: KvkResult, tookMs: number | undefined) => void;
}

const NO_CALL: Readonly<Record<NoCall, KvkNoAnswer>> = {
  budget: codes.BUDGET_SPENT,
  "free-share": codes.SHARE_SPENT,
  outage: codes.TOO_MANY_UNANSWERED,
};

/** Results of calls that were not sent to KVK. */
const NOT_SENT: ReadonlySet<KvkResult> = new Set([
  codes.NOT_ASKED,
  codes.QUEUED_TOO_LONG,
  ...Object.values(NO_CALL),
]);

const MAX_CONCURRENT = 64;
const MAX_QUEUED = 10_000;
const PER_SECOND = 100;
/** A little more than a second, because evenly spaced calls may arrive in bursts. */
const SECOND_MS = 1_050;

/** Calls KVK within its rate limit, the operator's budget and a deadline; sends nothing while breakers are open. */
export class KvkClient {
  readonly #options: KvkClientOptions;
  readonly #bulkhead: Bulkhead;
  readonly #rate: RateLimiter;
  readonly #retry: Retry<KvkResult>;

  constructor(options: KvkClientOptions) {
    const { atOnce = MAX_CONCURRENT, perSecond = PER_SECOND, firstRetryAfterMs } = options;
    this.#options = options;
    this.#bulkhead = new Bulkhead(atOnce, MAX_QUEUED);
    this.#rate = new RateLimiter({ calls: perSecond, withinMs: SECOND_MS });
    this.#retry = new Retry({
      isWorthRetrying: (result) => result.kind === "no-answer" && result.isTransient,
      ...known("firstRetryAfterMs", firstRetryAfterMs),
    });
  }

  /** Requests `path` with retries; `deadline` cancels the call in progress. Rejects only when the budget does. */
  async ask(product: Product, path: string, deadline: AbortSignal, payer: Payer): Promise<KvkResult> {
    if (!this.#options.breakers.permits(product)) {
      this.#options.onTried?.(product, codes.NOT_ASKED, undefined);
      return codes.NOT_ASKED;
    }
    const askOnce = async () => {
      const inTurn = () =>
        this.#options.breakers.run(product, () => this.#call(product, path, deadline, payer));
      const result = (await this.#bulkhead.run(inTurn, deadline)) ?? codes.QUEUED_TOO_LONG;
      if (NOT_SENT.has(result)) this.#options.onTried?.(product, result, undefined);
      return result;
    };
    return this.#retry.run(askOnce, deadline, codes.CUT_SHORT);
  }

  async #call(product: Product, path: string, deadline: AbortSignal, payer: Payer): Promise<KvkResult> {
    // The rate limit comes first, so that a caller that gives up while queued takes nothing from the budget.
    if (!(await this.#rate.take(deadline))) return codes.QUEUED_TOO_LONG;
    if (!isPaid(product)) return (await this.#send(product, path, deadline)).result;
    const taken = await this.#options.budget.spend(payer);
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
      this.#options.onTried?.(product, codes.CUT_SHORT, undefined);
      return { result: codes.CUT_SHORT, hasArrived: false };
    }
    const startedMs = performance.now();
    const response = await this.#options.upstream.get(path, earlierOf(deadline, this.#options.callWithinMs));
    const tookMs = performance.now() - startedMs;
    const result = ofProduct(product, this.#resultOf(response, tookMs));
    this.#options.onTried?.(product, result, tookMs);
    return { result, hasArrived: response.kind !== "refused" && response.kind !== "untrusted" };
  }

  #resultOf(response: Response | NoResponse, tookMs: number): KvkResult {
    if (response.kind === "response") return readResponse(response, new Date().toISOString());
    const results: Readonly<Record<typeof response.kind, KvkNoAnswer>> = {
      "timed-out": tookMs >= this.#options.callWithinMs / 2 ? codes.TIMED_OUT : codes.CUT_SHORT,
      "too-long": codes.UNREADABLE,
      refused: codes.UNREACHABLE,
      untrusted: codes.UNTRUSTED,
      broken: codes.UNREACHABLE,
    };
    return results[response.kind];
  }
}

/** A key without a subscription to the Mutatieservice is refused there, which must not pause the other products. */
function ofProduct(product: Product, result: KvkResult): KvkResult {
  return product === "abonnementen" && result === codes.KEY_REFUSED
    ? { ...result, scope: "product" }
    : result;
}
