import type { SuppressionStore } from "./store.ts";
import type { MarkedSuppression } from "./suppressed.ts";

export interface SuppressionListOptions {
  readonly store: Pick<SuppressionStore, "suppressedCompanies" | "suppressionMark">;
  readonly pollMs?: number;
}

const POLL_MS = 2_000;

/** The companies that must not be told, as this process knows the list: what is put on it anywhere counts within seconds. */
export class SuppressionList implements MarkedSuppression {
  readonly #options: SuppressionListOptions;
  #kvkNumbers: ReadonlySet<string> = new Set();
  #vatNumbers: ReadonlySet<string> = new Set();
  #mark: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(options: SuppressionListOptions) {
    this.#options = options;
  }

  /** Reads the list and follows it. @throws {StoreUnavailable} when it cannot be read: nothing may be told without it */
  static async follow(options: SuppressionListOptions): Promise<SuppressionList> {
    const list = new SuppressionList(options);
    await list.#read();
    list.#pollLater();
    return list;
  }

  get size(): number {
    return this.#kvkNumbers.size;
  }

  has(kvkNumber: string): boolean {
    return this.#kvkNumbers.size !== 0 && this.#kvkNumbers.has(kvkNumber);
  }

  hasVatNumber(vatNumber: string): boolean {
    return this.#vatNumbers.has(vatNumber);
  }

  /** Of the list as it is known here; what is known may be a little newer. */
  get mark(): string {
    return this.#mark ?? "";
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #pollLater(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      // While the store is away the list stands as it was.
      void this.#read()
        .catch(() => {})
        .finally(() => this.#pollLater());
    }, this.#options.pollMs ?? POLL_MS);
    this.#timer.unref();
  }

  async #read(): Promise<void> {
    const { store } = this.#options;
    const mark = await store.suppressionMark();
    if (mark === this.#mark) return;
    const all = await store.suppressedCompanies();
    this.#kvkNumbers = new Set(all.map(({ kvkNumber }) => kvkNumber));
    this.#vatNumbers = new Set(all.flatMap(({ vatNumbers }) => vatNumbers));
    this.#mark = mark;
  }
}
