import type { KvkNumber } from "../../contract/numbers.ts";
import { boundedCache } from "../../lib/boundedCache.ts";
import type { Turn, TurnEnd } from "../../lib/turns.ts";
import { RATE_LIMITED } from "../api/codes.ts";
import type { OpenDataClient } from "./client.ts";
import type { OpenDataQueries } from "./queries.ts";

export interface OpenDataWorkerParts {
  readonly client: Pick<OpenDataClient, "ask">;
  readonly store: OpenDataQueries;
  /** Minimum time between two calls, milliseconds. */
  readonly everyMs: number;
  readonly now?: () => number;
}

const HOUR_MS = 3_600_000;
/** KVK renews the data each working day. */
const RENEW_AFTER_MS = 20 * HOUR_MS;
/** A company without data is not a BV or NV, and rarely becomes one. */
const NO_DATA_AFTER_MS = 30 * 24 * HOUR_MS;
/** A number without an answer must not block the others. */
const SKIP_FOR_MS = HOUR_MS;
const MAX_SKIPPED = 1_000;
const MAX_CANDIDATES = 100;
/** Candidates are read again after this time, because companies are added. */
const READ_AGAIN_MS = 600_000;
/** The wait while all data is young. */
const IDLE_MS = 60_000;
/** KVK counts the calls of all its users over this time, so calls at the right pace are refused too. */
const RATE_WINDOW_S = 300;
const DEADLINE_MS = 20_000;

/** Asks KVK's open data about monitored companies, one per turn, oldest first. */
export class OpenDataWorker {
  readonly #parts: OpenDataWorkerParts;
  readonly #now: () => number;
  #candidates: KvkNumber[] = [];
  #readAtMs = Number.NEGATIVE_INFINITY;
  /** Numbers without an answer, and when they may be asked about again. */
  readonly #skipped = boundedCache<KvkNumber, number>(MAX_SKIPPED);

  constructor(parts: OpenDataWorkerParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
  }

  async run(_: Turn, ending: AbortSignal): Promise<TurnEnd> {
    const { client, store, everyMs } = this.#parts;
    const kvkNumber = await this.#next();
    if (kvkNumber === undefined) return { waitMs: Math.max(everyMs, IDLE_MS) };
    const deadline = AbortSignal.any([ending, AbortSignal.timeout(DEADLINE_MS)]);
    const result = await client.ask(kvkNumber, deadline);
    if (result.kind !== "no-answer") {
      const value = result.kind === "found" ? result.value : {};
      await store.storeInsolvency(kvkNumber, { ...value, observedAtMs: Date.parse(result.asOf) });
      return { waitMs: everyMs };
    }
    if (result.reason === RATE_LIMITED.reason) {
      const { retryAfterSeconds = RATE_WINDOW_S } = result;
      return { waitMs: Math.max(everyMs, 1_000 * retryAfterSeconds) };
    }
    if (!ending.aborted) this.#skipped.set(kvkNumber, this.#now() + SKIP_FOR_MS);
    return { waitMs: everyMs };
  }

  /** Takes the next company that is due, if any. */
  async #next(): Promise<KvkNumber | undefined> {
    const { store } = this.#parts;
    const nowMs = this.#now();
    if (this.#candidates.length === 0 || Math.abs(nowMs - this.#readAtMs) >= READ_AGAIN_MS) {
      const [beforeMs, noDataBeforeMs] = [nowMs - RENEW_AFTER_MS, nowMs - NO_DATA_AFTER_MS];
      this.#candidates = [...(await store.openDataDue(beforeMs, MAX_CANDIDATES, noDataBeforeMs))];
      this.#readAtMs = nowMs;
    }
    for (;;) {
      const kvkNumber = this.#candidates.shift();
      if (kvkNumber === undefined) return undefined;
      const [stored] = await store.insolvencies([kvkNumber]);
      // Another process may have asked since.
      const isDue = nowMs - (stored?.observedAtMs ?? 0) >= RENEW_AFTER_MS;
      if (isDue && (this.#skipped.get(kvkNumber) ?? 0) <= nowMs) return kvkNumber;
    }
  }
}
