import { ApiError } from "../contract/errors.ts";
import { POOLS } from "../contract/pools.ts";
import { type SlotOwner, SlotPool } from "../lib/slotPool.ts";
import type { Steps } from "../lib/steps.ts";
import { turns } from "./turns.ts";

/** So few that all of them, in turns, end within the lifetime of a reservation. */
const places = new SlotPool(POOLS.matching);

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
