import { withTimeout } from "./deadline.ts";

const LOOK_EVERY_MS = 1_000;
const MIN_PAUSE_MS = 50;
const FAILED_PAUSE_MS = 5_000;
const CLOSE_WITHIN_MS = 10_000;

export interface LeasedLoopOptions {
  readonly maxAtOnce?: number;
  /** Maximum time between two looks for work. */
  readonly lookEveryMs?: number;
  /** Pause of this process after each work, so that another one may claim the next. */
  readonly restMs?: number;
  /** Renews claims this often while their work runs. */
  readonly renewEveryMs?: number;
  readonly closeWithinMs?: number;
  /** Called with the first error until work succeeds again. */
  readonly onError: (error: unknown) => void;
}

/** Work that the processes of a service share: a process claims some for a time, does it, and looks for more. */
export abstract class LeasedLoop<Claim extends object> {
  readonly #options: LeasedLoopOptions;
  readonly #ends = new AbortController();
  readonly #inProgress = new Map<Claim, Promise<void>>();
  #looking: Promise<void> | undefined;
  #isNudged = false;
  #nextLook: NodeJS.Timeout | undefined;
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

  /** Looks for work now, and regularly from then on. */
  nudge(): void {
    this.#isNudged = true;
    if (this.#canLook()) this.#looking ??= this.#lookWhileNudged();
  }

  /** Claims no more, and waits a limited time for work in progress. Another process continues what is left. */
  async close(): Promise<void> {
    this.#ends.abort();
    clearTimeout(this.#nextLook);
    clearTimeout(this.#pause);
    const ended = async () => {
      await this.#looking;
      await Promise.all(this.#inProgress.values());
    };
    await withTimeout(this.#options.closeWithinMs ?? CLOSE_WITHIN_MS, ended());
  }

  #canLook(): boolean {
    return this.#pause === undefined && !this.ending.aborted;
  }

  async #lookWhileNudged(): Promise<void> {
    while (this.#isNudged && this.#canLook()) {
      this.#isNudged = false;
      await this.#claimAll().catch((error: unknown) => this.#failed(error));
    }
    this.#looking = undefined;
  }

  async #claimAll(): Promise<void> {
    const { maxAtOnce = 1, lookEveryMs = LOOK_EVERY_MS } = this.#options;
    while (this.#canLook() && this.#inProgress.size < maxAtOnce) {
      const claimed = await this.claim([...this.#inProgress.keys()]);
      if (typeof claimed === "object") this.#inProgress.set(claimed, this.#work(claimed));
      else {
        this.#hasFailed = false;
        return this.#lookIn(Math.min(claimed ?? lookEveryMs, lookEveryMs));
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
    else this.#lookIn(restMs);
  }

  #lookIn(pauseMs: number): void {
    clearTimeout(this.#nextLook);
    if (this.ending.aborted) return;
    this.#nextLook = setTimeout(() => this.nudge(), Math.max(MIN_PAUSE_MS, pauseMs)).unref();
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
