import { ApiError } from "../contract/errors.ts";
import { JOB_BOUNDS, MIN_NUMBERS_OF_ACCOUNT, NUMBERS_PER_MONTHLY_TOKEN } from "../contract/jobs.ts";
import { POOLS } from "../contract/pools.ts";
import type { EarlierList, ListRefusal } from "./store.ts";

const RECEIVED_RETRY_SECONDS = 5;
const FULL_RETRY_SECONDS = 3_600;

/** Why a list was not added. */
export type Refusal = ListRefusal | Exclude<EarlierList, "repeated">;

/**
 * Returns a refusal as its caller reads it.
 * @param maxNumbers how many numbers the lists of its account may hold
 * @param isFree whether the account has a free tier
 */
export function refused(why: Refusal, maxNumbers: number, isFree: boolean): ApiError {
  const { mostOpen, mostKept, mostCancelled } = JOB_BOUNDS;
  const told: Readonly<Record<Refusal, ApiError>> = {
    open: new ApiError(
      "FORBIDDEN",
      `an account may have ${mostOpen} lists that have not ended: wait for one, or cancel it`,
    ),
    kept: new ApiError(
      "FORBIDDEN",
      `${mostKept} lists of an account are kept: cancel some whose results you have`,
    ),
    cancelled: new ApiError(
      "FORBIDDEN",
      `an account may cancel ${mostCancelled} lists within a day: wait until some of them are a day old`,
    ),
    numbers: new ApiError(
      "FORBIDDEN",
      `the lists of this account may hold ${maxNumbers} numbers, waiting or with their results (${NUMBERS_PER_MONTHLY_TOKEN} for each token of its month, from ${MIN_NUMBERS_OF_ACCOUNT} to ${POOLS.lists.perAccount}): send fewer, cancel lists whose results you have, or take a larger plan`,
    ),
    full: new ApiError(
      "SERVICE_UNAVAILABLE",
      `the lists of ${isFree ? "free plans" : "this service"} hold as many numbers as they may together; try again in an hour${isFree ? ", or take another plan" : ""}`,
      {
        retryAfterSeconds: FULL_RETRY_SECONDS,
      },
    ),
    another: new ApiError(
      "CONFLICT",
      "another list was sent with this Idempotency-Key: give each list a key of its own",
    ),
    receiving: new ApiError(
      "CONFLICT",
      "the same list is being received; repeat it with its Idempotency-Key in some seconds",
      { retryAfterSeconds: RECEIVED_RETRY_SECONDS },
    ),
    "no-secret": new ApiError(
      "INVALID_REQUEST",
      "a webhook needs a secret to be signed with: POST /v1/webhook-secret tells a new one, once",
    ),
  };
  return told[why];
}
