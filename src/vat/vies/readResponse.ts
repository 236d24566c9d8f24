import { isJsonObject, type JsonObject, known } from "../../lib/values.ts";
import { parseJsonObject } from "../../upstream/json.ts";
import { compactVat, type VatNumber } from "../numbers/parse.ts";
import type { StateCode } from "../numbers/states.ts";
import { BAD_REQUEST, OTHER_NUMBER, resultOfCode, UNREADABLE } from "./codes.ts";
import type { ViesResult } from "./results.ts";
import { readAddress, readName } from "./texts.ts";

/**
 * The result in a response to `POST /check-vat-number`. Errors come with HTTP 200 as often as with 4xx or 5xx, so the
 * body decides. Only a body that is clearly an answer, and about the requested number, counts as one. Never throws.
 * @param number the requested number
 * @param receivedAt ISO 8601, used when VIES gives no time
 */
export function readViesResponse(
  status: number,
  text: string,
  number: VatNumber,
  receivedAt: string,
): ViesResult {
  const unreadable = status === 400 ? BAD_REQUEST : UNREADABLE;
  const body = parseJsonObject(text);
  if (body === undefined) return unreadable;
  const code = codeIn(body);
  if (code !== undefined) return code === "" ? unreadable : resultOfCode(code);
  const { valid, requestDate, name, address, requestIdentifier } = body;
  const isAnswer = status >= 200 && status <= 299 && typeof valid === "boolean" && agrees(body, valid);
  if (!isAnswer) return unreadable;
  if (isAboutOtherNumber(body, number)) return OTHER_NUMBER;
  return {
    kind: "answer",
    valid,
    validatedAt: readTime(requestDate, receivedAt),
    ...known("name", readName(name)),
    ...known("address", readAddress(address, number.countryCode)),
    ...known("consultationNumber", readName(requestIdentifier)),
  };
}

/**
 * The code of the error in a body, `""` for an error without a code, undefined without an error. `userError` is a field
 * of the endpoint behind VIES's own web page, which has `isValid` instead of `valid`.
 */
function codeIn({ actionSucceed, errorWrappers, userError }: JsonObject): string | undefined {
  if (!isAbsent(errorWrappers)) {
    const wrappers: readonly unknown[] = Array.isArray(errorWrappers) ? errorWrappers : [];
    for (const wrapper of wrappers) {
      if (isJsonObject(wrapper) && typeof wrapper["error"] === "string") return wrapper["error"].trim();
    }
    return "";
  }
  if (actionSucceed === false) return "";
  if (isAbsent(userError) || userError === "VALID" || userError === "INVALID") return undefined;
  return typeof userError === "string" ? userError.trim() : "";
}

/** Whether the fields of the web page's endpoint, if present, agree with `valid`. */
function agrees({ userError, isValid }: JsonObject, valid: boolean): boolean {
  const fits = (value: unknown, fitting: unknown) => isAbsent(value) || value === fitting;
  return fits(userError, valid ? "VALID" : "INVALID") && fits(isValid, valid);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** VIES started with the internal market. */
const EARLIEST_MS = Date.UTC(1993, 0, 1);
/** The tolerance for a clock of VIES that is ahead. */
const MAX_AHEAD_MS = 86_400_000;

/**
 * VIES's own time, or the time of receipt if that is missing or impossible, as from a clock that is not set. A time
 * without a zone would be read in this machine's zone, so it counts as missing.
 */
function readTime(text: unknown, receivedAt: string): string {
  const isMoment =
    typeof text === "string" && /^[0-9]{4}-[0-9]{2}-[0-9]{2}T.*(?:Z|[+-][0-9]{2}:?[0-9]{2})$/.test(text);
  const timeMs = isMoment ? Date.parse(text) : Number.NaN;
  const isPossible = timeMs >= EARLIEST_MS && timeMs <= Date.parse(receivedAt) + MAX_AHEAD_MS;
  return isPossible ? new Date(timeMs).toISOString() : receivedAt;
}

/** Other codes of a state: the ISO code of Greece, and the code of Northern Ireland before 2021. */
const OTHER_CODES: Partial<Record<StateCode, string>> = { EL: "GR", XI: "GB" };

/**
 * Whether an answer names another number than the requested one. VIES repeats the number as it was sent, but a proxy
 * may have changed case, separators, leading zeros or the country code before it, which does not make it another
 * number. An absent or empty part is ignored; a part that is neither text nor a number counts as another one.
 */
export function isAboutOtherNumber(
  { countryCode, vatNumber }: Readonly<Record<string, unknown>>,
  requested: VatNumber,
): boolean {
  const other = OTHER_CODES[requested.countryCode];
  const codes = other === undefined ? [requested.countryCode] : [requested.countryCode, other];
  const code = compactOf(countryCode);
  const number = compactOf(vatNumber);
  const isState = code === "" || codes.some((one) => one === code);
  const national = unpadded(requested.national);
  const isNumber =
    number === "" ||
    ["", ...codes].some(
      (prefix) => number?.startsWith(prefix) === true && unpadded(number.slice(prefix.length)) === national,
    );
  return !(isState && isNumber);
}

/** Empty for an absent or withheld (`---`) value; undefined for one that is not text. */
function compactOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return "";
  return typeof value === "string" || typeof value === "number" ? compactVat(String(value)) : undefined;
}

function unpadded(national: string): string {
  return national.replace(/^0+/, "");
}
