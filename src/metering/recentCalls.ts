import { boundedCache } from "../lib/boundedCache.ts";
import { PeriodicWrite } from "../lib/periodicWrite.ts";
import type { RecordedCall } from "./recordedCalls.ts";
import type { RecorderParts } from "./recorder.ts";

const WRITE_EVERY_MS = 1_000;
/** Maximum calls waiting to be written, about 200 bytes each: 200 KB, and a few milliseconds of the store. */
const MAX_WAITING = 1_000;
/** Maximum waiting calls of one key, so that a busy key does not push out the calls of others. */
const MAX_WAITING_OF_KEY = 250;
/** Calls in one write. */
const MAX_IN_A_WRITE = 100;
/** An account's oldest calls are deleted after this many new ones. */
const TRIM_AFTER = 250;
/** 120 bytes each. */
const MAX_ACCOUNTS = 20_000;
const REPORT_EVERY_MS = 60_000;

interface WaitingCall {
  /** Undefined if the store could not be asked for the key's account. */
  readonly accountId: string | undefined;
  readonly call: RecordedCall;
}

interface RecentCallsParts extends RecorderParts<"addCalls"> {
  /** Called with the number of skipped calls, at most once a minute. */
  readonly onSkipped: (count: number) => void;
}

/**
 * Records calls for the call list of the account page. They are collected in memory and written once a second. Nothing
 * waits for them and no charge depends on them, so they are the first to be skipped under load.
 */
export class RecentCalls extends PeriodicWrite {
  readonly #parts: RecentCallsParts;
  /** New calls of accounts since their oldest were deleted. */
  readonly #sinceTrimmed = boundedCache<string, number>(MAX_ACCOUNTS);
  readonly #skipped = boundedCache<string, number>(MAX_ACCOUNTS);
  #waiting: WaitingCall[] = [];
  #waitingByKey = new Map<string, number>();
  #unreported = 0;
  #reportedAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: RecentCallsParts) {
    super(() => this.#writeAll(), WRITE_EVERY_MS);
    this.#parts = parts;
  }

  record(accountId: string | undefined, call: RecordedCall): void {
    const waitingOfKey = this.#waitingByKey.get(call.keyId) ?? 0;
    if (this.#waiting.length >= MAX_WAITING || waitingOfKey >= MAX_WAITING_OF_KEY) {
      this.#skip([{ accountId, call }]);
      return;
    }
    this.#waitingByKey.set(call.keyId, waitingOfKey + 1);
    this.#waiting.push({ accountId, call });
  }

  /**
   * Returns how many calls of an account were skipped since this process began; fewer if too many accounts called
   * since.
   */
  skippedOf(accountId: string): number {
    return this.#skipped.peek(accountId) ?? 0;
  }

  async #writeAll(): Promise<void> {
    this.#report();
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingByKey = new Map();
    while (waiting.length > 0 && !this.#parts.isBusy()) {
      const part = waiting.slice(0, MAX_IN_A_WRITE);
      try {
        await this.#parts.store.addCalls(
          part.map(({ call }) => call),
          this.#accountsToTrim(part),
        );
      } catch {
        // Other writers report the outage. The rest is skipped, because each further write would wait as long.
        break;
      }
      waiting.splice(0, part.length);
    }
    this.#skip(waiting);
  }

  #accountsToTrim(calls: readonly WaitingCall[]): string[] {
    const due = new Set<string>();
    for (const { accountId } of calls) {
      if (accountId === undefined) continue;
      const newCalls = (this.#sinceTrimmed.get(accountId) ?? 0) + 1;
      this.#sinceTrimmed.set(accountId, newCalls % TRIM_AFTER);
      if (newCalls === TRIM_AFTER) due.add(accountId);
    }
    return [...due];
  }

  #skip(calls: readonly WaitingCall[]): void {
    this.#unreported += calls.length;
    for (const { accountId } of calls) {
      if (accountId !== undefined) this.#skipped.set(accountId, this.skippedOf(accountId) + 1);
    }
  }

  #report(): void {
    const nowMs = performance.now();
    if (this.#unreported === 0 || nowMs - this.#reportedAtMs < REPORT_EVERY_MS) return;
    this.#reportedAtMs = nowMs;
    this.#parts.onSkipped(this.#unreported);
    this.#unreported = 0;
  }
}
