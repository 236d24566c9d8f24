import type { ChangeType } from "../contract/eventTypes.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import { boundedCache } from "../lib/boundedCache.ts";
import type { Turn, TurnEnd } from "../lib/turns.ts";
import type { PeppolQueries } from "./queries.ts";
import type { PeppolVerdicts } from "./verdicts.ts";

export interface RecheckParts {
  readonly store: Pick<PeppolQueries, "peppolDue">;
  readonly verdicts: Pick<PeppolVerdicts, "fromNetwork">;
  readonly now: () => number;
}

/** Monitors that name it need the checks. */
const TYPE: ChangeType = "company.peppol_changed";
const WEEK_MS = 7 * 86_400_000;
const SKIP_FOR_MS = 3_600_000;
const MAX_SKIPPED = 10_000;
const MAX_READ = 100;
/** Answers of a turn, which take less than its lease. */
const MAX_ASKED = 7;
const PAUSE_MS = 1_000;
const IDLE_MS = 300_000;
const BUSY_MS = 60_000;

/**
 * Asks about monitored companies once a week. A turn continues after the last company of the one before, so that
 * companies without an answer do not block the others.
 */
export class PeppolRechecks {
  readonly #parts: RecheckParts;
  /** Companies without an answer, and when they may be asked about again. */
  readonly #skipped = boundedCache<KvkNumber, number>(MAX_SKIPPED);

  constructor(parts: RecheckParts) {
    this.#parts = parts;
  }

  async run({ cursor }: Turn, ending: AbortSignal): Promise<TurnEnd> {
    const { store, verdicts, now } = this.#parts;
    const nowMs = now();
    const due = await store.peppolDue(TYPE, nowMs - WEEK_MS, cursor, MAX_READ);
    let last = cursor;
    let asked = 0;
    for (const kvkNumber of due) {
      if (ending.aborted || asked === MAX_ASKED) return { cursor: last, waitMs: PAUSE_MS };
      if ((this.#skipped.get(kvkNumber) ?? 0) <= nowMs) {
        asked += 1;
        const answer = await verdicts.fromNetwork(kvkNumber);
        // Callers come first.
        if (answer === "busy") return { cursor: last, waitMs: BUSY_MS };
        if (answer === "no-answer" || answer.ageSeconds !== undefined)
          this.#skipped.set(kvkNumber, nowMs + SKIP_FOR_MS);
      }
      last = kvkNumber;
    }
    return due.length === MAX_READ ? { cursor: last, waitMs: PAUSE_MS } : { cursor: "", waitMs: IDLE_MS };
  }
}
