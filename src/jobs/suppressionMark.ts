import type { SuppressionStore } from "../lookup/suppression/store.ts";

/** So long after it was seen to change every thread has followed the suppression list. */
const KNOWN_AFTER_MS = 10_000;
const LOOK_EVERY_MS = 2_000;

/**
 * The mark of the suppression list that results are held against. A list that has just changed may not be known here yet: until it must be,
 * what is worked carries no mark, so that it is held against the list once more.
 */
export class SuppressionMark {
  readonly #store: Pick<SuppressionStore, "suppressionMark">;
  #seen: string | undefined;
  #seenAtMs = 0;
  #lookedAtMs = Number.NEGATIVE_INFINITY;

  constructor(store: Pick<SuppressionStore, "suppressionMark">) {
    this.#store = store;
  }

  /**
   * The mark of the list as every thread knows it by now; empty when it may not.
   * @throws {StoreUnavailable} (the promise)
   */
  async known(): Promise<string> {
    const nowMs = performance.now();
    if (nowMs - this.#lookedAtMs >= LOOK_EVERY_MS) {
      const mark = await this.#store.suppressionMark();
      this.#lookedAtMs = nowMs;
      if (mark !== this.#seen) {
        // What is there when it is first asked was read when the service began.
        this.#seenAtMs = this.#seen === undefined ? Number.NEGATIVE_INFINITY : nowMs;
        this.#seen = mark;
      }
    }
    return nowMs - this.#seenAtMs >= KNOWN_AFTER_MS ? (this.#seen ?? "") : "";
  }
}
