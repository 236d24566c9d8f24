import { ApiError } from "../contract/errors.ts";
import { MeterOverloaded } from "../metering/meter.ts";
import { StoreUnavailable, ValueRefused } from "../metering/store.ts";
import { LIMITS } from "./limits.ts";

/** Whatever went wrong as the caller may know it: no inner text of an unforeseen error is told. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof MeterOverloaded) {
    return new ApiError("SERVICE_UNAVAILABLE", "too many calls at once; try again in a second", {
      retryAfterSeconds: 1,
    });
  }
  if (error instanceof StoreUnavailable) {
    return new ApiError(
      "SERVICE_UNAVAILABLE",
      "calls cannot be counted at the moment, so none is answered; try again in two seconds",
      { retryAfterSeconds: 2 },
    );
  }
  if (error instanceof ValueRefused) {
    return new ApiError(
      "INVALID_REQUEST",
      "a value of this request cannot be stored: leave out control characters, and shorten what is long",
    );
  }
  const status = statusOf(error);
  if (status === 413) {
    return new ApiError(
      "PAYLOAD_TOO_LARGE",
      `the body may have ${LIMITS.bodyLimit} bytes; send less at once`,
    );
  }
  if (status === 415) {
    return new ApiError(
      "UNSUPPORTED_MEDIA_TYPE",
      "the Content-Type is not one media type; send a JSON body as application/json",
    );
  }
  if (status >= 400 && status < 500) {
    return new ApiError("INVALID_REQUEST", "the request cannot be read; check its path, headers and length");
  }
  return new ApiError("INTERNAL_ERROR", "something went wrong here; nothing was charged. Try again later");
}

/** The status that the framework gives an error of its own. */
function statusOf(error: unknown): number {
  const isTold = typeof error === "object" && error !== null && "statusCode" in error;
  return isTold && typeof error.statusCode === "number" ? error.statusCode : 500;
}

/** Whether an error says only that a body was no longer read, as its caller had hung up before its first byte left: that is told by itself. */
export function isLeftOff(
  { code }: { readonly code: string },
  answer: { readonly destroyed: boolean },
): boolean {
  return code === "ERR_STREAM_PREMATURE_CLOSE" && answer.destroyed;
}

/** Whether an operator should hear of it: the caller did nothing wrong. */
export function isOurs(error: unknown): boolean {
  return asApiError(error).status >= 500 && !(error instanceof ApiError);
}
