/** Every way in which a call can fail, as a class; the code says the same to programs that cannot compare classes. */
import type { BatchAnswer } from "./api/calls.ts";

/** The results before a batch failed. They are paid for and need not be requested again. */
export interface PartialBatch extends BatchAnswer {
  /** The numbers without a result, in the order of the request. */
  readonly remaining: readonly string[];
}

/** Facts of a response besides its message. */
export interface ErrorDetails {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** The base class of every error of this client. */
export class OpzoekError extends Error {
  /** One of the service's codes, or one of this client's: CONNECTION_ERROR, TIMEOUT, ABORTED, UNEXPECTED_ANSWER, KEY_ERROR. */
  readonly code: string;
  /** The answer's status, when there was an answer. */
  readonly status: number | undefined;
  /** Names the call in the log of the service's operator, when there was an answer. */
  readonly requestId: string | undefined;
  /** Seconds to wait, if the service sent `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** For `batch()`: the results so far. */
  declare partial?: PartialBatch;

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

/** Class names do not survive being made small. */
function nameOf(code: string): string {
  const words = code.toLowerCase().replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
  return words.replace(/(?:Error)?$/, "Error");
}

/** The service answered with an error. Of a code that this release does not know it is this class itself. */
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
export class PayloadTooLargeError extends ServiceError {}
export class UnsupportedMediaTypeError extends ServiceError {}
export class RangeNotSatisfiableError extends ServiceError {}
export class RateLimitExceededError extends ServiceError {}
export class QuotaExceededError extends ServiceError {}
export class UpstreamError extends ServiceError {}
export class ServiceUnavailableError extends ServiceError {}
export class InternalError extends ServiceError {}

/** No answer came: no network, no such host, or a connection that broke. */
export class ConnectionError extends OpzoekError {
  constructor(cause: unknown) {
    super("CONNECTION_ERROR", "the service could not be reached, or the connection broke", { cause });
  }
}

/** The deadline passed, over all tries of the call; its `cause` is what the last try failed with, if it did. */
export class TimeoutError extends OpzoekError {
  constructor(timeoutMs: number, cause?: unknown) {
    super("TIMEOUT", `no answer within ${timeoutMs} ms`, { cause });
  }
}

/** The caller aborted the call by its signal, or by the next keystroke of `autocomplete()`. Its `name` is AbortError, as for the platform's own. */
export class AbortedError extends OpzoekError {
  constructor(cause?: unknown) {
    super("ABORTED", "the call was given up", { cause });
    this.name = "AbortError";
  }
}

/** The response does not come from the service: it is HTML, for instance of a proxy, or invalid JSON. */
export class UnexpectedAnswerError extends OpzoekError {
  declare readonly status: number;

  constructor(details: ErrorDetails & { readonly status: number }) {
    super("UNEXPECTED_ANSWER", `an answer of status ${details.status} that is not of this service`, details);
  }
}
