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
  /** Told of each try, and how long VIES took for it, milliseconds; undefined when VIES was not asked. */
  readonly onTried?: (state: StateCode, result: ViesResult, tookMs: number | undefined) => void;
}

/** What a try comes to that never reached VIES. */
const UNASKED: ReadonlySet<ViesResult> = new Set([NOT_ASKED, QUEUED_TOO_LONG]);

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

  /**
   * VIES's result on a number, within `deadline`, which ends whatever is under way. Never rejects: an upstream that
   * fails is a result like any other.
   */
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
    const told = await this.#upstream.check(number, requester, ofCall);
    const tookMs = performance.now() - startedMs;
    const result = told === TIMED_OUT && tookMs < this.#callWithinMs / 2 ? CUT_SHORT : told;
    this.#onTried(number.countryCode, result, tookMs);
    return result;
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
