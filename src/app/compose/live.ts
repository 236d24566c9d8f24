/** A live registry as a service uses it, and the limits of its paid calls. */

import { freeTiers } from "../../contract/tiers.ts";
import { dutchDay, dutchDayEndMs } from "../../kvk/budget/dutchDay.ts";
import type { FreeShare } from "../../kvk/budget/paidCalls.ts";
import type { LiveCompanies, LiveLifetimes } from "../../kvk/cache/liveCompanies.ts";
import type { LiveSearches } from "../../kvk/cache/liveSearches.ts";
import type { SignalPullsParts } from "../../kvk/mutations/signalPulls.ts";
import type { LiveQueries } from "../../kvk/queries/live.ts";
import type { Settings } from "../settings/settings.ts";
import type { Upstream } from "./parts.ts";

/** The live source. */
export interface Live extends Upstream {
  readonly companies: LiveCompanies;
  readonly searches: LiveSearches;
  /** Whether a caller of this process waits for it. */
  isAwaited(): boolean;
  /** Reads signals of the Mutatieservice; undefined without a subscription. */
  readonly signals: SignalPullsParts["source"] | undefined;
}

export function liveLifetimes(settings: Settings): LiveLifetimes {
  return {
    freshForMs: settings.KVK_FRESH_FOR * 1_000,
    notFoundFreshForMs: settings.KVK_NOT_FOUND_FRESH_FOR * 1_000,
    keepForMs: settings.KVK_KEEP_FOR * 1_000,
  };
}

/** The number of a day's paid calls available to accounts of free tiers. */
export function freeShare({ KVK_DAILY_CALLS, KVK_FREE_SHARE, TIERS_FILE }: Settings): FreeShare {
  // A rounding error of a decimal fraction must not lose a call.
  const calls = Math.floor(KVK_DAILY_CALLS * KVK_FREE_SHARE + 1e-6);
  return { calls, tierNames: freeTiers(TIERS_FILE) };
}

/** The number of a day's paid calls that renew monitored companies. */
export function monitorShare({ KVK_DAILY_CALLS, MONITOR_KVK_SHARE }: Settings): number {
  return Math.floor(KVK_DAILY_CALLS * MONITOR_KVK_SHARE + 1e-6);
}

/** Today's paid calls, of all nodes. @throws {StoreUnavailable} when they cannot be read */
export async function paidCallsToday(settings: Settings, store: LiveQueries) {
  const { calls: maxByFree, tierNames } = freeShare(settings);
  const nowMs = Date.now();
  const day = dutchDay(nowMs);
  const renewsAt = new Date(dutchDayEndMs(nowMs)).toISOString();
  const [{ all, free }, isShared] = await Promise.all([
    store.spentCalls(day),
    store.hasPayingAccounts(tierNames),
  ]);
  return { day, made: all, most: settings.KVK_DAILY_CALLS, renewsAt, madeByFree: free, maxByFree, isShared };
}
