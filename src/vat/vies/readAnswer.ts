import type { VatNumber } from "../numbers/parse.ts";
import { namesAnother } from "./asked.ts";
import { BAD_REQUEST, OTHER_NUMBER, UNREADABLE } from "./codes.ts";
import { resultOfCode, type ViesResult } from "./results.ts";
import { readAddress, readName } from "./texts.ts";

const BYTE_ORDER_MARK = /^\uFEFF/;

/**
 * What a response to `POST /check-vat-number` says. Errors come with HTTP 200 as often as with 4xx or 5xx, so the body
 * is looked at first. Whatever is not plainly an answer is none, nor is one that names another number. Never throws.
 * @param number that VIES was asked about
 * @param receivedAt ISO 8601, stands in where VIES gives no time of its own
 */
export function readAnswer(status: number, text: string, number: VatNumber, receivedAt: string): ViesResult {
  const unreadable = status === 400 ? BAD_REQUEST : UNREADABLE;
  const body = parseObject(text);
  if (body === undefined) return unreadable;
  const code = codeIn(body);
  if (code !== undefined) return code === "" ? unreadable : resultOfCode(code);
  const { valid, requestDate, name, address, requestIdentifier } = body;
  const isAnswer = status >= 200 && status <= 299 && typeof valid === "boolean" && agrees(body, valid);
  if (!isAnswer) return unreadable;
  if (namesAnother(body, number)) return OTHER_NUMBER;
  const readableName = readName(name);
  const readableAddress = readAddress(address, number.countryCode);
  const consultationNumber = readName(requestIdentifier);
  return {
    kind: "answer",
    valid,
    validatedAt: readTime(requestDate, receivedAt),
    ...(readableName !== undefined && { name: readableName }),
    ...(readableAddress !== undefined && { address: readableAddress }),
    ...(consultationNumber !== undefined && { consultationNumber }),
  };
}

export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text.replace(BYTE_ORDER_MARK, ""));
    return typeof body === "object" && body !== null && !Array.isArray(body) ? { ...body } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The error that a body reports, `""` for one without a code; undefined when it reports none. `userError` is a field of
 * the endpoint of VIES's own web page, which has `isValid` in the place of `valid`; its errors are taken at their result.
 */
function codeIn({ actionSucceed, errorWrappers, userError }: Record<string, unknown>): string | undefined {
  if (!isAbsent(errorWrappers)) {
    const wrappers: readonly unknown[] = Array.isArray(errorWrappers) ? errorWrappers : [];
    for (const wrapper of wrappers) {
      if (typeof wrapper !== "object" || wrapper === null || !("error" in wrapper)) continue;
      if (typeof wrapper.error === "string") return wrapper.error.trim();
    }
    return "";
  }
  if (actionSucceed === false) return "";
  if (isAbsent(userError) || userError === "VALID" || userError === "INVALID") return undefined;
  return typeof userError === "string" ? userError.trim() : "";
}

/** Whether a body that says it twice, as the web page's endpoint does in fields of its own, says the same. */
function agrees({ userError, isValid }: Record<string, unknown>, valid: boolean): boolean {
  const fits = (value: unknown, fitting: unknown) => isAbsent(value) || value === fitting;
  return fits(userError, valid ? "VALID" : "INVALID") && fits(isValid, valid);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** The internal market, and VIES with it, began then. */
const EARLIEST_MS = Date.UTC(1993, 0, 1);
/** How far a clock of VIES may be ahead. */
const MAX_AHEAD_MS = 86_400_000;

/**
 * VIES's own time, or that of receipt where it gives none that can be true, as when a clock was not set. A moment needs its zone: without
 * one it would be read by the clock of this machine.
 */
function readTime(text: unknown, receivedAt: string): string {
  const isMoment =
    typeof text === "string" && /^[0-9]{4}-[0-9]{2}-[0-9]{2}T.*(?:Z|[+-][0-9]{2}:?[0-9]{2})$/.test(text);
  const timeMs = isMoment ? Date.parse(text) : Number.NaN;
  const isPossible = timeMs >= EARLIEST_MS && timeMs <= Date.parse(receivedAt) + MAX_AHEAD_MS;
  return isPossible ? new Date(timeMs).toISOString() : receivedAt;
}
