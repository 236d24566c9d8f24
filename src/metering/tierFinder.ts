import { isPageKey, PAGE_CALLS_PER_MINUTE } from "../contract/pageKey.ts";
import type { Tier, TierTable } from "../contract/tiers.ts";
import type { FindTier } from "./store.ts";

const NO_TIER: Tier = { monthlyTokens: 0, ratePerMinute: 1 };

/**
 * What a key of an account of a tier may do. A tier that the table does not hold has nothing to spend and one call a minute.
 * @param pageRate calls a minute of the page's own key, whatever the tier
 */
export function tierFinder(tiers: TierTable, pageRate = PAGE_CALLS_PER_MINUTE): FindTier {
  return (name, keyId) => {
    const tier = (Object.hasOwn(tiers, name) ? tiers[name] : undefined) ?? NO_TIER;
    return isPageKey(keyId) ? { ...tier, ratePerMinute: pageRate } : tier;
  };
}
