import type { LedgerStore } from "../../metering/ledger.ts";
import { Meter } from "../../metering/meter.ts";
import type { Tracing } from "../../tracing/tracing.ts";
import type { Log } from "../log/log.ts";
import type { SharedParts } from "./parts.ts";

/**
 * Batches of charges at the store at once. The embedded state takes a second one when it is large enough for a sync of its own; PostgreSQL takes one, with
 * everything that came while the one before was running.
 */
export const BATCHES = {
  embedded: { batchesAtOnce: 2, minBatchSize: 32 },
  database: { batchesAtOnce: 1, minBatchSize: 1 },
} as const;

interface MeterParts extends SharedParts {
  readonly tracing: Tracing | undefined;
  /** Called with each request of a caller. */
  readonly onCaller: () => void;
}

/** Sends charge requests to the store in batches. */
export function composeMeter({ settings, state, logger, tracing, recorder, onCaller }: MeterParts): Meter {
  return new Meter(tracing?.batches(state.metering) ?? state.metering, {
    ...(settings.DATABASE_URL === undefined ? BATCHES.embedded : BATCHES.database),
    onAsked: (request) => tracing?.asked(request),
    onCaller,
    onBatch: (requests, tookMs) => recorder?.batch(requests, tookMs),
    onTookBack: (aheadMs) =>
      logger.warn(
        { aheadSeconds: Math.round(aheadMs / 1_000) },
        "calls were counted by a clock that was ahead: each key and account is taken back to now with its next call",
      ),
  });
}

/** Says when windows or months of the state are ahead of the clock, be it that it was wrong then or is now. */
export async function tellAhead(ledger: LedgerStore, logger: Log["logger"]): Promise<void> {
  try {
    const ahead = await ledger.aheadOfClock();
    if (ahead === undefined) return;
    const { keys, accounts } = ahead;
    const [now, latest] = [ahead.nowMs, ahead.latestMs].map((ms) => new Date(ms).toISOString());
    logger.warn(
      { keys, accounts, now, latest },
      "the state is ahead of its clock: check that the clock is right; keys and accounts are taken back to now with their next call",
    );
  } catch (error) {
    // Looking at every key may take too long for the database; calls are decided rightly without it.
    logger.warn({ err: error }, "whether the state is ahead of its clock could not be seen");
  }
}
