/** Response headers that scripts in browsers may read. */
export const EXPOSED_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Tokens-Remaining",
  "X-Tokens-Charged",
  "X-Tokens-Reset",
  "X-Request-Id",
  "Retry-After",
  "WWW-Authenticate",
  "Allow",
  "ETag",
  "Accept-Ranges",
  "Content-Range",
  "Content-Disposition",
  "Idempotency-Replayed",
  "X-Oldest-Cursor",
] as const;

export const JSON_TYPE = "application/json; charset=utf-8";

/** Headers of every response, besides `x-request-id`. */
export const COMMON = { "x-content-type-options": "nosniff" } as const;

/** Any page may read responses of the API: keys are sent explicitly and cookies are ignored. */
export const CROSS_ORIGIN = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED_HEADERS.join(", "),
} as const;

/**
 * The response to preflight requests. Any header that a page asks for is allowed by its name: `*` would not include
 * `Authorization`.
 */
export const PREFLIGHTS = {
  origin: "*",
  methods: ["GET", "HEAD", "POST", "PATCH", "DELETE"],
  exposedHeaders: [...EXPOSED_HEADERS],
  maxAge: 86_400,
  strictPreflight: false,
};
