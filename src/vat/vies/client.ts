import { earlierOf } from "../../lib/deadline.ts";
import { Bulkhead } from "../../upstream/bulkhead.ts";
import { Retry } from "../../upstream/retry.ts";
import type { VatNumber } from "../numbers/parse.ts";
import type { StateCode } from "../numbers/states.ts";
import type { Breakers } from "./breakers.ts";
import { CUT_SHORT, NOT_ASKED, QUEUED_TOO_LONG, TIMED_OUT } from "./codes.ts";
import type { ViesResult } from "./results.ts";
import type { Requester, ViesUpstream } from "./upstream.ts";

export interface ViesClientOptions {
  readonly upstream: ViesUpstream;
  readonly breakers: Breakers;
  /** The maximum of concurrent calls for one state. */
  readonly perState: number;
  /** The time limit of one call, milliseconds. */
  readonly callWithinMs: number;
  /** The mean of the first, random pause before another try, milliseconds. */
  readonly firstRetryAfterMs?: number;
  /** Called after each try with the duration of the call, milliseconds; undefined when VIES was not asked. */
  readonly onTried?: (state: StateCode, result: ViesResult, tookMs: number | undefined) => void;
}

/** Results of tries that never reached VIES. */
const UNASKED: ReadonlySet<ViesResult> = new Set([NOT_ASKED, QUEUED_TOO_LONG]);

const MAX_QUEUED_PER_STATE = 10_000;

/**
 * Asks VIES: few calls at once for each state, at most two retries with growing, random pauses where that can help, and none
 * while a breaker is open.
 */
export class ViesClient {
  readonly #upstream: ViesUpstream;
  readonly #breakers: Breakers;
  readonly #perState: number;
  readonly #callWithinMs: number;
  readonly #bulkheads = new Map<StateCode, Bulkhead>();
  readonly #retry: Retry<ViesResult>;
  readonly #onTried: NonNullable<ViesClientOptions["onTried"]>;

  constructor(options: ViesClientOptions) {
    const { upstream, breakers, perState, callWithinMs, onTried = () => {}, ...retry } = options;
    this.#upstream = upstream;
    this.#breakers = breakers;
    this.#perState = perState;
    this.#callWithinMs = callWithinMs;
    this.#onTried = onTried;
    this.#retry = new Retry({ isWorthRetrying, ...retry });
  }

  /** Asks VIES about a number. `deadline` aborts the call. Never rejects. */
  async ask(number: VatNumber, requester: Requester | undefined, deadline: AbortSignal): Promise<ViesResult> {
    if (!this.#breakers.permits(number.countryCode)) {
      this.#onTried(number.countryCode, NOT_ASKED, undefined);
      return NOT_ASKED;
    }
    return this.#retry.run(() => this.#askOnce(number, requester, deadline), deadline, TIMED_OUT);
  }

  async #askOnce(
    number: VatNumber,
    requester: Requester | undefined,
    deadline: AbortSignal,
  ): Promise<ViesResult> {
    const inTurn = () => this.#breakers.run(number, () => this.#call(number, requester, deadline));
    const result = (await this.#bulkheadOf(number.countryCode).run(inTurn, deadline)) ?? QUEUED_TOO_LONG;
    if (UNASKED.has(result)) this.#onTried(number.countryCode, result, undefined);
    return result;
  }

  async #call(
    number: VatNumber,
    requester: Requester | undefined,
    deadline: AbortSignal,
  ): Promise<ViesResult> {
    const startedMs = performance.now();
    const ofCall = earlierOf(deadline, this.#callWithinMs);
    const received = await this.#upstream.check(number, requester, ofCall);
    const tookMs = performance.now() - startedMs;
    const result = received === TIMED_OUT && tookMs < this.#callWithinMs / 2 ? CUT_SHORT : received;
    this.#onTried(number.countryCode, result, tookMs);
    return result;
  }

  #bulkheadOf(state: StateCode): Bulkhead {
    const bulkhead = this.#bulkheads.get(state) ?? new Bulkhead(this.#perState, MAX_QUEUED_PER_STATE);
    this.#bulkheads.set(state, bulkhead);
    return bulkhead;
  }
}

function isWorthRetrying(result: ViesResult): boolean {
  return result.kind === "no-answer" && result.isTransient;
}
