import type { FastifyReply } from "fastify";
import { ApiError, errorBody } from "../contract/errors.ts";
import type { Balance } from "../metering/store.ts";
import { balanceHeaders, secondsUntil } from "./headers.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

/** Sends an error in the one form that all errors have. */
export function sendError(reply: FastifyReply, error: ApiError): FastifyReply {
  // Absent for a request that could not be routed.
  const call = reply.request.call ?? undefined;
  if (call !== undefined) call.code = error.code;
  if (call?.balance !== undefined) reply.headers(balanceHeaders(call.balance, call.tokens ?? 0));
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", error.retryAfterSeconds);
  if (error.allow !== undefined) reply.header("allow", error.allow);
  if (error.field !== undefined) reply.header("x-error-field", error.field);
  if (error.totalBytes !== undefined) reply.header("content-range", `bytes */${error.totalBytes}`);
  if (error.code === "UNAUTHORIZED") reply.header("www-authenticate", "Bearer");
  return reply
    .code(error.status)
    .header("content-type", JSON_TYPE)
    .send(JSON.stringify(errorBody(error.code, error.message)));
}

/** A key is over its window. */
export function rateExceeded(balance: Balance): ApiError {
  const waitSeconds = secondsUntil(balance.rateResetSeconds, Math.max(balance.nowMs, Date.now()));
  return new ApiError(
    "RATE_LIMIT_EXCEEDED",
    `this key may make ${balance.rateLimit} calls a minute; wait ${waitSeconds} s`,
    { retryAfterSeconds: waitSeconds },
  );
}

/** One answer for no key and for every bad one. */
export function unauthorized(): ApiError {
  return new ApiError(
    "UNAUTHORIZED",
    "a good API key is needed: send it as `Authorization: Bearer <key>` or as `?apikey=<key>`",
  );
}

/** A reservation lapsed before its work was done, and the allowance covers it no more. */
export function tookTooLong(): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", "this call took too long; nothing was charged, try again", {
    retryAfterSeconds: 1,
  });
}

/** The operator has suspended the account of a good key. */
export function suspended(): ApiError {
  return new ApiError("FORBIDDEN", "this account is suspended; ask the operator of this service");
}

/** A key that may be used from some networks only came from elsewhere; the caller's own address is no secret to it. */
export function outside(address: string | undefined): ApiError {
  return new ApiError(
    "FORBIDDEN",
    `this key may not be used from ${address ?? "this address"}: add the address to the key on the account page, or call from one that it allows`,
  );
}

/** The allowance does not cover the full price. */
export function quotaExceeded(price: number, balance: Balance): ApiError {
  const resetsAt = new Date(balance.tokensResetSeconds * 1_000).toISOString();
  return new ApiError(
    "QUOTA_EXCEEDED",
    `this call costs up to ${price} tokens and ${balance.tokensRemaining} are left until ${resetsAt}; nothing was charged`,
    { retryAfterSeconds: secondsUntil(balance.tokensResetSeconds, balance.nowMs) },
  );
}
