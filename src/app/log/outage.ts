export interface OutageOptions {
  readonly onAway: (reason: string) => void;
  readonly onBack: (told: {
    readonly since: string;
    readonly lastedMs: number;
    readonly refused: number;
  }) => void;
  /** Whether it is over when a while has passed without a failure; else only when something worked, too. */
  readonly endsByItself?: boolean;
}

/** So long nothing may have failed: what comes and goes is told once a second at most. */
const QUIET_MS = 1_000;

/** Something that is away or not, told when that changes, with what it cost. */
export class Outage {
  readonly #options: OutageOptions;
  /** Of failures, ever. */
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

  /** It failed, for this reason. */
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

  /** A call was refused for it. */
  refused(): void {
    this.#refused += 1;
  }

  /** It did what it should. */
  worked(): void {
    if (this.#sinceMs === undefined || this.#quiet !== undefined) return;
    this.#quiet = setTimeout(() => this.#end(), QUIET_MS).unref();
  }

  #end(): void {
    this.#quiet = undefined;
    if (this.#sinceMs === undefined) return;
    const lastedMs = Math.round(performance.now() - QUIET_MS - this.#sinceMs);
    const told = { since: this.#since, lastedMs, refused: this.#refused };
    this.#sinceMs = undefined;
    this.#refused = 0;
    this.#options.onBack(told);
  }
}
