import { PeriodicWrite } from "../lib/periodicWrite.ts";
import { dayOf } from "../lib/periods.ts";
import type { FailedCount, RecordedCall } from "./recordedCalls.ts";
import type { RecorderParts } from "./recorder.ts";

const WRITE_EVERY_MS = 2_000;
/** Maximum counts waiting to be written, about 300 bytes each: 300 KB. */
const MAX_WAITING = 1_000;
/** Refusals for rate or allowance, which the ledger counts. */
const REFUSED = 429;

/**
 * Counts failed calls by key and writes the counts periodically in one statement. Calls do not wait for it and charges
 * do not depend on it, so a killed process may lose its last counts. Counts wait while many charges wait for the store,
 * except on close. When there is no room, the oldest count is dropped.
 */
export class FailedCalls extends PeriodicWrite {
  readonly #parts: RecorderParts<"addFailedCalls">;
  #waiting = new Map<string, FailedCount>();
  #isEnding = false;

  constructor(parts: RecorderParts<"addFailedCalls">) {
    super(() => this.#writeAll(), WRITE_EVERY_MS);
    this.#parts = parts;
  }

  /** Counts a call if it failed. */
  record({
    atMs,
    keyId,
    operation,
    status,
  }: Pick<RecordedCall, "atMs" | "keyId" | "operation" | "status">): void {
    if (status < 400 || status === REFUSED) return;
    const isOurs = status >= 500;
    this.#add({ keyId, day: dayOf(atMs), operation, byCaller: isOurs ? 0 : 1, byService: isOurs ? 1 : 0 });
  }

  override close(): Promise<void> {
    this.#isEnding = true;
    return super.close();
  }

  async #writeAll(): Promise<void> {
    if (this.#waiting.size === 0 || (this.#parts.isBusy() && !this.#isEnding)) return;
    const counts = [...this.#waiting.values()];
    this.#waiting = new Map();
    try {
      await this.#parts.store.addFailedCalls(counts);
    } catch {
      // Other writers report the outage; the counts wait for its end.
      for (const count of counts) this.#add(count);
    }
  }

  #add(count: FailedCount): void {
    const id = `${count.day} ${count.keyId} ${count.operation}`;
    const waiting = this.#waiting.get(id);
    this.#waiting.set(id, {
      ...count,
      byCaller: count.byCaller + (waiting?.byCaller ?? 0),
      byService: count.byService + (waiting?.byService ?? 0),
    });
    const [first = id] = this.#waiting.keys();
    if (this.#waiting.size > MAX_WAITING) this.#waiting.delete(first);
  }
}
