import { isJsonObject, type JsonObject } from "../lib/values.ts";

const BYTE_ORDER_MARK = /^\uFEFF/;
/** Real responses nest 8 deep. */
const MAX_DEPTH = 64;
/** A list of 5,000 branches has about 150,000 values. */
const MAX_VALUES = 250_000;
const MIN_SUSPICIOUS_LENGTH = 1_000;

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Array.from(
  '"\\,[]{}',
  (sign) => sign.charCodeAt(0),
);

/**
 * Parses the JSON object of an upstream's response. Undefined for anything else, and for more values or a deeper
 * nesting than an honest response has: the parser would need seconds and gigabytes for them.
 */
export function parseJsonObject(text: string): JsonObject | undefined {
  if (text.length > MIN_SUSPICIOUS_LENGTH && isExcessive(text)) return undefined;
  try {
    const parsed: unknown = JSON.parse(text.replace(BYTE_ORDER_MARK, ""));
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isExcessive(text: string): boolean {
  let [depth, values, isInText] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (isInText) {
      if (sign === BACKSLASH) at++;
      else if (sign === QUOTE) isInText = false;
    } else if (sign === QUOTE) isInText = true;
    else if (sign === COMMA) values++;
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) {
      depth++;
      values++;
    } else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth--;
    if (depth > MAX_DEPTH || values > MAX_VALUES) return true;
  }
  return false;
}
