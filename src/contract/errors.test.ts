import { describe, expect, it } from "vitest";
import { ApiError, ERROR_CODES, ERRORS, errorBody } from "./errors.ts";

describe("the table of errors", () => {
  it("matches the contract", () => {
    const statuses = Object.fromEntries(ERROR_CODES.map((code) => [code, ERRORS[code].status]));
    expect(statuses).toEqual({
      INVALID_KVK_NUMBER: 400,
      INVALID_VAT_NUMBER: 400,
      INVALID_REQUEST: 400,
      UNAUTHORIZED: 401,
      FORBIDDEN: 403,
      NOT_FOUND: 404,
      NOT_HELD: 404,
      ROUTE_NOT_FOUND: 404,
      METHOD_NOT_ALLOWED: 405,
      CONFLICT: 409,
      CURSOR_EXPIRED: 410,
      PAYLOAD_TOO_LARGE: 413,
      UNSUPPORTED_MEDIA_TYPE: 415,
      RANGE_NOT_SATISFIABLE: 416,
      RATE_LIMIT_EXCEEDED: 429,
      QUOTA_EXCEEDED: 429,
      UPSTREAM_ERROR: 502,
      SERVICE_UNAVAILABLE: 503,
      INTERNAL_ERROR: 500,
    });
  });

  it("gives every error its status, its header values and the same form of body", () => {
    for (const code of ERROR_CODES) {
      const error = new ApiError(code, "do this", { retryAfterSeconds: 3, allow: "GET", cause: "inner" });
      expect(error).toMatchObject({
        status: ERRORS[code].status,
        retryAfterSeconds: 3,
        allow: "GET",
        cause: "inner",
      });
      expect(errorBody(error.code, error.message)).toEqual({ error: { code, message: "do this" } });
    }
    expect("cause" in new ApiError("NOT_FOUND", "none")).toBe(false);
  });
});
