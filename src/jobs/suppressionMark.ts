import { setTimeout as pause } from "node:timers/promises";
import { ApiError } from "../contract/errors.ts";
import type { SuppressionQueries } from "../lookup/suppression/queries.ts";
import type { MarkedSuppression } from "../lookup/suppression/suppressed.ts";

const POLL_EVERY_MS = 20;
/** Processes normally follow the suppression list within two seconds. */
const KNOWN_WITHIN_MS = 5_000;
const RETRY_AFTER_SECONDS = 2;

/**
 * The version of the CSV format, on which stored sizes depend. It is part of each mark, so a new version makes all
 * stored results stale, and their sizes are computed again.
 */
const FORM = 3;

export interface SuppressionMarkParts {
  readonly store: Pick<SuppressionQueries, "suppressionMark">;
  /** This process's copy of the suppression list. */
  readonly suppressed: Pick<MarkedSuppression, "mark">;
}

/**
 * The mark of the suppression list that results are checked against, which reveals results checked against an older
 * list.
 */
export class SuppressionMark {
  readonly #parts: SuppressionMarkParts;

  constructor(parts: SuppressionMarkParts) {
    this.#parts = parts;
  }

  /** Returns the mark of this process's copy, which may be a moment old. */
  known(): string {
    return `${FORM} ${this.#parts.suppressed.mark}`;
  }

  /**
   * Waits until this process's copy is at least as new as the stored list, and returns its mark.
   * @throws {StoreUnavailable} (the promise)
   * @throws {ApiError} SERVICE_UNAVAILABLE (the promise) if the copy does not catch up
   */
  async current(): Promise<string> {
    const { store, suppressed } = this.#parts;
    let seen = suppressed.mark;
    let stored = await store.suppressionMark();
    const endMs = performance.now() + KNOWN_WITHIN_MS;
    // The first update may have been read before this call began; the second was read after it.
    for (let updates = 0; updates < 2 && suppressed.mark !== stored; ) {
      if (performance.now() > endMs) {
        throw new ApiError(
          "SERVICE_UNAVAILABLE",
          "the suppression list has just changed and this node does not have it yet; try again in two seconds",
          { retryAfterSeconds: RETRY_AFTER_SECONDS },
        );
      }
      await pause(POLL_EVERY_MS);
      if (suppressed.mark === seen) continue;
      updates += 1;
      seen = suppressed.mark;
      stored = await store.suppressionMark();
    }
    return this.known();
  }
}
