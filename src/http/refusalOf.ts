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
