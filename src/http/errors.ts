/** Errors of calls and their messages. */
import { ApiError, forbidden, invalid, retryLater } from "../contract/errors.ts";
import type { LedgerOperation } from "../contract/prices.ts";
import { quoted } from "../contract/quoting.ts";
import { StoreUnavailable, ValueRefused } from "../lib/storeErrors.ts";
import { MeterOverloaded } from "../metering/meter.ts";
import type { Balance, Decision } from "../metering/store.ts";
import type { Call } from "./call.ts";
import { LIMITS } from "./limits.ts";

/** Longer waits overflow the timers of clients. */
const MAX_RETRY_AFTER_SECONDS = 86_400;

/** The error for a missing key and for every invalid one. */
export function unauthorized(): ApiError {
  return new ApiError(
    "UNAUTHORIZED",
    "a valid API key is required: send it as `Authorization: Bearer <key>` or as `?apikey=<key>`",
  );
}

/** The error for a key over its rate limit. */
export function rateExceeded(balance: Balance): ApiError {
  const waitSeconds = secondsUntil(balance.rateResetSeconds, Math.max(balance.nowMs, Date.now()));
  return retryLater(
    "RATE_LIMIT_EXCEEDED",
    waitSeconds,
    `this key may make ${balance.rateLimit} calls per minute; wait ${waitSeconds} s`,
  );
}

/** The error for a browser key that does not allow an operation. */
export function beyondBrowserKey(operation: LedgerOperation): ApiError {
  return forbidden(
    operation === "lookup"
      ? "this browser key does not allow lookups: allow basic lookups for the key on the account page, or call from your server with a live key"
      : "a browser key allows autocomplete, and basic lookups if its settings do: call this endpoint from your server with a live key",
  );
}

/** Refusals by the store. */
type RefusedBy = "rate" | "quota" | "daily" | "outside" | "origin" | "scope" | "suspended" | "lapsed";

/** Returns the error for a call that the store refused. */
export function refusalOf(
  { outcome, balance }: Extract<Decision, { outcome: RefusedBy }>,
  price: number,
  { operation, browser, request: { clientAddress = "this address" } }: Call,
): ApiError {
  const origin = browser?.origin;
  const from = origin === undefined ? "and this call has no Origin header" : `not from ${quoted(origin)}`;
  switch (outcome) {
    case "rate":
      return rateExceeded(balance);
    case "quota":
      return quotaExceeded(price, balance);
    case "daily":
      return dayExceeded(price, balance);
    case "scope":
      return beyondBrowserKey(operation);
    case "outside":
      // The caller knows its own address.
      return forbidden(
        `this key does not allow calls from ${clientAddress}: add the address to the key on the account page, or call from an allowed one`,
      );
    case "origin":
      return forbidden(
        `this key may only be used from its allowed web pages, ${from}: add the page's origin to the key on the account page, or use a live key on your server`,
      );
    case "suspended":
      return forbidden("this account is suspended; contact the operator of this service");
    case "lapsed":
      // The reservation expired before its work was done, and the allowance no longer covers it.
      return retryLater("SERVICE_UNAVAILABLE", 1, "this call took too long; nothing was charged, try again");
  }
}

/** The error for an allowance that does not cover the full price. */
function quotaExceeded(price: number, { tokensRemaining, tokensResetSeconds, nowMs }: Balance): ApiError {
  const resetsAt = new Date(tokensResetSeconds * 1_000).toISOString();
  return retryLater(
    "QUOTA_EXCEEDED",
    secondsUntil(tokensResetSeconds, nowMs),
    `this call costs up to ${price} tokens and only ${tokensRemaining} are left until ${resetsAt}; nothing was charged`,
  );
}

/** The error for a key over its daily cap. */
function dayExceeded(price: number, { keyDay, nowMs }: Balance): ApiError {
  const { limit = 0, remaining = 0, resetSeconds = 0 } = keyDay ?? {};
  const resetsAt = new Date(resetSeconds * 1_000).toISOString();
  return retryLater(
    "QUOTA_EXCEEDED",
    secondsUntil(resetSeconds, nowMs),
    `this key may spend ${limit} tokens per day (UTC), ${remaining} are left until ${resetsAt}, and this call costs up to ${price}; nothing was charged. The account owner can raise the cap on the account page`,
  );
}

/**
 * Returns the error for a test number that simulates a refusal, with the message and headers of a real one. The stored
 * balance is not changed.
 */
export function simulatedRefusal(error: ApiError, price: number, balance: Balance, call: Call): ApiError {
  if (!call.isTest) return error;
  if (error.code === "RATE_LIMIT_EXCEEDED") {
    call.balance = { ...balance, rateRemaining: 0 };
    return rateExceeded(call.balance);
  }
  if (error.code === "QUOTA_EXCEEDED") {
    call.balance = { ...balance, tokensRemaining: 0 };
    return quotaExceeded(price, call.balance);
  }
  return error;
}

/**
 * Returns any error as the caller may see it, without the message of an unexpected one.
 * @param bodyLimit the route's limit in bytes
 */
export function asApiError(error: unknown, bodyLimit: number = LIMITS.bodyLimit): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof MeterOverloaded) {
    return retryLater("SERVICE_UNAVAILABLE", 1, "too many calls at once; try again in a second");
  }
  if (error instanceof StoreUnavailable) {
    return retryLater(
      "SERVICE_UNAVAILABLE",
      2,
      "calls cannot be charged at the moment, so none are answered; try again in two seconds",
    );
  }
  if (error instanceof ValueRefused) {
    return invalid(
      "a value in this request cannot be stored: remove control characters and shorten long values",
    );
  }
  const status = statusOf(error);
  if (status === 413) {
    return new ApiError("PAYLOAD_TOO_LARGE", `the body exceeds ${bodyLimit} bytes; send less at once`);
  }
  if (status === 415) {
    return new ApiError(
      "UNSUPPORTED_MEDIA_TYPE",
      "the Content-Type is not one media type; send a JSON body as application/json",
    );
  }
  if (status >= 400 && status < 500) {
    return invalid("the request cannot be read; check its path, headers and length");
  }
  return new ApiError("INTERNAL_ERROR", "something went wrong here; nothing was charged. Try again later");
}

/** Returns the status of an error of the framework. */
function statusOf(error: unknown): number {
  const hasStatus = typeof error === "object" && error !== null && "statusCode" in error;
  return hasStatus && typeof error.statusCode === "number" ? error.statusCode : 500;
}

/** Whether an error is the service's fault and should be reported to the operator. */
export function isOurs(error: unknown): boolean {
  return asApiError(error).status >= 500 && !(error instanceof ApiError);
}

/** Returns seconds from the store's time to a reset, from 1 to a day. */
function secondsUntil(resetSeconds: number, nowMs: number): number {
  return Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(resetSeconds - nowMs / 1_000)));
}
