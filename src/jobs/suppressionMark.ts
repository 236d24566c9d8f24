import { setTimeout as pause } from "node:timers/promises";
import { ApiError } from "../contract/errors.ts";
import type { SuppressionStore } from "../lookup/suppression/store.ts";
import type { MarkedSuppression } from "../lookup/suppression/suppressed.ts";

const LOOK_EVERY_MS = 20;
/** Each process follows the list within two seconds. */
const KNOWN_WITHIN_MS = 5_000;
const RETRY_AFTER_SECONDS = 2;

/**
 * The version of how results are written as CSV, which their stored sizes depend on. It is a part of each mark: with another version all
 * stored results count as stale, and are measured anew.
 */
const FORM = 2;

export interface SuppressionMarkParts {
  readonly store: Pick<SuppressionStore, "suppressionMark">;
  /** The list as this process knows it: what it is held against. */
  readonly suppressed: Pick<MarkedSuppression, "mark">;
}

/** The mark of the suppression list that results are held against, so that it is seen which were held against an older one. */
export class SuppressionMark {
  readonly #parts: SuppressionMarkParts;

  constructor(parts: SuppressionMarkParts) {
    this.#parts = parts;
  }

  /** Of the list as this process knows it, which may be a moment old. */
  known(): string {
    return `${FORM} ${this.#parts.suppressed.mark}`;
  }

  /**
   * Of the list as it stands in the store when this is asked, or later: once this process knows it.
   * @throws {StoreUnavailable} (the promise)
   * @throws {ApiError} SERVICE_UNAVAILABLE (the promise) when this process does not come to know it
   */
  async current(): Promise<string> {
    const { store, suppressed } = this.#parts;
    let seen = suppressed.mark;
    let stored = await store.suppressionMark();
    const endMs = performance.now() + KNOWN_WITHIN_MS;
    // The first answer may have been read before the question; the next one was read later.
    for (let heard = 0; heard < 2 && suppressed.mark !== stored; ) {
      if (performance.now() > endMs) {
        throw new ApiError(
          "SERVICE_UNAVAILABLE",
          "what may be told has just changed, and is not known here yet; try again in two seconds",
          { retryAfterSeconds: RETRY_AFTER_SECONDS },
        );
      }
      await pause(LOOK_EVERY_MS);
      if (suppressed.mark === seen) continue;
      heard += 1;
      seen = suppressed.mark;
      stored = await store.suppressionMark();
    }
    return this.known();
  }
}
