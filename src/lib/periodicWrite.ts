/**
 * Writes collected data periodically, one write at a time: a caller that asks during a write gets that write (single
 * flight). The timer does not keep the process alive.
 */
export class PeriodicWrite {
  readonly #write: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #inProgress: Promise<void> | undefined;

  /** @param write writes the data collected so far, and never rejects */
  constructor(write: () => Promise<void>, everyMs: number) {
    this.#write = write;
    this.#timer = setInterval(() => void this.now(), everyMs).unref();
  }

  /** Writes now, unless a write is running. Never rejects. */
  now(): Promise<void> {
    this.#inProgress ??= this.#write().finally(() => {
      this.#inProgress = undefined;
    });
    return this.#inProgress;
  }

  /** Writes the rest, then stops. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#inProgress;
    await this.now();
  }
}
