import type { FastifyRequest } from "fastify";
import type { ApiError } from "../contract/errors.ts";
import type { Balance } from "../metering/store.ts";
import { beyondBrowserKey, dayExceeded, wrongOrigin } from "./browserErrors.ts";
import type { Call } from "./call.ts";
import { outside, quotaExceeded, rateExceeded, suspended, tookTooLong } from "./errorAnswers.ts";

/** What the store refused. */
interface Refused {
  readonly outcome: "rate" | "quota" | "daily" | "outside" | "origin" | "scope" | "suspended" | "lapsed";
  readonly balance: Balance;
}

/** The error that a call is answered with which the store refused. */
export function refusalOf(
  { outcome, balance }: Refused,
  price: number,
  call: Call,
  request: FastifyRequest,
): ApiError {
  const refusals = {
    rate: () => rateExceeded(balance),
    quota: () => quotaExceeded(price, balance),
    daily: () => dayExceeded(price, balance),
    outside: () => outside(request.clientAddress),
    origin: () => wrongOrigin(call.browser?.origin),
    scope: () => beyondBrowserKey(call.operation),
    suspended,
    lapsed: tookTooLong,
  };
  return refusals[outcome]();
}

/**
 * An error as it is told. Where a test key asked for a refusal by its limits, which its balance does not know, it is told as that refusal
 * is, in words and headers; the books hold the truth all the same.
 */
export function simulatedRefusal(error: ApiError, price: number, balance: Balance, call: Call): ApiError {
  if (call.keyKind !== "test") return error;
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
