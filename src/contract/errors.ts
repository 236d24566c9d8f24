/** The closed table of errors. Every error response has one of these codes and its status. */
export const ERRORS = {
  INVALID_KVK_NUMBER: { status: 400, when: "The KVK number is not exactly 8 digits." },
  INVALID_VAT_NUMBER: { status: 400, when: "The VAT number does not have a form that VIES accepts." },
  INVALID_REQUEST: { status: 400, when: "Any other bad input; the message names the field and the rule." },
  UNAUTHORIZED: { status: 401, when: "No key, or one that is malformed, unknown, expired or revoked." },
  FORBIDDEN: { status: 403, when: "The key is valid but may not do this." },
  NOT_FOUND: { status: 404, when: "No company has this number." },
  NOT_HELD: {
    status: 404,
    when: "The company is known, but its origin has no branches, and no live source is configured.",
  },
  ROUTE_NOT_FOUND: { status: 404, when: "No such path." },
  METHOD_NOT_ALLOWED: { status: 405, when: "The path exists, the method does not; see `Allow`." },
  CONFLICT: {
    status: 409,
    when: "The `Idempotency-Key` was used for another request, or the same request is still running; then see `Retry-After`.",
  },
  CURSOR_EXPIRED: {
    status: 410,
    when: "The events after this cursor are no longer kept; `X-Oldest-Cursor` is the oldest cursor that can be continued.",
  },
  PAYLOAD_TOO_LARGE: { status: 413, when: "The body is larger than the limit." },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    when: "The body is compressed, or has a type that the call does not accept: `application/json` except for lists and reconciliation.",
  },
  RANGE_NOT_SATISFIABLE: { status: 416, when: "The `Range` starts beyond the end of the content." },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    when: "The per-minute limit is used up, or another match call or too many downloads of the account are in progress; see `Retry-After`.",
  },
  QUOTA_EXCEEDED: { status: 429, when: "The monthly allowance does not cover the call's full price." },
  UPSTREAM_ERROR: { status: 502, when: "The registry source or VIES does not answer and nothing is cached." },
  SERVICE_UNAVAILABLE: {
    status: 503,
    when: "Overload, shutdown, an unavailable state store, or a name index that is still being built; see `Retry-After`.",
  },
  INTERNAL_ERROR: { status: 500, when: "Anything else. Nothing was charged." },
} as const;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];

/** Messages for a registry that cannot answer now. The page recognises them and shows its own texts. */
export const REGISTRY_UNAVAILABLE = {
  noRegistry: "this service has no company registry yet; ask its operator to import one",
  namesNotIndexed:
    "names cannot be searched yet, because their index is being built; nothing was charged: try again later, or look companies up by their KVK number meanwhile",
} as const;

/**
 * An error response. `message` is for the caller: it says what to do and contains nothing secret. `retryAfterSeconds`
 * and `allow` become the headers `Retry-After` and `Allow`. `totalBytes` becomes the `Content-Range` of an
 * unsatisfiable range (RFC 9110, section 15.5.17), from which a client can see that it has everything. `oldestCursor`
 * becomes `X-Oldest-Cursor`. `field`, the affected form field, becomes `X-Error-Field`, for the account page only.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly allow: string | undefined;
  readonly field: string | undefined;
  readonly totalBytes: number | undefined;
  readonly oldestCursor: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    extra: {
      retryAfterSeconds?: number;
      allow?: string;
      field?: string;
      totalBytes?: number;
      oldestCursor?: string;
      cause?: unknown;
    } = {},
  ) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.name = "ApiError";
    this.code = code;
    this.retryAfterSeconds = extra.retryAfterSeconds;
    this.allow = extra.allow;
    this.field = extra.field;
    this.totalBytes = extra.totalBytes;
    this.oldestCursor = extra.oldestCursor;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** The error for a request that breaks a rule. */
export function invalid(message: string): ApiError {
  return new ApiError("INVALID_REQUEST", message);
}

/** The error for a key or person that may not do this. */
export function forbidden(message: string): ApiError {
  return new ApiError("FORBIDDEN", message);
}

/** The error after which the same call may be repeated. */
export function retryLater(code: ErrorCode, retryAfterSeconds: number, message: string): ApiError {
  return new ApiError(code, message, { retryAfterSeconds });
}

export interface ErrorBody {
  readonly error: { readonly code: ErrorCode; readonly message: string };
}

export function errorBody(code: ErrorCode, message: string): ErrorBody {
  return { error: { code, message } };
}
