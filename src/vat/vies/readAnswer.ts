import type { StateCode } from "../numbers/states.ts";
import { UNREADABLE } from "./codes.ts";
import { readAddress, readName } from "./texts.ts";
import { type Word, wordOfCode } from "./words.ts";

const BYTE_ORDER_MARK = /^\uFEFF/;

/**
 * What a response to `POST /check-vat-number` says. Errors come with HTTP 200 as often as with 4xx or 5xx, so the body
 * is looked at first. Whatever is not plainly an answer is none. Never throws.
 * @param receivedAt ISO 8601, stands in where VIES gives no time of its own
 */
export function readAnswer(status: number, text: string, countryCode: StateCode, receivedAt: string): Word {
  const body = parseObject(text);
  if (body === undefined) return UNREADABLE;
  const code = codeIn(body);
  if (code !== undefined) return code === "" ? UNREADABLE : wordOfCode(code);
  const { valid, requestDate, name, address, requestIdentifier } = body;
  if (status < 200 || status > 299 || typeof valid !== "boolean") return UNREADABLE;
  const readableName = readName(name);
  const readableAddress = readAddress(address, countryCode);
  return {
    kind: "answer",
    valid,
    validatedAt: readTime(requestDate) ?? receivedAt,
    ...(readableName !== undefined && { name: readableName }),
    ...(readableAddress !== undefined && { address: readableAddress }),
    ...(typeof requestIdentifier === "string" &&
      requestIdentifier !== "" && { consultationNumber: requestIdentifier }),
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

/** The error that a body reports, `""` for one without a code; undefined when it reports none. */
function codeIn({ actionSucceed, errorWrappers, userError }: Record<string, unknown>): string | undefined {
  if (errorWrappers !== undefined) {
    const wrappers: readonly unknown[] = Array.isArray(errorWrappers) ? errorWrappers : [];
    for (const wrapper of wrappers) {
      if (typeof wrapper !== "object" || wrapper === null || !("error" in wrapper)) continue;
      if (typeof wrapper.error === "string") return wrapper.error.trim();
    }
    return "";
  }
  if (actionSucceed === false) return "";
  if (typeof userError === "string" && userError !== "VALID" && userError !== "INVALID")
    return userError.trim();
  return undefined;
}

function readTime(text: unknown): string | undefined {
  if (typeof text !== "string" || !/^[0-9]{4}-[0-9]{2}-[0-9]{2}T/.test(text)) return undefined;
  const timeMs = Date.parse(text);
  return Number.isNaN(timeMs) ? undefined : new Date(timeMs).toISOString();
}
