import type { SuppressionQueries } from "./queries.ts";
import type { MarkedSuppression } from "./suppressed.ts";

type Store = Pick<SuppressionQueries, "suppressedCompanies" | "suppressionMark" | "endedCompanies">;

const POLL_MS = 2_000;

/** The suppression list in the memory of this process; changes by any process take effect within seconds. */
export class SuppressionList implements MarkedSuppression {
  readonly #store: Store;
  #kvkNumbers: ReadonlySet<string> = new Set();
  #vatNumbers: ReadonlySet<string> = new Set();
  #ended: ReadonlySet<string> = new Set();
  #mark: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Reads the list and polls for changes.
   * @throws {StoreUnavailable} when it cannot be read, as no answer is allowed without it
   */
  static async follow(store: Store): Promise<SuppressionList> {
    const list = new SuppressionList(store);
    await list.#read();
    list.#pollLater();
    return list;
  }

  /** Another set whenever the list has changed. */
  get kvkNumbers(): ReadonlySet<string> {
    return this.#kvkNumbers;
  }

  get size(): number {
    return this.#kvkNumbers.size;
  }

  has(kvkNumber: string): boolean {
    return this.#kvkNumbers.has(kvkNumber);
  }

  hasVatNumber(vatNumber: string): boolean {
    return this.#vatNumbers.has(vatNumber);
  }

  hasEnded(kvkNumber: string): boolean {
    return this.#ended.has(kvkNumber);
  }

  /** The mark of the list in memory, which may be slightly newer. */
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
      // While the store is unavailable, the list does not change.
      void this.#read()
        .catch(() => {})
        .finally(() => this.#pollLater());
    }, POLL_MS);
    this.#timer.unref();
  }

  async #read(): Promise<void> {
    this.#ended = new Set(await this.#store.endedCompanies());
    const mark = await this.#store.suppressionMark();
    if (mark === this.#mark) return;
    const all = await this.#store.suppressedCompanies();
    this.#kvkNumbers = new Set(all.map(({ kvkNumber }) => kvkNumber));
    this.#vatNumbers = new Set(all.flatMap(({ vatNumbers }) => vatNumbers));
    this.#mark = mark;
  }
}
