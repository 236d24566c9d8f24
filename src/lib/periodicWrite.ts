/**
 * Writes what was gathered in memory now and then, one write at a time: whoever asks for one while another is under way gets
 * that one (single flight). The timer does not keep the process alive.
 */
export class PeriodicWrite {
  readonly #write: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #underWay: Promise<void> | undefined;

  /** @param write takes what was gathered until then, and never rejects */
  constructor(write: () => Promise<void>, everyMs: number) {
    this.#write = write;
    this.#timer = setInterval(() => void this.now(), everyMs).unref();
  }

  /** Writes now, unless a write is under way. Never rejects. */
  now(): Promise<void> {
    this.#underWay ??= this.#write().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  /** Writes what is left, and then no more. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#underWay;
    await this.now();
  }
}
