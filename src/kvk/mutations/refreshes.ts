import type { Turn, TurnEnd } from "../../lib/turns.ts";
import { dutchDayEndMs } from "../budget/dutchDay.ts";
import type { LiveCompanies } from "../cache/liveCompanies.ts";
import type { Signal } from "../monitored/stored.ts";
import type { MonitorSourceQueries } from "../queries/monitorSources.ts";

export interface RefreshesParts {
  readonly companies: Pick<LiveCompanies, "renew" | "unavailableBecause">;
  readonly store: MonitorSourceQueries;
  readonly now?: () => number;
}

/** The time between two polls for signals. */
const REFRESH_EVERY_MS = 5_000;
const MAX_SIGNALS = 200;
/** How long a turn begins further refreshes. */
const TURN_MS = 20_000;
const DEADLINE_MS = 20_000;
const MAX_FAILURES_IN_A_ROW = 3;
const FAILED_WAIT_MS = 60_000;
const MAX_WAIT_MS = 600_000;
/** KVK asks to come back in five minutes while it updates a company. */
const LATER_MS = 300_000;
const AFTER_OUTAGE_MS = 120_000;
const AFTER_REFUSAL_MS = 6 * 3_600_000;

/**
 * Refreshes the companies that signals name, within the day's budget of paid calls. Signals of one company that wait
 * together share a refresh. A signal is complete when the new data is stored; until then it is tried again.
 */
export class Refreshes {
  readonly #parts: RefreshesParts;
  readonly #now: () => number;

  constructor(parts: RefreshesParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
  }

  async run(_turn: Turn, ending: AbortSignal): Promise<TurnEnd> {
    const { companies, store } = this.#parts;
    const endMs = performance.now() + TURN_MS;
    const due = Map.groupBy(await store.dueSignals(MAX_SIGNALS), ({ kvkNumber }) => kvkNumber);
    let failuresInARow = 0;
    for (const [kvkNumber, signals] of due) {
      if (ending.aborted || performance.now() >= endMs) return { waitMs: 0 };
      const cause = await this.#refresh(kvkNumber, signals, ending);
      if (cause === "budget") {
        const nowMs = this.#now();
        return { waitMs: Math.min(MAX_WAIT_MS, dutchDayEndMs(nowMs) - nowMs) };
      }
      failuresInARow = cause === "outage" || cause === "configuration" ? failuresInARow + 1 : 0;
      const isDown = companies.unavailableBecause !== undefined;
      if (failuresInARow >= MAX_FAILURES_IN_A_ROW || isDown) return { waitMs: FAILED_WAIT_MS };
    }
    return { waitMs: due.size === 0 ? REFRESH_EVERY_MS : 0 };
  }

  /** @returns why there was no answer; undefined if the company was refreshed */
  async #refresh(kvkNumber: Signal["kvkNumber"], signals: readonly Signal[], ending: AbortSignal) {
    const { companies, store } = this.#parts;
    const ids = signals.map(({ id }) => id);
    const deadline = AbortSignal.any([ending, AbortSignal.timeout(DEADLINE_MS)]);
    const isAboutBranch = signals.some((signal) => signal.isAboutBranch);
    const hit = await companies.renew(kvkNumber, "other", deadline, isAboutBranch);
    if (hit.kind === "hit") {
      await store.completeSignals(ids);
      return undefined;
    }
    if (hit.cause !== "budget") await store.postponeSignals(ids, waitAfter(hit.cause));
    return hit.cause;
  }
}

function waitAfter(cause: string): number {
  if (cause === "later") return LATER_MS;
  return cause === "request" ? AFTER_REFUSAL_MS : AFTER_OUTAGE_MS;
}
