import { retryLater } from "../contract/errors.ts";
import { POOLS } from "../contract/pools.ts";
import { freeTiers, type TierTable } from "../contract/tiers.ts";
import { type SlotOwner, SlotPool } from "../lib/slotPool.ts";
import { deliver, type LookupResult, type MaybePromise } from "../lookup/answer.ts";
import type { Ranking } from "../match/types.ts";
import type { Delivered, HandlerResult } from "./endpoint.ts";

/** So few that all of them, in turns, end within the lifetime of a reservation. */
const places = new SlotPool(POOLS.matching);

/**
 * Delivers the results of matching, which takes a place when its price is reserved.
 * @param make returns the response for the results
 */
export async function deliverMatches(
  matched: MaybePromise<LookupResult<Ranking[]>>,
  tiers: TierTable,
  make: (results: readonly Ranking[]) => Delivered,
): Promise<HandlerResult> {
  const work = await deliver(matched, make);
  if (!("whenPaid" in work)) return work;
  return {
    whenPaid: (payer) => {
      const isFree = freeTiers(tiers).includes(payer.tierName);
      return withMatchPlace({ account: payer.accountId, isFree }, () => work.whenPaid(payer));
    },
  };
}

/**
 * Runs the work of a match call if its account has no other one in progress in this process.
 * @throws {ApiError} (the promise) RATE_LIMIT_EXCEEDED when there is no place, or the error of `work`
 */
export async function withMatchPlace<T>(owner: SlotOwner, work: () => Promise<T>): Promise<T> {
  const release = places.acquire(owner);
  if (release === undefined) {
    throw retryLater(
      "RATE_LIMIT_EXCEEDED",
      1,
      `too many match calls at once: the limit is ${POOLS.matching.perAccount} per account and ${POOLS.matching.slots} in total; wait for the response before the next call. Nothing was charged`,
    );
  }
  try {
    return await work();
  } finally {
    release();
  }
}
