import { ApiError } from "../contract/errors.ts";
import { POOLS } from "../contract/pools.ts";
import { freeTiers, type TierTable } from "../contract/tiers.ts";
import { type SlotOwner, SlotPool } from "../lib/slotPool.ts";
import type { Steps } from "../lib/steps.ts";
import type { LookupResult, SearchResult } from "../lookup/answer.ts";
import type { MatchResult } from "../match/types.ts";
import type { Delivered, HandlerResult } from "./endpoint.ts";
import { deliver } from "./endpoints/delivering.ts";
import { turns } from "./turns.ts";

/** So few that all of them, in turns, end within the lifetime of a reservation. */
const places = new SlotPool(POOLS.matching);

/**
 * Makes matching paid work. When its price is reserved, it takes a place and matches with a turn for other calls after each query.
 * @param make returns the response for the results
 */
export async function deliverMatches(
  matched: SearchResult<MatchResult[]>,
  tiers: TierTable,
  make: (results: readonly MatchResult[]) => Delivered,
): Promise<HandlerResult> {
  const result = await deliver(whenPaid(matched), make);
  if (!("paidWork" in result)) return result;
  const { paidWork } = result;
  return {
    paidWork: (account, tier) => {
      const isFree = freeTiers(tiers).includes(tier);
      return withMatchPlace({ account, isFree }, () => paidWork(account, tier));
    },
  };
}

function whenPaid(result: SearchResult<MatchResult[]>): LookupResult<MatchResult[]> {
  if (result.kind !== "in-steps") return result;
  const { steps } = result;
  return { kind: "paid-work", run: async () => ({ kind: "found", found: await matchInTurns(steps) }) };
}

/**
 * Runs the work of a match call if its account has no other one in progress in this process.
 * @throws {ApiError} (the promise) RATE_LIMIT_EXCEEDED when there is no place, or the error of `work`
 */
export async function withMatchPlace<T>(owner: SlotOwner, work: () => Promise<T>): Promise<T> {
  const release = places.acquire(owner);
  if (release === undefined) {
    throw new ApiError(
      "RATE_LIMIT_EXCEEDED",
      `too many match calls at once: the limit is ${POOLS.matching.perAccount} per account and ${POOLS.matching.slots} in total; wait for the response before the next call. Nothing was charged`,
      { retryAfterSeconds: 1 },
    );
  }
  try {
    return await work();
  } finally {
    release();
  }
}

let previous: Promise<unknown> = Promise.resolve();

/** Runs all steps. Other calls get a turn after each step of any match call, so however many are in progress, they wait for one step. */
export async function matchInTurns<Found>(steps: Steps<Found>): Promise<Found> {
  for (;;) {
    const step = previous.then(() => turns.run(() => steps.next()));
    previous = step.catch(() => {});
    const { done, value } = await step;
    if (done === true) return value;
  }
}
