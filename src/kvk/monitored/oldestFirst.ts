import { setTimeout as pause } from "node:timers/promises";
import type { KvkNumber } from "../../contract/numbers.ts";
import type { MonitoredAnswer } from "./stored.ts";

export interface OldestFirstParts {
  /** Reads the companies after a number, by number; none at the end. */
  readonly readPage: (after: string, limit: number) => Promise<readonly MonitoredAnswer[]>;
  /** Age from which an answer is due, milliseconds. */
  readonly renewAfterMs: number;
  readonly now: () => number;
}

const PAGE = 500;
/** Lets callers use the state between two pages. */
const PAGE_PAUSE_MS = 20;
/** The number of companies to remember; then all are read again. */
const MAX_REMEMBERED = 100;
/** After this time all are read again, because companies are added. */
const READ_AGAIN_MS = 600_000;
/** If all are young, they are read again after this time. */
const IDLE_MS = 60_000;
/** A company without an answer must not block the others. */
const SKIP_FOR_MS = 3_600_000;

/**
 * The companies of an account whose answers are missing or oldest. Any number of them is read in small pages, and only
 * the oldest are remembered, so that no query sorts all.
 */
export class OldestFirst {
  readonly #parts: OldestFirstParts;
  readonly #skippedUntilMs = new Map<KvkNumber, number>();
  #oldest: MonitoredAnswer[] = [];
  #readAtMs = Number.NEGATIVE_INFINITY;
  /** More were due at the last reading than are remembered. */
  #hasMore = true;

  constructor(parts: OldestFirstParts) {
    this.#parts = parts;
  }

  /** Takes the next company that is due, if any. Another process may have renewed it since. */
  async next(ending: AbortSignal): Promise<KvkNumber | undefined> {
    const nowMs = this.#parts.now();
    const ageMs = Math.abs(nowMs - this.#readAtMs);
    if (ageMs >= (this.#hasMore ? 0 : IDLE_MS) && (this.#oldest.length === 0 || ageMs >= READ_AGAIN_MS)) {
      await this.#read(ending);
    }
    return this.#oldest.shift()?.kvkNumber;
  }

  /** Leaves a company out for an hour. */
  skip(kvkNumber: KvkNumber): void {
    const nowMs = this.#parts.now();
    for (const [one, untilMs] of this.#skippedUntilMs) if (untilMs <= nowMs) this.#skippedUntilMs.delete(one);
    this.#skippedUntilMs.set(kvkNumber, nowMs + SKIP_FOR_MS);
  }

  async #read(ending: AbortSignal): Promise<void> {
    const { readPage, renewAfterMs, now } = this.#parts;
    const nowMs = now();
    let oldest: MonitoredAnswer[] = [];
    for (let after = ""; !ending.aborted; ) {
      const page = await readPage(after, PAGE);
      const due = page.filter(
        ({ kvkNumber, answeredAtMs }) =>
          nowMs - answeredAtMs >= renewAfterMs && (this.#skippedUntilMs.get(kvkNumber) ?? 0) <= nowMs,
      );
      oldest = [...oldest, ...due].sort((a, b) => a.answeredAtMs - b.answeredAtMs).slice(0, MAX_REMEMBERED);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) break;
      after = last.kvkNumber;
      await pause(PAGE_PAUSE_MS);
    }
    this.#oldest = oldest;
    this.#hasMore = oldest.length === MAX_REMEMBERED;
    this.#readAtMs = nowMs;
  }
}
