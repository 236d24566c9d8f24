import { retryAfterSeconds } from "../../lib/retryAfter.ts";
import { isJsonObject, type JsonObject } from "../../lib/values.ts";
import { parseJsonObject } from "../../upstream/json.ts";
import type { UpstreamResponse } from "../../upstream/pool.ts";
import * as codes from "./codes.ts";
import type { KvkNoAnswer, KvkResult } from "./results.ts";

const JSON_TYPE = /^application\/(?:[a-z0-9.]+\+)?json(?:\s*;|$)/i;

/**
 * Reads a response of KVK. "Not found" is believed only from one of KVK's own codes, never from a bare 404. Never
 * throws.
 * @param asOf when it was received, ISO 8601 UTC
 */
export function readKvkResponse(response: UpstreamResponse, asOf: string): KvkResult {
  const { status } = response;
  if (status === 401 || status === 403) return codes.KEY_REFUSED;
  const body = bodyOf(response);
  const code = body === undefined ? undefined : codeIn(body);
  if (status === 429) return withRetryAfter(codes.RATE_LIMITED, response);
  if (status >= 500) {
    const isKnown = code !== undefined && codes.CODES.has(code);
    return withRetryAfter(isKnown ? { ...codes.SERVER_FAILED, reason: code } : codes.SERVER_FAILED, response);
  }
  if (code !== undefined) return code === "" ? codes.UNREADABLE : resultOfCode(code, asOf);
  if (status >= 200 && status <= 299 && body !== undefined) return { kind: "found", value: body, asOf };
  if (status === 404) return codes.NO_SUCH_ADDRESS;
  return status >= 400 ? codes.BAD_REQUEST : codes.UNREADABLE;
}

function resultOfCode(code: string, asOf: string): KvkResult {
  const meaning = codes.CODES.get(code);
  if (meaning === undefined) return codes.UNKNOWN_CODE;
  if (meaning === "not-found") return { kind: "not-found", reason: code, asOf };
  return { kind: "no-answer", reason: code, isFromUpstream: true, ...meaning };
}

/** The JSON object of a response; undefined if it has another type or is not an object. */
export function bodyOf({ headers, text }: UpstreamResponse): JsonObject | undefined {
  return JSON_TYPE.test(headers["content-type"] ?? "") ? parseJsonObject(text) : undefined;
}

/** The code of an error body, `""` when it has none; undefined when the body is not an error. */
function codeIn(body: JsonObject): string | undefined {
  if (!Object.hasOwn(body, "fout")) return undefined;
  const { fout } = body;
  const first: unknown = Array.isArray(fout) ? fout[0] : fout;
  return isJsonObject(first) && typeof first.code === "string" ? first.code.trim() : "";
}

/** A result with the pause that KVK asks for; then there is no immediate retry. */
function withRetryAfter(result: KvkNoAnswer, response: UpstreamResponse): KvkNoAnswer {
  const seconds = retryAfterSeconds(response);
  return seconds === undefined ? result : { ...result, isTransient: false, retryAfterSeconds: seconds };
}
