import { ExponentialBackoff, handleWhenResult, type RetryPolicy, retry } from "cockatiel";
import { withDeadline } from "../lib/deadline.ts";

export interface TriesOptions<Word> {
  readonly isWorthAnotherTry: (word: Word) => boolean;
  /** The middle of the first, scattered pause before another try, milliseconds. */
  readonly firstRetryAfterMs?: number;
}

const MOST_RETRIES = 2;
const FIRST_RETRY_AFTER_MS = 250;
const LAST_RETRY_AFTER_MS = 1_500;

/** Calls again where that can help: twice at most, with growing, scattered pauses, within a deadline. */
export class Tries<Word> {
  readonly #retry: RetryPolicy;

  constructor({ isWorthAnotherTry, firstRetryAfterMs = FIRST_RETRY_AFTER_MS }: TriesOptions<Word>) {
    this.#retry = retry(
      handleWhenResult((word) => isWorthAnotherTry(word as Word)),
      {
        maxAttempts: MOST_RETRIES,
        // Its delays are random ("decorrelated jitter"), so that those who failed together do not come back together.
        backoff: new ExponentialBackoff({ initialDelay: firstRetryAfterMs, maxDelay: LAST_RETRY_AFTER_MS }),
      },
    );
  }

  /** The last word of the calls; `late` as soon as the deadline ends, whatever is under way. Rejects only when `call` does. */
  async run(call: () => Promise<Word>, deadline: AbortSignal, late: Word): Promise<Word> {
    return (await withDeadline(deadline, this.#retry.execute(call, deadline))) ?? late;
  }
}
