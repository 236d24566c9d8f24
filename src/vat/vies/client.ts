import {
  type BulkheadPolicy,
  bulkhead,
  ExponentialBackoff,
  handleWhenResult,
  isBulkheadRejectedError,
  isTaskCancelledError,
  type RetryPolicy,
  retry,
} from "cockatiel";
import type { VatNumber } from "../numbers/parse.ts";
import type { StateCode } from "../numbers/states.ts";
import type { Breakers } from "./breakers.ts";
import { CUT_SHORT, NOT_ASKED, QUEUED_TOO_LONG, TIMED_OUT } from "./codes.ts";
import type { Requester, ViesUpstream } from "./upstream.ts";
import type { Word } from "./words.ts";

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

const MOST_RETRIES = 2;
const FIRST_RETRY_AFTER_MS = 250;
const LAST_RETRY_AFTER_MS = 1_500;
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
  readonly #queues = new Map<StateCode, BulkheadPolicy>();
  readonly #retry: RetryPolicy;

  constructor({
    upstream,
    breakers,
    perState,
    callWithinMs,
    firstRetryAfterMs = FIRST_RETRY_AFTER_MS,
  }: ViesClientOptions) {
    this.#upstream = upstream;
    this.#breakers = breakers;
    this.#perState = perState;
    this.#callWithinMs = callWithinMs;
    this.#retry = retry(
      handleWhenResult((word) => isWorthAnotherTry(word)),
      {
        maxAttempts: MOST_RETRIES,
        // Its delays are random ("decorrelated jitter"), so that those who failed together do not come back together.
        backoff: new ExponentialBackoff({
          initialDelay: firstRetryAfterMs,
          maxDelay: LAST_RETRY_AFTER_MS,
        }),
      },
    );
  }

  /**
   * VIES's word on a number, within `deadline`, which ends whatever is under way. Never rejects: an upstream that
   * fails is a word like any other.
   */
  async ask(number: VatNumber, requester: Requester | undefined, deadline: AbortSignal): Promise<Word> {
    const state = number.countryCode;
    if (!this.#breakers.admits(state)) return NOT_ASKED;
    const inTime = endOf(deadline);
    try {
      const word = this.#retry.execute(() => this.#askOnce(number, requester, deadline), deadline);
      return await Promise.race([word, inTime.ended]);
    } finally {
      inTime.forget();
    }
  }

  async #askOnce(number: VatNumber, requester: Requester | undefined, deadline: AbortSignal): Promise<Word> {
    const state = number.countryCode;
    try {
      return await this.#queueOf(state).execute(
        () => this.#breakers.run(state, () => this.#call(number, requester, deadline)),
        deadline,
      );
    } catch (error) {
      if (isBulkheadRejectedError(error) || isTaskCancelledError(error)) return QUEUED_TOO_LONG;
      throw error;
    }
  }

  async #call(number: VatNumber, requester: Requester | undefined, deadline: AbortSignal): Promise<Word> {
    const startedMs = performance.now();
    const inTime = AbortSignal.any([deadline, AbortSignal.timeout(this.#callWithinMs)]);
    const word = await this.#upstream.check(number, requester, inTime);
    const hadItsTime = performance.now() - startedMs >= this.#callWithinMs / 2;
    return word === TIMED_OUT && !hadItsTime ? CUT_SHORT : word;
  }

  #queueOf(state: StateCode): BulkheadPolicy {
    let queue = this.#queues.get(state);
    if (queue === undefined) {
      queue = bulkhead(this.#perState, MOST_QUEUED_PER_STATE);
      this.#queues.set(state, queue);
    }
    return queue;
  }
}

function isWorthAnotherTry(result: unknown): boolean {
  const word = result as Word;
  return word.kind === "no-answer" && word.isTransient;
}

/** Fulfilled when a signal ends; to be forgotten, or a long-lived signal would gather listeners. */
function endOf(signal: AbortSignal): { readonly ended: Promise<Word>; forget(): void } {
  let onEnd = (): void => {};
  const ended = new Promise<Word>((resolve) => {
    onEnd = () => resolve(TIMED_OUT);
    if (signal.aborted) onEnd();
    else signal.addEventListener("abort", onEnd, { once: true });
  });
  return { ended, forget: () => signal.removeEventListener("abort", onEnd) };
}
