/** The live source: what is held of it, and requests to it. */
import { freeTiers } from "../../contract/tiers.ts";
import type { FreeShare } from "../../kvk/budget/callStore.ts";
import { dutchDay, dutchDayEndMs } from "../../kvk/budget/dutchDay.ts";
import type { CompanyCache } from "../../kvk/cache/companyCache.ts";
import type { CompanyFlights, CompanyHit } from "../../kvk/cache/companyFlights.ts";
import type { LiveLifetimes } from "../../kvk/cache/freshness.ts";
import { LiveCompanies } from "../../kvk/cache/liveCompanies.ts";
import { LiveSearches } from "../../kvk/cache/liveSearches.ts";
import type { SearchFlights } from "../../kvk/cache/searchFlights.ts";
import type { LiveStore } from "../../kvk/store.ts";
import type { Settings } from "../settings/settings.ts";
import type { ShownBreaker } from "./vies.ts";

/** Requests to the live source, one at a time for each company. */
export interface Live {
  readonly companies: CompanyFlights;
  readonly searches: SearchFlights;
  readonly cache: CompanyCache<CompanyHit>;
  breakers(): readonly ShownBreaker[];
  /** Sends no more requests: callers that wait get the data that is held. */
  close(): Promise<void>;
}

/** Looks companies up in what is held, and asks the live source for the rest. */
export interface HeldLive {
  readonly companies: LiveCompanies;
  readonly searches: LiveSearches;
}

export function composeHeldLive(settings: Settings, store: LiveStore, live: Live): HeldLive {
  const { companies: flights, cache } = live;
  return {
    companies: new LiveCompanies({
      flights,
      store,
      cache,
      lifetimes: liveLifetimes(settings),
    }),
    searches: new LiveSearches({
      flights: live.searches,
      store,
      freshForMs: settings.KVK_SEARCH_FRESH_FOR * 1_000,
      deadlineMs: settings.KVK_DEADLINE_MS,
    }),
  };
}

export function liveLifetimes(settings: Settings): LiveLifetimes {
  return {
    freshForMs: settings.KVK_FRESH_FOR * 1_000,
    notFoundFreshForMs: settings.KVK_NOT_FOUND_FRESH_FOR * 1_000,
    keepForMs: settings.KVK_KEEP_FOR * 1_000,
  };
}

/** The part of a day's paid calls that accounts of free tiers may cause. */
export function freeShare({ KVK_DAILY_CALLS, KVK_FREE_SHARE, TIERS_FILE }: Settings): FreeShare {
  // What a decimal fraction lacks in binary must not take a call away.
  const calls = Math.floor(KVK_DAILY_CALLS * KVK_FREE_SHARE + 1e-6);
  return { calls, tierNames: freeTiers(TIERS_FILE) };
}

/** A day's paid calls, and what bounds them. */
export interface PaidCalls {
  /** YYYY-MM-DD, in the Netherlands */
  readonly day: string;
  readonly made: number;
  readonly most: number;
  /** When the next day begins there, ISO 8601 UTC. */
  readonly renewsAt: string;
  readonly madeByFree: number;
  readonly mostByFree: number;
  /** Whether there is an account of another tier, so that the share counts. */
  readonly isShared: boolean;
}

/** Today's paid calls, of all nodes. @throws {StoreUnavailable} when they cannot be read */
export async function paidCallsToday(settings: Settings, store: LiveStore): Promise<PaidCalls> {
  const { calls: mostByFree, tierNames } = freeShare(settings);
  const nowMs = Date.now();
  const day = dutchDay(nowMs);
  const renewsAt = new Date(dutchDayEndMs(nowMs)).toISOString();
  const [{ all, free }, isShared] = await Promise.all([
    store.spentCalls(day),
    store.hasAccountBeyond(tierNames),
  ]);
  return {
    day,
    made: all,
    most: settings.KVK_DAILY_CALLS,
    renewsAt,
    madeByFree: free,
    mostByFree,
    isShared,
  };
}
