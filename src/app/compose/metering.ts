import { BrowserSightings } from "../../metering/browserSightings.ts";
import type { CallStore } from "../../metering/callStore.ts";
import { FailedCalls } from "../../metering/failedCalls.ts";
import type { LedgerStore } from "../../metering/ledger.ts";
import type { LeftOutCalls } from "../../metering/leftOutCalls.ts";
import { Meter } from "../../metering/meter.ts";
import { RecentCalls } from "../../metering/recentCalls.ts";
import type { ChargeRequest, MeteringStore } from "../../metering/store.ts";
import type { Tracing } from "../../tracing/tracing.ts";
import type { Log } from "../log/log.ts";
import type { Recorder } from "../metrics/recorder.ts";
import type { Settings } from "../settings/settings.ts";

/**
 * Batches of charges at the store at once. The embedded state takes a second one when it is large enough for a sync of its own; PostgreSQL takes one, with
 * everything that came while the one before was running.
 */
export const BATCHES = {
  embedded: { batchesAtOnce: 2, minBatchSize: 32 },
  database: { batchesAtOnce: 1, minBatchSize: 1 },
} as const;

interface MeterParts {
  readonly tracing?: Tracing | undefined;
  readonly recorder?: Recorder | undefined;
  /** Called with each request of a caller. */
  readonly onCaller?: () => void;
}

/** Sends charge requests to the store in batches. */
export function composeMeter(
  { DATABASE_URL }: Settings,
  store: MeteringStore,
  logger: Log["logger"],
  { tracing, recorder, onCaller }: MeterParts,
): Meter {
  return new Meter(store, {
    ...(tracing !== undefined && { onAsked: (request: ChargeRequest) => tracing.asked(request) }),
    ...(onCaller && { onCaller }),
    ...(DATABASE_URL === undefined ? BATCHES.embedded : BATCHES.database),
    ...(recorder && { onBatch: (requests, tookMs) => recorder.batch(requests, tookMs) }),
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

/** What notes calls for the lists of their accounts; undefined where the settings want none. */
export function composeRecentCalls(
  { RECENT_CALLS }: Settings,
  store: CallStore,
  {
    meter,
    leftOut,
    logger,
  }: { readonly meter: Meter; readonly leftOut: LeftOutCalls; readonly logger: Log["logger"] },
): RecentCalls | undefined {
  if (RECENT_CALLS === "off") return undefined;
  return new RecentCalls({
    store,
    isBusy: () => meter.isBusy,
    onLeftOutOf: (accountId) => leftOut.add(accountId),
    onLeftOut: (calls) =>
      logger.warn(
        { calls },
        "calls were left out of the lists of accounts: there are too many, or the state is busy",
      ),
  });
}

/** What notes keys that pages call with though they are none for browsers. */
export function composeSightings(store: CallStore, meter: Meter): BrowserSightings {
  return new BrowserSightings({ store, isBusy: () => meter.isBusy });
}

/** What counts the calls that failed, for the usage of their accounts. */
export function composeFailedCalls(store: CallStore, meter: Meter): FailedCalls {
  return new FailedCalls({ store, isBusy: () => meter.isBusy });
}
