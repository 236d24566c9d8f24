import type { ErrorCode } from "./api/calls.ts";
import {
  ConflictError,
  CursorExpiredError,
  type ErrorDetails,
  ForbiddenError,
  InternalError,
  InvalidKvkNumberError,
  InvalidRequestError,
  InvalidVatNumberError,
  MethodNotAllowedError,
  NotFoundError,
  NotHeldError,
  PayloadTooLargeError,
  QuotaExceededError,
  RangeNotSatisfiableError,
  RateLimitExceededError,
  RouteNotFoundError,
  ServiceError,
  ServiceUnavailableError,
  UnauthorizedError,
  UnsupportedMediaTypeError,
  UpstreamError,
} from "./errors.ts";

const CLASSES: Readonly<Record<ErrorCode, typeof ServiceError>> = {
  INVALID_KVK_NUMBER: InvalidKvkNumberError,
  INVALID_VAT_NUMBER: InvalidVatNumberError,
  INVALID_REQUEST: InvalidRequestError,
  UNAUTHORIZED: UnauthorizedError,
  FORBIDDEN: ForbiddenError,
  NOT_FOUND: NotFoundError,
  NOT_HELD: NotHeldError,
  ROUTE_NOT_FOUND: RouteNotFoundError,
  METHOD_NOT_ALLOWED: MethodNotAllowedError,
  CONFLICT: ConflictError,
  CURSOR_EXPIRED: CursorExpiredError,
  PAYLOAD_TOO_LARGE: PayloadTooLargeError,
  UNSUPPORTED_MEDIA_TYPE: UnsupportedMediaTypeError,
  RANGE_NOT_SATISFIABLE: RangeNotSatisfiableError,
  RATE_LIMIT_EXCEEDED: RateLimitExceededError,
  QUOTA_EXCEEDED: QuotaExceededError,
  UPSTREAM_ERROR: UpstreamError,
  SERVICE_UNAVAILABLE: ServiceUnavailableError,
  INTERNAL_ERROR: InternalError,
};

/** Returns the error of a response, of the class of its code. */
export function serviceError(code: string, message: string, details: ErrorDetails): ServiceError {
  const known = Object.hasOwn(CLASSES, code) ? CLASSES[code as keyof typeof CLASSES] : ServiceError;
  return new known(code, message, details);
}
