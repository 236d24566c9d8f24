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
/** A company without an answer must not block the others. */
const SKIP_FOR_MS = 3_600_000;
const MAX_SKIPPED = 1_000;
/** More than are skipped at once would be needed to block the rest. */
const MAX_CANDIDATES = MAX_SKIPPED + 1;
const IN_A_TURN = 20;
const IDLE_MS = 300_000;
const BUSY_MS = 60_000;

/** Asks about monitored companies once a week, the oldest answers first. */
export class PeppolRechecks {
  readonly #parts: RecheckParts;
  /** Companies without an answer, and when they may be asked about again. */
  readonly #skipped = boundedCache<KvkNumber, number>(MAX_SKIPPED);

  constructor(parts: RecheckParts) {
    this.#parts = parts;
  }

  async run(_: Turn, ending: AbortSignal): Promise<TurnEnd> {
    const { store, verdicts, type, now } = this.#parts;
    const nowMs = now();
    const candidates = await store.peppolDue(type, nowMs - WEEK_MS, MAX_CANDIDATES);
    const due = candidates.filter((one) => (this.#skipped.get(one) ?? 0) <= nowMs);
    for (const kvkNumber of due.slice(0, IN_A_TURN)) {
      if (ending.aborted) break;
      const answer = await verdicts.fromNetwork(kvkNumber);
      // Callers come first.
      if (answer === "busy") return { waitMs: BUSY_MS };
      if (answer === "no-answer" || answer.ageSeconds !== undefined)
        this.#skipped.set(kvkNumber, nowMs + SKIP_FOR_MS);
    }
    return { waitMs: due.length > IN_A_TURN ? 0 : IDLE_MS };
  }
}
