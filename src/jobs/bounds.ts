/** Limits of lists: their number per account, their numbers, their lifetime, and the errors for a list over a limit. */
import { ApiError, forbidden, invalid } from "../contract/errors.ts";
import {
  JOB_BOUNDS,
  MIN_NUMBERS_OF_ACCOUNT,
  maxNumbersOf,
  NUMBERS_PER_MONTHLY_TOKEN,
} from "../contract/jobs.ts";
import { POOLS } from "../contract/pools.ts";
import { freeTiers, type TierTable } from "../contract/tiers.ts";
import type { EarlierList, ListBounds, ListLifetimes, ListRefusal } from "./stored.ts";

const DAY_MS = 86_400_000;
const RECEIVED_RETRY_SECONDS = 5;
const FULL_RETRY_SECONDS = 3_600;

/** Returns the limits that the store checks for a new list. */
export function listBounds(tiers: TierTable): ListBounds {
  const maxNumbers = Object.entries(tiers).map(([name, tier]) => [name, maxNumbersOf(tier)] as const);
  const { maxOpen, maxStored, maxCancelled } = JOB_BOUNDS;
  return {
    ...{ maxOpen, maxStored, maxCancelled },
    maxNumbers: Object.fromEntries(maxNumbers),
    maxNumbersOfOthers: maxNumbersOf(undefined),
    maxNumbersOfAll: POOLS.lists.slots,
    maxNumbersOfFree: POOLS.lists.freeTiers,
    freeTiers: freeTiers(tiers),
  };
}

/** Returns how long lists and their results are stored. */
export function listLifetimes(tiers: TierTable): ListLifetimes {
  return {
    resultsMs: JOB_BOUNDS.resultDays * DAY_MS,
    openMs: JOB_BOUNDS.openDays * DAY_MS,
    freeOpenMs: JOB_BOUNDS.freeOpenDays * DAY_MS,
    freeTiers: freeTiers(tiers),
  };
}

/** The reason why a list was not added. */
type Refusal = ListRefusal | Exclude<EarlierList, "repeated">;

/**
 * Returns the error that a caller gets for a refused list.
 * @param maxNumbers the maximum of numbers in the account's lists
 * @param isFree whether the account has a free tier
 */
export function refusalError(reason: Refusal, maxNumbers: number, isFree: boolean): ApiError {
  const { maxOpen, maxStored, maxCancelled } = JOB_BOUNDS;
  const errors: Readonly<Record<Refusal, ApiError>> = {
    open: forbidden(
      `an account may have at most ${maxOpen} unfinished lists: wait for one to end, or cancel one`,
    ),
    kept: forbidden(
      `at most ${maxStored} lists of an account are stored: cancel some whose results you have downloaded`,
    ),
    cancelled: forbidden(`an account may cancel at most ${maxCancelled} lists within a day: try again later`),
    numbers: forbidden(
      `the lists of this account may contain at most ${maxNumbers} numbers, waiting or with results (${NUMBERS_PER_MONTHLY_TOKEN} per monthly token, from ${MIN_NUMBERS_OF_ACCOUNT} to ${POOLS.lists.perAccount}): send fewer, cancel lists whose results you have downloaded, or choose a larger plan`,
    ),
    full: new ApiError(
      "SERVICE_UNAVAILABLE",
      `the lists of ${isFree ? "free plans" : "this service"} have reached their total limit; try again in an hour${isFree ? ", or choose another plan" : ""}`,
      { retryAfterSeconds: FULL_RETRY_SECONDS },
    ),
    another: new ApiError(
      "CONFLICT",
      "this Idempotency-Key was used for another list: use a new key for each list",
    ),
    receiving: new ApiError(
      "CONFLICT",
      "the same list is still being received; repeat the request with its Idempotency-Key in a few seconds",
      { retryAfterSeconds: RECEIVED_RETRY_SECONDS },
    ),
    "no-secret": invalid("webhooks need a signing secret: create one with POST /v1/webhook-secret"),
  };
  return errors[reason];
}
