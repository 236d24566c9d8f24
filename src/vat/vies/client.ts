import { earlierOf } from "../../lib/deadline.ts";
import { Queue } from "../../upstream/queue.ts";
import { Tries } from "../../upstream/tries.ts";
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
  readonly #queues = new Map<StateCode, Queue>();
  readonly #tries: Tries<Word>;

  constructor({ upstream, breakers, perState, callWithinMs, ...tries }: ViesClientOptions) {
    this.#upstream = upstream;
    this.#breakers = breakers;
    this.#perState = perState;
    this.#callWithinMs = callWithinMs;
    this.#tries = new Tries({ isWorthAnotherTry, ...tries });
  }

  /**
   * VIES's word on a number, within `deadline`, which ends whatever is under way. Never rejects: an upstream that
   * fails is a word like any other.
   */
  async ask(number: VatNumber, requester: Requester | undefined, deadline: AbortSignal): Promise<Word> {
    if (!this.#breakers.admits(number.countryCode)) return NOT_ASKED;
    return this.#tries.run(() => this.#askOnce(number, requester, deadline), deadline, TIMED_OUT);
  }

  async #askOnce(number: VatNumber, requester: Requester | undefined, deadline: AbortSignal): Promise<Word> {
    const state = number.countryCode;
    const inTurn = () => this.#breakers.run(state, () => this.#call(number, requester, deadline));
    return (await this.#queueOf(state).run(inTurn, deadline)) ?? QUEUED_TOO_LONG;
  }

  async #call(number: VatNumber, requester: Requester | undefined, deadline: AbortSignal): Promise<Word> {
    const startedMs = performance.now();
    const ofCall = earlierOf(deadline, this.#callWithinMs);
    const word = await this.#upstream.check(number, requester, ofCall);
    const hadItsTime = performance.now() - startedMs >= this.#callWithinMs / 2;
    return word === TIMED_OUT && !hadItsTime ? CUT_SHORT : word;
  }

  #queueOf(state: StateCode): Queue {
    let queue = this.#queues.get(state);
    if (queue === undefined) {
      queue = new Queue(this.#perState, MOST_QUEUED_PER_STATE);
      this.#queues.set(state, queue);
    }
    return queue;
  }
}

function isWorthAnotherTry(word: Word): boolean {
  return word.kind === "no-answer" && word.isTransient;
}
