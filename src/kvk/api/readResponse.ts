import { isJsonObject, type JsonObject, known } from "../../lib/values.ts";
import type { Response } from "../../upstream/pool.ts";
import * as codes from "./codes.ts";
import type { KvkResult, NoAnswer } from "./results.ts";

const BYTE_ORDER_MARK = /^\uFEFF/;
const JSON_TYPE = /^application\/(?:[a-z0-9.]+\+)?json(?:\s*;|$)/i;
/** Longer ones are no help to anybody who waits. */
const LONGEST_RETRY_AFTER_SECONDS = 86_400;
/** Whoever is to come back later than this need not be kept waiting for another try. */
const WORTH_WAITING_SECONDS = 1;

/**
 * What a response of KVK says. Whatever is not plainly an answer is none: "not found" is believed only from one of KVK's own
 * codes, never from a bare 404. Never throws.
 * @param receivedAt ISO 8601 UTC
 */
export function readResponse(response: Response, receivedAt: string): KvkResult {
  const { status, headers } = response;
  if (status === 401 || status === 403) return codes.KEY_REFUSED;
  const body = JSON_TYPE.test(headers["content-type"] ?? "") ? parseObject(response.text) : undefined;
  const code = body === undefined ? undefined : codeIn(body);
  if (status === 429) return withRetryAfter(codes.RATE_LIMITED, headers);
  if (status >= 500) {
    const isKnown = code !== undefined && codes.CODES.has(code);
    return withRetryAfter(isKnown ? { ...codes.SERVER_FAILED, reason: code } : codes.SERVER_FAILED, headers);
  }
  if (code !== undefined) return code === "" ? codes.UNREADABLE : resultOfCode(code, receivedAt);
  if (status >= 200 && status <= 299 && body !== undefined) return { kind: "body", json: body, receivedAt };
  if (status === 404) return codes.NO_SUCH_ADDRESS;
  return status >= 400 ? codes.BAD_REQUEST : codes.UNREADABLE;
}

function resultOfCode(code: string, receivedAt: string): KvkResult {
  const meaning = codes.CODES.get(code);
  if (meaning === undefined) return codes.UNKNOWN_CODE;
  if (meaning === "not-found") return { kind: "not-found", reason: code, receivedAt };
  return { kind: "no-answer", reason: code, isFromKvk: true, ...meaning };
}

/** The code of an error answer, `""` for one without; undefined when the body is no error. */
function codeIn(body: JsonObject): string | undefined {
  if (!Object.hasOwn(body, "fout")) return undefined;
  const { fout } = body;
  const first: unknown = Array.isArray(fout) ? fout[0] : fout;
  return isJsonObject(first) && typeof first.code === "string" ? first.code.trim() : "";
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(text.replace(BYTE_ORDER_MARK, ""));
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** `Retry-After` in seconds; a date, which needs clocks to agree, is not read. */
function withRetryAfter(result: NoAnswer, headers: Response["headers"]): NoAnswer {
  const text = headers["retry-after"] ?? "";
  if (!/^[0-9]{1,9}$/.test(text)) return result;
  const retryAfterSeconds = Math.min(Number(text), LONGEST_RETRY_AFTER_SECONDS);
  const isTransient = result.isTransient && retryAfterSeconds <= WORTH_WAITING_SECONDS;
  return { ...result, isTransient, ...known("retryAfterSeconds", retryAfterSeconds) };
}
