import { Agent, request } from "undici";
import type { VatNumber } from "../numbers/parse.ts";
import { TIMED_OUT, UNREACHABLE, UNREADABLE } from "./codes.ts";
import { parseObject, readAnswer } from "./readAnswer.ts";
import type { NoAnswer, Word } from "./words.ts";

/** Whoever asks, for the proof that it asked: a country code and a number, as VIES wants them. */
export interface Requester {
  readonly countryCode: string;
  readonly national: string;
}

/** VIES's own word on which states answer. */
export interface Availability {
  readonly isAvailable: boolean;
  readonly unavailableStates: readonly string[];
}

/** VIES as it is reached: one call, one word, whatever happens. */
export interface ViesUpstream {
  /** Never rejects. `signal` ends the call. */
  check(number: VatNumber, requester: Requester | undefined, signal: AbortSignal): Promise<Word>;
  /** Undefined when no sense can be made of what comes. @throws when VIES cannot be reached in time */
  availability(signal: AbortSignal): Promise<Availability | undefined>;
  close(): Promise<void>;
}

/** A real answer has about a thousand bytes. */
const MOST_BYTES = 65_536;
/** Connections are kept for the next call, as making one to Brussels takes several round trips. */
const KEEP_ALIVE_MS = 30_000;
const CONNECT_WITHIN_MS = 3_000;

/** The REST interface of VIES at `baseUrl` (see its `swagger_publicVAT.yaml`). */
export function viesOverHttp(baseUrl: string): ViesUpstream {
  const agent = new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: { timeout: CONNECT_WITHIN_MS },
    // Over HTTP/1.1 a call that is ended takes its connection with it. One dead HTTP/2 connection, which all calls share,
    // would go on to swallow the calls after it.
    allowH2: false,
    // A response is read whole before it is believed, within the time of the signal.
    maxResponseSize: MOST_BYTES,
  });
  return {
    async check(number, requester, signal) {
      try {
        const { statusCode, body } = await request(`${baseUrl}/check-vat-number`, {
          method: "POST",
          headers: { "content-type": "application/json", accept: "application/json" },
          body: JSON.stringify(question(number, requester)),
          dispatcher: agent,
          signal,
        });
        return readAnswer(statusCode, await body.text(), number.countryCode, new Date().toISOString());
      } catch (error) {
        return noAnswer(error, signal);
      }
    },

    async availability(signal) {
      const { statusCode, body } = await request(`${baseUrl}/check-status`, {
        headers: { accept: "application/json" },
        dispatcher: agent,
        signal,
      });
      return statusCode === 200 ? readAvailability(await body.text()) : void (await body.dump());
    },

    close: () => agent.destroy(),
  };
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

function noAnswer(error: unknown, signal: AbortSignal): NoAnswer {
  if (signal.aborted) return TIMED_OUT;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const isTooLong = code === "UND_ERR_RES_EXCEEDED_MAX_SIZE";
  return isTooLong ? UNREADABLE : UNREACHABLE;
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
