const TELL_EVERY_MS = 60_000;
const MOST_CAUSES = 5;
const OTHERS = "other causes";

/** What was lost and why: told at once, and what comes after that once a minute. */
export class Losses {
  readonly #tell: (reason: string) => void;
  /** Spans that were lost since it was told, by cause; 0 where nobody knows how many. */
  readonly #untold = new Map<string, number>();
  #quiet: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(tell: (reason: string) => void) {
    this.#tell = tell;
  }

  /** @param cause one out of few; without anything that came from outside */
  add(cause: string, spans: number): void {
    if (this.#isClosed) return;
    const isRoom = this.#untold.has(cause) || this.#untold.size < MOST_CAUSES;
    const among = isRoom ? cause : OTHERS;
    this.#untold.set(among, (this.#untold.get(among) ?? 0) + spans);
    if (this.#quiet === undefined) this.#tellAll();
  }

  /** Tells what is left to tell, and nothing after that. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#quiet);
    if (this.#untold.size > 0) this.#tell(this.#reason());
  }

  #tellAll(): void {
    const reason = this.#reason();
    this.#untold.clear();
    this.#quiet = setTimeout(() => {
      this.#quiet = undefined;
      if (this.#untold.size > 0) this.#tellAll();
    }, TELL_EVERY_MS).unref();
    this.#tell(reason);
  }

  #reason(): string {
    return [...this.#untold]
      .map(([cause, spans]) => (spans === 0 ? cause : `${cause} (${spans} spans)`))
      .join("; ");
  }
}
