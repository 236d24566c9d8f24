import { type BreakerOptions, Breakers } from "../../upstream/breakers.ts";
import { type CallOptions, GuardedClient, type SendRequest } from "../../upstream/guardedClient.ts";
import type { CallBudget, NoCall, PaidBy } from "../liveSource.ts";
import { KVK_PARTS } from "./breakers.ts";
import * as codes from "./codes.ts";
import { RateLimiter } from "./rateLimiter.ts";
import { readKvkResponse } from "./readResponse.ts";
import { isPaid, type KvkNoAnswer, type KvkResult, type KvkScope, type Product } from "./results.ts";
import type { KvkUpstream } from "./upstream.ts";

export interface KvkClientOptions extends CallOptions<Product, KvkResult> {
  readonly upstream: KvkUpstream;
  readonly breakers?: BreakerOptions;
  /** The budget of paid calls; each try takes one. */
  readonly budget: CallBudget;
  /** Calls in progress at once. */
  readonly atOnce?: number;
  /** Maximum calls per second; KVK allows 100. */
  readonly perSecond?: number;
}

const NO_CALL: Readonly<Record<NoCall, KvkNoAnswer>> = {
  budget: codes.BUDGET_SPENT,
  "free-share": codes.SHARE_SPENT,
  outage: codes.TOO_MANY_UNANSWERED,
};

const MAX_CONCURRENT = 64;
const MAX_QUEUED = 10_000;
const MAX_RETRIES = 2;
const PER_SECOND = 100;
/** A little more than a second, because evenly spaced calls may arrive in bursts. */
const SECOND_MS = 1_050;

/** Calls KVK within its rate limit, the operator's budget and a deadline; sends nothing while breakers are open. */
export class KvkClient {
  readonly breakers: Breakers<Product, KvkScope>;
  readonly #upstream: KvkUpstream;
  readonly #budget: CallBudget;
  readonly #rate: RateLimiter;
  readonly #client: GuardedClient<Product, KvkScope, KvkResult>;

  constructor({
    upstream,
    breakers,
    budget,
    atOnce = MAX_CONCURRENT,
    perSecond = PER_SECOND,
    ...options
  }: KvkClientOptions) {
    this.breakers = new Breakers(KVK_PARTS, breakers);
    this.#upstream = upstream;
    this.#budget = budget;
    this.#rate = new RateLimiter({ calls: perSecond, withinMs: SECOND_MS });
    this.#client = new GuardedClient<Product, KvkScope, KvkResult>({
      ...options,
      breakers: this.breakers,
      atOnce,
      maxQueued: MAX_QUEUED,
      maxRetries: MAX_RETRIES,
      results: codes.ENDED_HERE,
    });
  }

  /** Requests `path` with retries; `deadline` cancels the call in progress. Rejects only when the budget does. */
  ask(product: Product, path: string, deadline: AbortSignal, payer: PaidBy): Promise<KvkResult> {
    return this.#client.ask(product, deadline, async (send) => {
      // The rate limit comes first, so that a caller that gives up while queued takes nothing from the budget.
      if (!(await this.#rate.take(deadline))) return codes.QUEUED_TOO_LONG;
      if (!isPaid(product)) return (await this.#get(product, path, send)).result;
      const taken = await this.#budget.spend(payer);
      if (typeof taken === "string") return NO_CALL[taken];
      const { result, hasArrived } = await this.#get(product, path, send);
      if (hasArrived) taken.ended(result.kind !== "no-answer");
      else await taken.refund();
      return result;
    });
  }

  async #get(
    product: Product,
    path: string,
    send: SendRequest<KvkResult>,
  ): Promise<{ result: KvkResult; hasArrived: boolean }> {
    let hasArrived = false;
    const result = await send(async (signal) => {
      const response = await this.#upstream.get(path, signal);
      hasArrived = response.kind !== "refused" && response.kind !== "untrusted";
      if (response.kind !== "response") return codes.NO_RESPONSES[response.kind];
      return ofProduct(product, readKvkResponse(response, new Date().toISOString()));
    });
    return { result, hasArrived };
  }
}

/** A key without a subscription to the Mutatieservice is refused there, which must not pause the other products. */
function ofProduct(product: Product, result: KvkResult): KvkResult {
  return product === "abonnementen" && result === codes.KEY_REFUSED
    ? { ...result, scope: "product" }
    : result;
}
