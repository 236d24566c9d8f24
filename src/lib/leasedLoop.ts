import { withTimeout } from "./deadline.ts";

const POLL_EVERY_MS = 1_000;
const MIN_PAUSE_MS = 50;
const FAILED_PAUSE_MS = 5_000;
const CLOSE_WITHIN_MS = 10_000;

export interface LeasedLoopOptions {
  readonly maxAtOnce?: number;
  /** Maximum time between two polls. */
  readonly pollEveryMs?: number;
  /** Pause of this process after each work, so that another one may claim the next. */
  readonly restMs?: number;
  /** Renews claims this often while their work runs. */
  readonly renewEveryMs?: number;
  readonly closeWithinMs?: number;
  /** Called with the first error until work succeeds again. */
  readonly onError: (error: unknown) => void;
}

/** Work that the processes of a service share: a process claims some for a time, does it, and polls for more. */
export abstract class LeasedLoop<Claim extends object> {
  readonly #options: LeasedLoopOptions;
  readonly #ends = new AbortController();
  readonly #inProgress = new Map<Claim, Promise<void>>();
  #polling: Promise<void> | undefined;
  #isNudged = false;
  #nextPoll: NodeJS.Timeout | undefined;
  /** Set while nothing is claimed because of a failure. */
  #pause: NodeJS.Timeout | undefined;
  #hasFailed = false;

  constructor(options: LeasedLoopOptions) {
    this.#options = options;
  }

  /**
   * Claims work; one call at a time.
   * @returns if there is none, nothing or the milliseconds until there may be some
   */
  protected abstract claim(inProgress: readonly Claim[]): Promise<Claim | number | undefined>;

  /** Does claimed work and ends the claim. Soon after {@link ending} is aborted, it returns. */
  protected abstract run(claimed: Claim): Promise<void>;

  /** Renews a claim. If that fails, another process claims the work, and what this one stores is refused. */
  protected renew?(claimed: Claim): Promise<unknown>;

  /** Aborted when the loop is closed. */
  protected get ending(): AbortSignal {
    return this.#ends.signal;
  }

  /** Reports an error that does not end the work. */
  protected report(error: unknown): void {
    if (!this.#hasFailed && !this.ending.aborted) this.#options.onError(error);
    this.#hasFailed = true;
  }

  /** Polls now, and regularly from then on. */
  nudge(): void {
    this.#isNudged = true;
    if (this.#canClaim()) this.#polling ??= this.#pollWhileNudged();
  }

  /** Claims no more, and waits a limited time for work in progress. Another process continues what is left. */
  async close(): Promise<void> {
    this.#ends.abort();
    clearTimeout(this.#nextPoll);
    clearTimeout(this.#pause);
    const ended = async () => {
      await this.#polling;
      await Promise.all(this.#inProgress.values());
    };
    await withTimeout(this.#options.closeWithinMs ?? CLOSE_WITHIN_MS, ended());
  }

  #canClaim(): boolean {
    return this.#pause === undefined && !this.ending.aborted;
  }

  async #pollWhileNudged(): Promise<void> {
    while (this.#isNudged && this.#canClaim()) {
      this.#isNudged = false;
      await this.#claimAll().catch((error: unknown) => this.#failed(error));
    }
    this.#polling = undefined;
  }

  async #claimAll(): Promise<void> {
    const { maxAtOnce = 1, pollEveryMs = POLL_EVERY_MS } = this.#options;
    while (this.#canClaim() && this.#inProgress.size < maxAtOnce) {
      const claimed = await this.claim([...this.#inProgress.keys()]);
      if (typeof claimed === "object") this.#inProgress.set(claimed, this.#work(claimed));
      else {
        this.#hasFailed = false;
        return this.#pollIn(Math.min(claimed ?? pollEveryMs, pollEveryMs));
      }
    }
  }

  async #work(claimed: Claim): Promise<void> {
    const { restMs, renewEveryMs } = this.#options;
    const renewing = () => void this.renew?.(claimed).catch(() => {});
    const renewal = renewEveryMs && setInterval(renewing, renewEveryMs).unref();
    try {
      await this.run(claimed);
      this.#hasFailed = false;
    } catch (error) {
      this.#failed(error);
    }
    clearInterval(renewal);
    this.#inProgress.delete(claimed);
    if (restMs === undefined) this.nudge();
    else this.#pollIn(restMs);
  }

  #pollIn(pauseMs: number): void {
    clearTimeout(this.#nextPoll);
    if (this.ending.aborted) return;
    this.#nextPoll = setTimeout(() => this.nudge(), Math.max(MIN_PAUSE_MS, pauseMs)).unref();
  }

  #failed(error: unknown): void {
    this.report(error);
    if (this.ending.aborted) return;
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined;
      this.nudge();
    }, FAILED_PAUSE_MS).unref();
  }
}
