import { LRUCache } from "lru-cache";
import { PeriodicWrite } from "../lib/periodicWrite.ts";
import type { CallStore, RecordedCall } from "./callStore.ts";

const WRITE_EVERY_MS = 1_000;
/** Calls that wait to be written, at some 200 bytes each: 200 KB, and a few milliseconds of the store. */
const MAX_WAITING = 1_000;
/** Of one key, so that a busy one does not push out the calls of others. */
const MAX_OF_A_KEY = 250;
/** Calls in one write. */
const MAX_IN_A_WRITE = 100;
/** An account's oldest calls are deleted after so many new ones. */
const TRIM_AFTER = 250;
/** At 120 bytes each. */
const MAX_ACCOUNTS = 20_000;
const TELL_EVERY_MS = 60_000;

/** What is counted of an account. */
interface Tally {
  /** New calls since its oldest were deleted. */
  sinceTrimmed: number;
}

export interface RecentCallsParts {
  readonly store: Pick<CallStore, "addCalls">;
  /** Whether charges wait for the store: then no call is written, and those that wait are left out. */
  readonly isBusy: () => boolean;
  /** Told of calls that were left out, once a minute at most. */
  readonly onLeftOut: (count: number) => void;
  /** Told of each of them at once, where it is known whose it was. */
  readonly onLeftOutOf?: (accountId: string) => void;
}

/**
 * Notes how calls went, for the lists of their accounts. They are gathered in memory and written once a second; under load they are left out
 * before anything else is: nothing waits for them, and nothing is charged by them.
 */
export class RecentCalls {
  readonly #parts: RecentCallsParts;
  readonly #writes = new PeriodicWrite(() => this.#writeAll(), WRITE_EVERY_MS);
  readonly #tallies = new LRUCache<string, Tally>({ max: MAX_ACCOUNTS });
  #waiting: { readonly accountId: string | undefined; readonly call: RecordedCall }[] = [];
  #ofKey = new Map<string, number>();
  #leftOut = 0;
  #untold = 0;
  #toldAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: RecentCallsParts) {
    this.#parts = parts;
  }

  /** How many calls this process has left out since it began. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** @param accountId undefined where the store could not be asked whose the key is */
  note(accountId: string | undefined, call: RecordedCall): void {
    const ofKey = this.#ofKey.get(call.keyId) ?? 0;
    if (this.#waiting.length >= MAX_WAITING || ofKey >= MAX_OF_A_KEY) {
      this.#leaveOut(accountId);
      return;
    }
    this.#ofKey.set(call.keyId, ofKey + 1);
    this.#waiting.push({ accountId, call });
  }

  /** Writes what was noted since, unless the last write is still under way. Never rejects. */
  write(): Promise<void> {
    return this.#writes.now();
  }

  /** Writes what is left, and notes no more. */
  close(): Promise<void> {
    return this.#writes.close();
  }

  async #writeAll(): Promise<void> {
    this.#tell();
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#ofKey = new Map();
    for (let from = 0; from < waiting.length; from += MAX_IN_A_WRITE) {
      const part = waiting.slice(from, from + MAX_IN_A_WRITE);
      if (this.#parts.isBusy()) {
        for (const { accountId } of waiting.slice(from)) this.#leaveOut(accountId);
        return;
      }
      try {
        await this.#parts.store.addCalls(
          part.map(({ call }) => call),
          this.#toTrim(part.flatMap(({ accountId }) => accountId ?? [])),
        );
      } catch {
        // An outage of the store is told by those who need it; a list of calls does without, and each more of them would wait as long.
        for (const { accountId } of waiting.slice(from)) this.#leaveOut(accountId);
        return;
      }
    }
  }

  #toTrim(accountIds: readonly string[]): string[] {
    const due = new Set<string>();
    for (const accountId of accountIds) {
      const tally = this.#tally(accountId);
      tally.sinceTrimmed += 1;
      if (tally.sinceTrimmed < TRIM_AFTER) continue;
      tally.sinceTrimmed = 0;
      due.add(accountId);
    }
    return [...due];
  }

  #leaveOut(accountId: string | undefined): void {
    this.#leftOut += 1;
    this.#untold += 1;
    if (accountId !== undefined) this.#parts.onLeftOutOf?.(accountId);
  }

  #tally(accountId: string): Tally {
    const tally = this.#tallies.get(accountId) ?? { sinceTrimmed: 0 };
    this.#tallies.set(accountId, tally);
    return tally;
  }

  #tell(): void {
    const nowMs = performance.now();
    if (this.#untold === 0 || nowMs - this.#toldAtMs < TELL_EVERY_MS) return;
    this.#toldAtMs = nowMs;
    this.#parts.onLeftOut(this.#untold);
    this.#untold = 0;
  }
}
