import { boundedCache } from "../../lib/boundedCache.ts";
import type { Turn, TurnEnd } from "../../lib/turns.ts";
import { dutchDay, dutchDayEndMs } from "../budget/dutchDay.ts";
import type { LiveCompanies } from "../cache/liveCompanies.ts";
import type { MonitorSourceQueries } from "../queries/monitorSources.ts";
import { OldestFirst } from "./oldestFirst.ts";

export interface RenewalsParts {
  readonly companies: Pick<LiveCompanies, "renew" | "read" | "fromMemory">;
  readonly store: MonitorSourceQueries;
  /** Paid calls per day. */
  readonly calls: number;
  /** Age from which a company is renewed, milliseconds. */
  readonly renewAfterMs: number;
  readonly now?: () => number;
}

const MAX_ACCOUNTS_IN_MEMORY = 1_000;
/** The number of accounts to look at in one turn. */
const MAX_ACCOUNTS_A_TURN = 50;
/** The wait after a turn in which no company was due. */
const NONE_DUE_MS = 5_000;
const IDLE_MS = 60_000;
const MAX_WAIT_MS = 600_000;
const DEADLINE_MS = 30_000;
const DAY_MS = 86_400_000;
const MIN_EVERY_MS = 1_000;

/** The time between two renewals, milliseconds, so that the calls of a day are spread over the day. */
export function renewalEveryMs(calls: number): number {
  return Math.max(MIN_EVERY_MS, Math.floor(DAY_MS / Math.max(1, calls)));
}

/**
 * Renews monitored companies with a share of the day's paid calls, one per turn. The accounts take turns. In its turn,
 * an account's company with no answer, or the oldest one, is renewed.
 */
export class Renewals {
  readonly #parts: RenewalsParts;
  readonly #now: () => number;
  readonly #queues = boundedCache<string, OldestFirst>(MAX_ACCOUNTS_IN_MEMORY);

  constructor(parts: RenewalsParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
  }

  /** @param turn its cursor is the account of the last renewal */
  async run(turn: Turn, ending: AbortSignal): Promise<TurnEnd> {
    const { store, calls } = this.#parts;
    const spent = await store.monitorCalls(dutchDay(this.#now()));
    if (spent >= calls) return { waitMs: this.#untilTomorrowMs() };
    let { cursor } = turn;
    let hasWrapped = false;
    for (let looked = 0; looked < MAX_ACCOUNTS_A_TURN && !ending.aborted; looked++) {
      const accountId = await store.nextAccountWithMonitors(cursor);
      if (accountId === undefined) {
        if (hasWrapped || cursor === "") return { cursor: "", waitMs: IDLE_MS };
        hasWrapped = true;
        cursor = "";
        continue;
      }
      cursor = accountId;
      const waitMs = await this.#renewOne(accountId, ending);
      if (waitMs !== undefined) return { cursor, waitMs };
    }
    return { cursor, waitMs: NONE_DUE_MS };
  }

  /** Renews the oldest company of an account. @returns the wait afterwards; undefined if no company is due */
  async #renewOne(accountId: string, ending: AbortSignal): Promise<number | undefined> {
    const { companies, renewAfterMs, calls } = this.#parts;
    const queue = this.#queueOf(accountId);
    for (;;) {
      const kvkNumber = await queue.next(ending);
      if (kvkNumber === undefined) return undefined;
      await companies.read([kvkNumber]);
      const answeredAtMs = companies.fromMemory(kvkNumber)?.answeredAtMs ?? 0;
      // Renewed since, for another account or by a caller.
      if (this.#now() - answeredAtMs < renewAfterMs) continue;
      const deadline = AbortSignal.any([ending, AbortSignal.timeout(DEADLINE_MS)]);
      const hit = await companies.renew(kvkNumber, "monitors", deadline);
      if (hit.kind === "hit") return renewalEveryMs(calls);
      if (hit.cause === "budget") return Math.min(this.#untilTomorrowMs(), MAX_WAIT_MS);
      if (!ending.aborted) queue.skip(kvkNumber);
      return Math.max(renewalEveryMs(calls), IDLE_MS);
    }
  }

  #queueOf(accountId: string): OldestFirst {
    const known = this.#queues.get(accountId);
    if (known !== undefined) return known;
    const { store, renewAfterMs } = this.#parts;
    const queue = new OldestFirst({
      readPage: (after, limit) => store.monitoredOf(accountId, after, limit),
      renewAfterMs,
      now: this.#now,
    });
    this.#queues.set(accountId, queue);
    return queue;
  }

  #untilTomorrowMs(): number {
    const nowMs = this.#now();
    return Math.max(MIN_EVERY_MS, dutchDayEndMs(nowMs) - nowMs);
  }
}
