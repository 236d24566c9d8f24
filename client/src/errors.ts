/** The error classes of the client. `code` says the same to programs that cannot compare classes. */
import type { BatchAnswer } from "./api/calls.ts";
import type { MatchQuery } from "./api/resources.ts";
import type { MatchOf } from "./matched.ts";

/** The results before a batch failed. They are paid for and need not be requested again. */
export interface PartialBatch extends BatchAnswer {
  /** The numbers without a result, in the order of the request. */
  readonly remaining: readonly string[];
}

/** The results before a match failed. They are paid for and need not be requested again. */
export type PartialMatch = MatchOf & {
  /** The queries without a result, in the order of the request. */
  readonly remaining: readonly MatchQuery[];
};

/** Facts of a response besides its message. */
export interface ErrorDetails {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly oldestCursor?: string | undefined;
  readonly cause?: unknown;
}

/** The base class of every error of this client. */
export class OpzoekError extends Error {
  /**
   * One of the service's codes, or one of this client's: CONNECTION_ERROR, TIMEOUT, ABORTED, UNEXPECTED_ANSWER,
   * KEY_ERROR.
   */
  readonly code: string;
  /** The HTTP status, if there was a response. */
  readonly status: number | undefined;
  /** Identifies the call in the operator's log, if there was a response. */
  readonly requestId: string | undefined;
  /** Seconds to wait, if the service sent `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** For `batch()`: the results so far. */
  declare partial?: PartialBatch;
  /** For `match()`: the results so far. */
  declare partialMatch?: PartialMatch;

  constructor(
    code: string,
    message: string,
    { status, requestId, retryAfterSeconds, cause }: ErrorDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = nameOf(code);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Derived from the code, because minification changes class names. */
function nameOf(code: string): string {
  const words = code.toLowerCase().replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
  return words.replace(/(?:Error)?$/, "Error");
}

/** An error response of the service. Codes unknown to this release use this class itself. */
export class ServiceError extends OpzoekError {
  declare readonly status: number;
}

export class InvalidKvkNumberError extends ServiceError {}
export class InvalidVatNumberError extends ServiceError {}
export class InvalidRequestError extends ServiceError {}
export class UnauthorizedError extends ServiceError {}
export class ForbiddenError extends ServiceError {}
export class NotFoundError extends ServiceError {}
export class NotHeldError extends ServiceError {}
export class RouteNotFoundError extends ServiceError {}
export class MethodNotAllowedError extends ServiceError {}
export class ConflictError extends ServiceError {}
/** The events after a cursor are no longer kept. */
export class CursorExpiredError extends ServiceError {
  /** The oldest cursor that can be continued; undefined if a proxy removed it. */
  readonly oldestCursor: string | undefined;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(code, message, details);
    this.oldestCursor = details.oldestCursor;
  }
}
export class PayloadTooLargeError extends ServiceError {}
export class UnsupportedMediaTypeError extends ServiceError {}
export class RangeNotSatisfiableError extends ServiceError {}
export class RateLimitExceededError extends ServiceError {}
export class QuotaExceededError extends ServiceError {}
export class UpstreamError extends ServiceError {}
export class ServiceUnavailableError extends ServiceError {}
export class InternalError extends ServiceError {}

/** There was no response: no network, an unknown host, or a broken connection. */
export class ConnectionError extends OpzoekError {
  constructor(cause: unknown) {
    super("CONNECTION_ERROR", "cannot reach the service, or the connection broke", { cause });
  }
}

/** The call did not succeed within its time limit. `cause` is the error of the last try. */
export class TimeoutError extends OpzoekError {
  constructor(timeoutMs: number, cause?: unknown) {
    super("TIMEOUT", `no response within ${timeoutMs} ms`, { cause });
  }
}

/**
 * The caller aborted the call by its signal, or by the next keystroke of `autocomplete()`. Its `name` is AbortError, as
 * for the platform's own.
 */
export class AbortedError extends OpzoekError {
  constructor(cause?: unknown) {
    super("ABORTED", "the call was aborted", { cause });
    this.name = "AbortError";
  }
}

/** The response does not come from the service: it is HTML, for instance of a proxy, or invalid JSON. */
export class UnexpectedAnswerError extends OpzoekError {
  declare readonly status: number;

  constructor(details: ErrorDetails & { readonly status: number }) {
    super(
      "UNEXPECTED_ANSWER",
      `the response (status ${details.status}) does not come from this service`,
      details,
    );
  }
}
