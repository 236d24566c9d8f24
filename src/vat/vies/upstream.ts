import { type NoResponse, openPool, type Response, retryAfterSeconds } from "../../upstream/pool.ts";
import type { VatNumber } from "../numbers/parse.ts";
import type { StateCode } from "../numbers/states.ts";
import { OTHER_NUMBER, TIMED_OUT, UNREACHABLE, UNREADABLE } from "./codes.ts";
import { parseObject, readAnswer } from "./readAnswer.ts";
import type { NoAnswer, ViesResult } from "./results.ts";

/** Whoever asks, for the proof that it asked: a country code and a number, as VIES wants them. */
export interface Requester {
  readonly countryCode: string;
  readonly national: string;
}

/** VIES's own result on which states answer. */
export interface Availability {
  readonly isAvailable: boolean;
  readonly unavailableStates: readonly string[];
}

/** Its status page was not given: VIES asks to be left alone for so long. */
export interface AskedTooOften {
  readonly retryAfterSeconds: number;
}

/** VIES as it is reached: one call, one result, whatever happens. */
export interface ViesUpstream {
  /** Never rejects. `signal` ends the call. */
  check(number: VatNumber, requester: Requester | undefined, signal: AbortSignal): Promise<ViesResult>;
  /** Undefined when no sense can be made of what comes. @throws when VIES cannot be reached in time */
  availability(signal: AbortSignal): Promise<Availability | AskedTooOften | undefined>;
  close(): Promise<void>;
}

/** A real answer has about a thousand bytes. */
const MAX_BYTES = 65_536;

/**
 * The REST interface of VIES at `baseUrl` (see its `swagger_publicVAT.yaml`).
 * @param onOtherNumber told of each answer that names another number than the one that was asked, with the state of that one
 */
export function viesOverHttp(
  baseUrl: string,
  onOtherNumber: (asked: StateCode) => void = () => {},
): ViesUpstream {
  const pool = openPool({ maxBytes: MAX_BYTES });
  return {
    async check(number, requester, signal) {
      const response = await pool.ask(`${baseUrl}/check-vat-number`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify(question(number, requester)),
        signal,
      });
      if (response.kind !== "response") return NO_RESPONSES[response.kind];
      const result = readAnswer(response.status, response.text, number, new Date().toISOString());
      if (result === OTHER_NUMBER) onOtherNumber(number.countryCode);
      return withRetryAfter(result, response);
    },

    async availability(signal) {
      const response = await pool.ask(`${baseUrl}/check-status`, {
        headers: { accept: "application/json" },
        signal,
      });
      if (response.kind !== "response") throw new Error(`the status of VIES: ${response.kind}`);
      if (response.status === 200) return readAvailability(response.text);
      const seconds = retryAfterSeconds(response);
      return seconds === undefined ? undefined : { retryAfterSeconds: seconds };
    },

    close: () => pool.close(),
  };
}

const NO_RESPONSES: Readonly<Record<NoResponse["kind"], NoAnswer>> = {
  "timed-out": TIMED_OUT,
  "too-long": UNREADABLE,
  refused: UNREACHABLE,
  untrusted: UNREACHABLE,
  broken: UNREACHABLE,
};

/**
 * A result with the pause that VIES asks for. HTTP 429 and 503 are not about one number: where the body blames no state, the pause is for
 * all of VIES.
 */
function withRetryAfter(result: ViesResult, response: Response): ViesResult {
  if (result.kind !== "no-answer") return result;
  const seconds = retryAfterSeconds(response);
  if (seconds === undefined) return result;
  const isForAll = result.scope === "call" && [429, 503].includes(response.status);
  const scope = isForAll ? "vies" : result.scope;
  return { ...result, scope, isTransient: false, retryAfterSeconds: seconds };
}

/** Both requester fields or none: VIES refuses one alone. */
function question({ countryCode, national }: VatNumber, requester: Requester | undefined) {
  if (requester === undefined) return { countryCode, vatNumber: national };
  return {
    countryCode,
    vatNumber: national,
    requesterMemberStateCode: requester.countryCode,
    requesterNumber: requester.national,
  };
}

function readAvailability(text: string): Availability | undefined {
  const body = parseObject(text);
  const vow = body?.["vow"];
  if (typeof vow !== "object" || vow === null || !("available" in vow)) return undefined;
  const countries = body?.["countries"];
  const states: readonly unknown[] = Array.isArray(countries) ? countries : [];
  const unavailableStates = states.flatMap((state) => {
    if (typeof state !== "object" || state === null) return [];
    if (!("countryCode" in state && "availability" in state)) return [];
    const { countryCode, availability } = state;
    return availability === "Unavailable" && typeof countryCode === "string" ? [countryCode] : [];
  });
  return { isAvailable: vow.available !== false, unavailableStates };
}
