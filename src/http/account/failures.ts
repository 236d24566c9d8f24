import { AccountRefusal, PersonRefusal, type RefusalReason } from "../../accounts/refusal.ts";
import { ApiError, type ErrorCode } from "../../contract/errors.ts";

const CODES: Readonly<Record<RefusalReason, ErrorCode>> = {
  signup: "FORBIDDEN",
  input: "INVALID_REQUEST",
  credentials: "UNAUTHORIZED",
  password: "FORBIDDEN",
  code: "INVALID_REQUEST",
  token: "FORBIDDEN",
  away: "SERVICE_UNAVAILABLE",
  tries: "RATE_LIMIT_EXCEEDED",
  nothing: "NOT_FOUND",
  once: "FORBIDDEN",
  busy: "SERVICE_UNAVAILABLE",
};

/** A refusal as the error that it is; anything else as it came. */
export function asAnswer(error: unknown): unknown {
  if (error instanceof PersonRefusal) {
    const { reason, message, retryAfterSeconds, field } = error;
    return new ApiError(CODES[reason], message, {
      cause: error,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      ...(field !== undefined && { field }),
    });
  }
  if (error instanceof AccountRefusal) {
    const { message, field } = error;
    return new ApiError("INVALID_REQUEST", message, { cause: error, ...(field !== undefined && { field }) });
  }
  return error;
}

export function noSession(): ApiError {
  return new ApiError("UNAUTHORIZED", "sign in first: there is no session, or it has ended");
}

export function noOperator(): ApiError {
  return new ApiError("FORBIDDEN", "this is for operators: `opzoek account admin` makes an account one");
}
