export interface OutageOptions {
  readonly onAway: (reason: string) => void;
  readonly onBack: (summary: {
    readonly since: string;
    readonly lastedMs: number;
    readonly refused: number;
  }) => void;
  /** Whether it ends after a while without a failure; if not, only a success after that ends it. */
  readonly endsByItself?: boolean;
}

/** The time without a failure that ends an outage, so that flapping is logged once a second at most. */
const QUIET_MS = 1_000;

/** The state of a dependency. Logs when it changes, with the number of refused calls. */
export class Outage {
  readonly #options: OutageOptions;
  /** The number of failures so far. */
  #count = 0;
  #refused = 0;
  #sinceMs: number | undefined;
  #since = "";
  #quiet: NodeJS.Timeout | undefined;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#count;
  }

  /** Records a failure and its reason. */
  failed(reason: string): void {
    this.#count += 1;
    clearTimeout(this.#quiet);
    this.#quiet = undefined;
    if (this.#sinceMs === undefined) {
      this.#sinceMs = performance.now();
      this.#since = new Date().toISOString();
      this.#options.onAway(reason);
    }
    if (this.#options.endsByItself === true) this.worked();
  }

  /** Records a call that was refused because of it. */
  refused(): void {
    this.#refused += 1;
  }

  /** Records a success. */
  worked(): void {
    if (this.#sinceMs === undefined || this.#quiet !== undefined) return;
    this.#quiet = setTimeout(() => this.#end(), QUIET_MS).unref();
  }

  #end(): void {
    this.#quiet = undefined;
    if (this.#sinceMs === undefined) return;
    const lastedMs = Math.round(performance.now() - QUIET_MS - this.#sinceMs);
    const summary = { since: this.#since, lastedMs, refused: this.#refused };
    this.#sinceMs = undefined;
    this.#refused = 0;
    this.#options.onBack(summary);
  }
}
