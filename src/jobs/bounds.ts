import { JOB_BOUNDS, maxNumbersOf } from "../contract/jobs.ts";
import { POOLS } from "../contract/pools.ts";
import { freeTiers, type TierTable } from "../contract/tiers.ts";
import type { ListBounds, ListLifetimes } from "./store.ts";

const DAY_MS = 86_400_000;

/** Returns what the store holds new lists against. */
export function listBounds(tiers: TierTable): ListBounds {
  const maxNumbers = Object.entries(tiers).map(([name, tier]) => [name, maxNumbersOf(tier)] as const);
  return {
    mostOpen: JOB_BOUNDS.mostOpen,
    mostKept: JOB_BOUNDS.mostKept,
    mostCancelled: JOB_BOUNDS.mostCancelled,
    maxNumbers: Object.fromEntries(maxNumbers),
    maxNumbersOfOthers: maxNumbersOf(undefined),
    maxNumbersOfAll: POOLS.lists.places,
    maxNumbersOfFree: POOLS.lists.freeTiers,
    freeTiers: freeTiers(tiers),
  };
}

/** Returns after how long the store ends and deletes lists. */
export function listLifetimes(tiers: TierTable): ListLifetimes {
  return {
    resultsMs: JOB_BOUNDS.resultDays * DAY_MS,
    openMs: JOB_BOUNDS.openDays * DAY_MS,
    freeOpenMs: JOB_BOUNDS.freeOpenDays * DAY_MS,
    freeTiers: freeTiers(tiers),
  };
}
