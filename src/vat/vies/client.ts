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
  /** Calls under way at once for one state. */
  readonly perState: number;
  /** One call to VIES gets this long, milliseconds. */
  readonly callWithinMs: number;
  /** The middle of the first, scattered pause before another try, milliseconds. */
  readonly firstRetryAfterMs?: number;
}

/** Waiting for a state costs little; beyond this a number is told that it waits in vain. */
const MOST_QUEUED_PER_STATE = 10_000;

/**
 * Asks VIES as politely as it needs to be asked: few calls at once for a state, a second and third try with growing,
 * scattered pauses where that can help, none at all where calls have just failed.
 */
export class ViesClient {
  readonly #upstream: ViesUpstream;
  readonly #breakers: Breakers;
  readonly #perState: number;
  readonly #callWithinMs: number;
  readonly #bulkheads = new Map<StateCode, Bulkhead>();
  readonly #retry: Retry<ViesResult>;

  constructor({ upstream, breakers, perState, callWithinMs, ...retry }: ViesClientOptions) {
    this.#upstream = upstream;
    this.#breakers = breakers;
    this.#perState = perState;
    this.#callWithinMs = callWithinMs;
    this.#retry = new Retry({ isWorthRetrying, ...retry });
  }

  /**
   * VIES's result on a number, within `deadline`, which ends whatever is under way. Never rejects: an upstream that
   * fails is a result like any other.
   */
  async ask(number: VatNumber, requester: Requester | undefined, deadline: AbortSignal): Promise<ViesResult> {
    if (!this.#breakers.permits(number.countryCode)) return NOT_ASKED;
    return this.#retry.run(() => this.#askOnce(number, requester, deadline), deadline, TIMED_OUT);
  }

  async #askOnce(
    number: VatNumber,
    requester: Requester | undefined,
    deadline: AbortSignal,
  ): Promise<ViesResult> {
    const inTurn = () => this.#breakers.run(number, () => this.#call(number, requester, deadline));
    return (await this.#bulkheadOf(number.countryCode).run(inTurn, deadline)) ?? QUEUED_TOO_LONG;
  }

  async #call(
    number: VatNumber,
    requester: Requester | undefined,
    deadline: AbortSignal,
  ): Promise<ViesResult> {
    const startedMs = performance.now();
    const ofCall = earlierOf(deadline, this.#callWithinMs);
    const result = await this.#upstream.check(number, requester, ofCall);
    const hadItsTime = performance.now() - startedMs >= this.#callWithinMs / 2;
    return result === TIMED_OUT && !hadItsTime ? CUT_SHORT : result;
  }

  #bulkheadOf(state: StateCode): Bulkhead {
    let bulkhead = this.#bulkheads.get(state);
    if (bulkhead === undefined) {
      bulkhead = new Bulkhead(this.#perState, MOST_QUEUED_PER_STATE);
      this.#bulkheads.set(state, bulkhead);
    }
    return bulkhead;
  }
}

function isWorthRetrying(result: ViesResult): boolean {
  return result.kind === "no-answer" && result.isTransient;
}
