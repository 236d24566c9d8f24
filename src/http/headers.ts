/** Headers that a browser's script may read. */
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
] as const;

export const JSON_TYPE = "application/json; charset=utf-8";

/** What every answer carries, besides its `x-request-id`. */
export const COMMON = { "x-content-type-options": "nosniff" } as const;

/** Any page may read what the API answers: keys are in headers, and no cookie is looked at. */
export const CROSS_ORIGIN = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED_HEADERS.join(", "),
} as const;

/** What a browser is told that asks before it calls. */
export const PREFLIGHTS = {
  origin: "*",
  methods: ["GET", "HEAD", "POST"],
  allowedHeaders: [
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-None-Match",
    "If-Range",
    "Range",
    "traceparent",
    "MCP-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
  ],
  exposedHeaders: [...EXPOSED_HEADERS],
  maxAge: 86_400,
  strictPreflight: false,
};
