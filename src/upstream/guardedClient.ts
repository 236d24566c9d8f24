import { earlierOf, withDeadline } from "../lib/deadline.ts";
import type { Breakers, CallResult } from "./breakers.ts";
import { Bulkhead } from "./bulkhead.ts";
import { retry } from "./retry.ts";

/** The time limits and the observer of calls. */
export interface CallOptions<Target extends string, Result> {
  /** Time limit of a single call, milliseconds. */
  readonly callWithinMs: number;
  /** Mean of the first random delay before a retry, milliseconds. */
  readonly firstRetryAfterMs?: number;
  /** Called after each try with its duration in milliseconds, undefined when nothing was sent. */
  readonly onTried?: (target: Target, result: Result, tookMs: number | undefined) => void;
}

export interface GuardedClientOptions<
  Target extends string,
  Scope extends string,
  Result extends CallResult<Scope>,
> extends CallOptions<Target, Result> {
  readonly breakers: Breakers<Target, Scope>;
  /** Calls in progress at once; at most `maxQueued` more wait. */
  readonly atOnce: number;
  readonly maxQueued: number;
  /** Whether each target has these limits of its own. */
  readonly isLimitPerTarget?: boolean;
  readonly maxRetries: number;
  /** The results of calls that end here. */
  readonly results: {
    /** Not sent: a breaker is open. */
    readonly notAsked: Result;
    /** Not sent in time: too many calls were queued. */
    readonly queuedTooLong: Result;
    /** No response within the time limit of a call. */
    readonly timedOut: Result;
    /** The deadline ended soon after the call was sent, which says nothing about the upstream. */
    readonly cutShort: Result;
    /** The deadline ended first. */
    readonly late: Result;
  };
}

/** Sends one request within the time limit of a call; `signal` cancels it. */
export type SendRequest<Result> = (request: (signal: AbortSignal) => Promise<Result>) => Promise<Result>;

/** Calls an upstream: few calls at once, retries where they can help, and nothing while a breaker is open. */
export class GuardedClient<Target extends string, Scope extends string, Result extends CallResult<Scope>> {
  readonly #options: GuardedClientOptions<Target, Scope, Result>;
  readonly #bulkheads = new Map<Target | "", Bulkhead>();

  constructor(options: GuardedClientOptions<Target, Scope, Result>) {
    this.#options = options;
  }

  /**
   * The result of the last try, or `late` as soon as the deadline ends. Rejects only when `call` does.
   * @param call makes one try
   */
  async ask(
    target: Target,
    deadline: AbortSignal,
    call: (send: SendRequest<Result>) => Promise<Result>,
  ): Promise<Result> {
    const { breakers, results, maxRetries, firstRetryAfterMs, onTried } = this.#options;
    if (!breakers.permits(target)) {
      onTried?.(target, results.notAsked, undefined);
      return results.notAsked;
    }
    const tries = retry(() => this.#try(target, deadline, call), {
      isWorthRetrying: ({ isTransient }) => isTransient === true,
      maxRetries,
      firstRetryAfterMs,
      deadline,
    });
    return (await withDeadline(deadline, tries)) ?? results.late;
  }

  async #try(
    target: Target,
    deadline: AbortSignal,
    call: (send: SendRequest<Result>) => Promise<Result>,
  ): Promise<Result> {
    const { breakers, results, callWithinMs, onTried } = this.#options;
    let isSent = false;
    const send: SendRequest<Result> = async (request) => {
      if (deadline.aborted) return results.cutShort;
      isSent = true;
      const startedMs = performance.now();
      const received = await request(earlierOf(deadline, callWithinMs));
      const tookMs = performance.now() - startedMs;
      const isCutShort = received === results.timedOut && tookMs < callWithinMs / 2;
      const result = isCutShort ? results.cutShort : received;
      onTried?.(target, result, tookMs);
      return result;
    };
    const inTurn = async () => (await breakers.run(target, () => call(send))) ?? results.notAsked;
    const result = (await this.#bulkheadOf(target).run(inTurn, deadline)) ?? results.queuedTooLong;
    if (!isSent) onTried?.(target, result, undefined);
    return result;
  }

  #bulkheadOf(target: Target): Bulkhead {
    const { atOnce, maxQueued, isLimitPerTarget } = this.#options;
    const name = isLimitPerTarget === true ? target : "";
    const bulkhead = this.#bulkheads.get(name) ?? new Bulkhead(atOnce, maxQueued);
    this.#bulkheads.set(name, bulkhead);
    return bulkhead;
  }
}
