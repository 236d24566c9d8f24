import type { KvkNumber } from "../contract/numbers.ts";
import { boundedCache } from "../lib/boundedCache.ts";
import type { Turn, TurnEnd } from "../lib/turns.ts";
import type { PeppolQueries } from "./queries.ts";
import type { PeppolVerdicts } from "./verdicts.ts";

export interface RecheckParts {
  readonly store: Pick<PeppolQueries, "peppolDue">;
  readonly verdicts: Pick<PeppolVerdicts, "fromNetwork">;
  /** The type of event whose monitors need the checks. */
  readonly type: string;
  readonly now: () => number;
}

const WEEK_MS = 7 * 86_400_000;
const SKIP_FOR_MS = 3_600_000;
const MAX_SKIPPED = 10_000;
const IN_A_TURN = 20;
const IDLE_MS = 300_000;
const BUSY_MS = 60_000;

/**
 * Asks about monitored companies once a week. A turn continues after the last company of the
 * one before, so that companies without an answer do not block the others.
 */
export class PeppolRechecks {
  readonly #parts: RecheckParts;
  /** Companies without an answer, and when they may be asked about again. */
  readonly #skipped = boundedCache<KvkNumber, number>(MAX_SKIPPED);

  constructor(parts: RecheckParts) {
    this.#parts = parts;
  }

  async run({ cursor }: Turn, ending: AbortSignal): Promise<TurnEnd> {
    const { store, verdicts, type, now } = this.#parts;
    const nowMs = now();
    const due = await store.peppolDue(type, nowMs - WEEK_MS, cursor, IN_A_TURN);
    let last = cursor;
    for (const kvkNumber of due) {
      if (ending.aborted) return { cursor: last, waitMs: 0 };
      if ((this.#skipped.get(kvkNumber) ?? 0) <= nowMs) {
        const answer = await verdicts.fromNetwork(kvkNumber);
        // Callers come first.
        if (answer === "busy") return { cursor: last, waitMs: BUSY_MS };
        if (answer === "no-answer" || answer.ageSeconds !== undefined)
          this.#skipped.set(kvkNumber, nowMs + SKIP_FOR_MS);
      }
      last = kvkNumber;
    }
    if (due.length === IN_A_TURN) return { cursor: last, waitMs: 0 };
    return { cursor: "", waitMs: IDLE_MS };
  }
}
