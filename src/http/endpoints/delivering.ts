import { ApiError, REGISTRY_UNAVAILABLE, retryLater } from "../../contract/errors.ts";
import {
  type Absent,
  type Answer,
  continueWith,
  type LookupResult,
  type MaybePromise,
  type NoRegistry,
  type NotFindable,
  type Unavailable,
} from "../../lookup/answer.ts";
import type { Delivered, HandlerResult } from "../endpoint.ts";

/** Converts seconds to milliseconds. */
export function inMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}

/**
 * Converts the result of a lookup into the result of a handler.
 * @param make returns the response for a found value
 * @throws {ApiError} (or rejects with it) when nothing was found
 */
export function deliver<Found>(
  result: MaybePromise<LookupResult<Found>>,
  make: (found: Found) => Delivered,
): HandlerResult | Promise<HandlerResult> {
  return continueWith(result, (answer: Answer<Found>) => make(foundIn(answer)));
}

/** Returns the found value. @throws {ApiError} when nothing was found */
function foundIn<Found>(answer: Answer<Found>): Found {
  if (answer.kind === "found") return answer.found;
  throw answer.kind === "absent" ? notFound(answer) : noAnswer(answer);
}

export function notFound({ kvkNumber, hint }: Absent): ApiError {
  const suffix = hint === undefined ? "" : `: ${hint}`;
  return new ApiError("NOT_FOUND", `no company with KVK number ${kvkNumber} is known here${suffix}`);
}

/** Returns the error if the company may exist but no source could answer. */
export function noAnswer(answer: Unavailable | NoRegistry | NotFindable): ApiError {
  if (answer.kind === "no-registry") {
    return retryLater("SERVICE_UNAVAILABLE", 60, REGISTRY_UNAVAILABLE.noRegistry);
  }
  if (answer.kind === "not-findable") {
    return retryLater("SERVICE_UNAVAILABLE", 10, REGISTRY_UNAVAILABLE.namesNotIndexed);
  }
  return new ApiError("UPSTREAM_ERROR", `${REASONS[answer.cause]}; nothing was charged`);
}

const LATER = "KVK is not answering at the moment and no stored data is available: try again later";
const REASONS: Readonly<Record<Unavailable["cause"], string>> = {
  outage: LATER,
  later: "KVK is updating this company and no stored data is available: try again in five minutes",
  configuration:
    "KVK rejects this service's requests at the moment and no stored data is available: its operator has been informed",
  budget:
    "this service has used up today's budget of KVK calls and no stored data is available: try again tomorrow, or ask its operator for a larger budget",
  "free-share":
    "accounts of free plans have used up their share of today's KVK calls and no stored data is available: try again tomorrow, or ask the operator for another plan",
  request: "KVK rejects this query and no stored data is available: change the query",
  "not-found-quota":
    "this account has looked up too many unknown numbers today: try again tomorrow, or contact the operator",
};
