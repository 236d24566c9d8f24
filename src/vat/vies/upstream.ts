import { retryAfterSeconds } from "../../lib/retryAfter.ts";
import { isJsonObject, known } from "../../lib/values.ts";
import { parseJsonObject } from "../../upstream/json.ts";
import { type NoResponse, openHttpPool, type UpstreamResponse } from "../../upstream/pool.ts";
import type { VatNumber } from "../numbers/parse.ts";
import type { StateCode } from "../numbers/states.ts";
import { OTHER_NUMBER, TIMED_OUT, UNREACHABLE, UNREADABLE } from "./codes.ts";
import { readViesResponse } from "./readResponse.ts";
import type { NoViesAnswer, ViesResult } from "./results.ts";

/** The VAT number of the requester. */
export interface Requester {
  readonly countryCode: string;
  readonly national: string;
}

/** VIES's own status. */
export interface Availability {
  readonly isAvailable: boolean;
  readonly unavailableStates: readonly string[];
}

/** VIES refuses its status for a while. */
export interface StatusRateLimited {
  readonly retryAfterSeconds: number;
}

/** Single calls to VIES. */
export interface ViesUpstream {
  /** Never rejects. `signal` aborts the call. */
  check(number: VatNumber, requester: Requester | undefined, signal: AbortSignal): Promise<ViesResult>;
  /** Undefined when the response cannot be read. @throws when VIES cannot be reached in time */
  availability(signal: AbortSignal): Promise<Availability | StatusRateLimited | undefined>;
  close(): Promise<void>;
}

/** A real answer has about a thousand bytes. */
const MAX_BYTES = 65_536;

/**
 * The REST interface of VIES at `baseUrl` (see its `swagger_publicVAT.yaml`).
 * @param onOtherNumber called for each answer that names another number, with the state of the requested one
 */
export function viesOverHttp(
  baseUrl: string,
  onOtherNumber: (requested: StateCode) => void = () => {},
): ViesUpstream {
  const pool = openHttpPool({ maxBytes: MAX_BYTES });
  return {
    async check(number, requester, signal) {
      const response = await pool.ask(`${baseUrl}/check-vat-number`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({
          countryCode: number.countryCode,
          vatNumber: number.national,
          ...known("requesterMemberStateCode", requester?.countryCode),
          ...known("requesterNumber", requester?.national),
        }),
        signal,
      });
      if (response.kind !== "response") return NO_RESPONSES[response.kind];
      const result = readViesResponse(response.status, response.text, number, new Date().toISOString());
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

const NO_RESPONSES: Readonly<Record<NoResponse["kind"], NoViesAnswer>> = {
  "timed-out": TIMED_OUT,
  "too-long": UNREADABLE,
  refused: UNREACHABLE,
  untrusted: UNREACHABLE,
  broken: UNREACHABLE,
};

/**
 * Adds the pause that VIES asks for. HTTP 429 and 503 do not concern one number: if the body does not blame a state,
 * the pause is for VIES as a whole.
 */
function withRetryAfter(result: ViesResult, response: UpstreamResponse): ViesResult {
  if (result.kind !== "no-answer") return result;
  const seconds = retryAfterSeconds(response);
  if (seconds === undefined) return result;
  const isForAll = result.scope === "call" && [429, 503].includes(response.status);
  const scope = isForAll ? "vies" : result.scope;
  return { ...result, scope, isTransient: false, retryAfterSeconds: seconds };
}

function readAvailability(text: string): Availability | undefined {
  const body = parseJsonObject(text);
  const vow = body?.["vow"];
  if (!isJsonObject(vow) || !("available" in vow)) return undefined;
  const countries = body?.["countries"];
  const states: readonly unknown[] = Array.isArray(countries) ? countries : [];
  const unavailableStates = states.flatMap((state) => {
    const { countryCode, availability } = isJsonObject(state) ? state : {};
    return availability === "Unavailable" && typeof countryCode === "string" ? [countryCode] : [];
  });
  return { isAvailable: vow["available"] !== false, unavailableStates };
}
