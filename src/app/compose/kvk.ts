/** KVK's API as a live source, configured by the settings. */

import { AddressHashes } from "../../accounts/secrets.ts";
import { KvkApi, type KvkApiOptions } from "../../kvk/api/kvkApi.ts";
import { kvkOverHttp } from "../../kvk/api/upstream.ts";
import { DailyCallBudget, LimitedCalls } from "../../kvk/budget/callBudget.ts";
import { SearchShare } from "../../kvk/budget/searchShare.ts";
import {
  LiveCompanies,
  type LiveCompaniesOptions,
  type PayingAccount,
} from "../../kvk/cache/liveCompanies.ts";
import { LiveSearches } from "../../kvk/cache/liveSearches.ts";
import { type CallBudget, KVK_API_ORIGIN, type LiveSource } from "../../kvk/liveSource.ts";
import { renewalEveryMs } from "../../kvk/monitored/renewals.ts";
import type { LiveQueries } from "../../kvk/queries/live.ts";
import { known, partOf } from "../../lib/values.ts";
import { withoutSuppressedHits } from "../../lookup/suppression/suppressed.ts";
import { oncePerMinute } from "../log/oncePerMinute.ts";
import type { Settings } from "../settings/settings.ts";
import type { StateStore } from "../state/stateStore.ts";
import { freeShare, type Live, liveLifetimes, monitorShare } from "./live.ts";
import { liveLoops } from "./monitorSources.ts";
import type { SharedParts } from "./parts.ts";

/** KVK allows 100: evenly sent calls arrive in bunches, and one too many in a second is refused. */
const CALLS_PER_SECOND = 90;
/** Of these, for completing searches, because paid lookups come first. One search may take several calls. */
const SEARCHES_PER_SECOND = 20;

/**
 * Opens KVK's API for a service; undefined without a key for KVK.
 * @param observe observes the waits of callers
 * @throws {BadKvkAccess} if the key or the certificates cannot be used
 */
export async function openLive(
  parts: SharedParts,
  observe: LiveCompaniesOptions["observe"],
): Promise<Live | undefined> {
  const { settings, state, suppressed, logger, recorder } = parts;
  const store = state.live;
  const share = freeShare(settings);
  const budget = new DailyCallBudget({
    store,
    maxADay: settings.KVK_DAILY_CALLS,
    share,
    monitors: { store: state.monitorSources, calls: monitorShare(settings) },
    onShareSpent: (day) =>
      logger.warn(
        { day, calls: share.calls },
        "accounts of free tiers have used their share of today's calls to KVK",
      ),
    onSpent: (day) =>
      logger.warn({ day, calls: settings.KVK_DAILY_CALLS }, "today's calls to KVK are used up"),
  });
  const source = kvkApi(settings, budget, {
    breakers: {
      onChange: (what, isOpen, reason) =>
        isOpen
          ? logger.warn({ what, reason }, "KVK calls fail and are paused")
          : logger.info({ what }, "KVK answers again"),
    },
    onTried: (product, result, tookMs) => recorder?.kvkTried(product, result, tookMs),
    onDeviation: ({ path, kind }) =>
      logger.warn({ path, kind }, "KVK returned a field in an unknown format; it is ignored"),
  });
  if (source === undefined) return undefined;
  await budget.open();
  const onConfiguration = oncePerMinute((reason) =>
    logger.error(
      { reason },
      "KVK rejects this service's calls: check KVK_API_KEY, KVK_API_URL and KVK_API_CA",
    ),
  );
  const waits = countWaits(observe);
  const companies = new LiveCompanies({
    source,
    store,
    budget,
    payerOf: payersOf(state, share.tierNames),
    lifetimes: liveLifetimes(settings),
    notFoundADay: settings.KVK_DAILY_MISSES,
    onConfiguration,
    observe: waits.observe,
  });
  const perMinute = settings.KVK_SEARCHES_PER_MINUTE;
  const searches = new LiveSearches({
    source: withoutSuppressedHits(suppressed, source),
    store,
    share:
      perMinute === 0
        ? undefined
        : new SearchShare({ perMinute, perSecond: partOf(SEARCHES_PER_SECOND, settings.WORKERS) }),
    onConfiguration,
    freshForMs: settings.KVK_SEARCH_FRESH_FOR * 1_000,
    deadlineMs: settings.KVK_DEADLINE_MS,
    observe: waits.observe,
  });
  const { KVK_SUBSCRIPTION: subscription } = settings;
  const renewed = monitorShare(settings);
  const live: Live = {
    metricsName: "kvk",
    companies,
    searches,
    breakers: () => source.breakers,
    isAwaited: waits.isAwaited,
    signals:
      subscription === undefined
        ? undefined
        : { signals: (...query) => source.signals(subscription, ...query) },
    monitors: { source: KVK_API_ORIGIN, ...(renewed > 0 && { everyMs: renewalEveryMs(renewed) }) },
    close: () => source.close(),
  };
  return { ...live, loops: liveLoops(parts, live) };
}

type ObserveWait = NonNullable<LiveCompaniesOptions["observe"]>;

/** Counts the callers that wait for KVK. */
function countWaits(observe: ObserveWait = (work) => work()) {
  let waiting = 0;
  const counting: ObserveWait = async (work, outcomeOf) => {
    waiting += 1;
    try {
      return await observe(work, outcomeOf);
    } finally {
      waiting -= 1;
    }
  };
  return { observe: counting, isAwaited: () => waiting > 0 };
}

function payersOf(
  { accounts, people }: Pick<StateStore, "accounts" | "people">,
  freeTierNames: readonly string[],
): (accountId: string) => Promise<PayingAccount> {
  const addresses = new AddressHashes(people);
  return async (accountId) => {
    const account = await accounts.find(accountId);
    // Deleted during its call: the remaining cost is charged to no account.
    if (account === undefined) return { subject: accountId, payer: "free" };
    const isFree = freeTierNames.includes(account.tierName);
    return { subject: await addresses.of(account.email), payer: isFree ? "free" : "other" };
  };
}

/** Opens KVK's API for a command that may make a number of paid calls within the day's budget. */
export async function openLiveSource(
  settings: Settings,
  store: LiveQueries,
  maxCalls: number,
): Promise<{ source: LiveSource; calls: LimitedCalls } | undefined> {
  const daily = new DailyCallBudget({ store, maxADay: settings.KVK_DAILY_CALLS });
  const calls = new LimitedCalls(daily, maxCalls);
  const source = kvkApi(settings, calls);
  if (source === undefined) return undefined;
  await daily.open();
  return { source, calls };
}

function kvkApi(
  settings: Settings,
  budget: CallBudget,
  listeners: Pick<KvkApiOptions, "breakers" | "onTried" | "onDeviation"> = {},
): KvkApi | undefined {
  const { KVK_API_URL: baseUrl, KVK_API_KEY: apiKey, KVK_API_CA } = settings;
  if (apiKey === undefined) return undefined;
  return new KvkApi({
    ...listeners,
    upstream: kvkOverHttp({ baseUrl, apiKey, ...known("extraCertificates", KVK_API_CA) }),
    budget,
    callWithinMs: settings.KVK_DEADLINE_MS,
    perSecond: partOf(CALLS_PER_SECOND, settings.WORKERS),
  });
}
