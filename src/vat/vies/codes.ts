import type { NoViesAnswer, ViesRequesterRefused } from "./results.ts";

type Meaning = Pick<NoViesAnswer, "scope" | "isTransient">;

const OF_VIES = { scope: "vies", isTransient: true } as const;
const OF_STATE = { scope: "state", isTransient: true } as const;
const OF_CALL = { scope: "call", isTransient: false } as const;

/**
 * All known error codes. None of them means that a number is not valid: codes that blame the number (`INVALID_INPUT`,
 * `VOW-ERR-2600`) come for well-formed numbers, so they are not answers either. Sources: the faults in the WSDL of
 * `checkVatService`; the test service's magic numbers; codes recorded from the REST interface, whose specification
 * names none.
 */
export const NO_ANSWERS: ReadonlyMap<string, Meaning | "requester"> = new Map<string, Meaning | "requester">([
  ["IP_BLOCKED", { scope: "address", isTransient: false }],
  ["GLOBAL_MAX_CONCURRENT_REQ", OF_VIES],
  ["GLOBAL_MAX_CONCURRENT_REQ_TIME", OF_VIES],
  ["SERVICE_UNAVAILABLE", OF_VIES],
  ["SERVER_BUSY", OF_VIES],
  ["MS_UNAVAILABLE", OF_STATE],
  ["MS_MAX_CONCURRENT_REQ", OF_STATE],
  ["MS_MAX_CONCURRENT_REQ_TIME", OF_STATE],
  ["TIMEOUT", OF_STATE],
  // "An unexpected error", seen for single numbers, so it must not stop the others.
  ["VOW-ERR-1", { scope: "call", isTransient: true }],
  ["VOW-ERR-11", OF_CALL],
  ["VOW-ERR-2600", OF_CALL],
  ["INVALID_INPUT", OF_CALL],
  ["VAT_BLOCKED", OF_CALL],
  ["INVALID_REQUESTER_INFO", "requester"],
  ["VOW-ERR-2500", "requester"],
  ["VOW-ERR-2700", "requester"],
]);

/** The result of an error code. An unknown code is no answer, never a refusal of the number. */
export function resultOfCode(code: string): NoViesAnswer | ViesRequesterRefused {
  const meaning = NO_ANSWERS.get(code);
  if (meaning === "requester") {
    return { kind: "requester-refused", reason: code, scope: "call", isFromUpstream: true };
  }
  const reason = meaning === undefined ? "UNKNOWN_CODE" : code;
  return { kind: "no-answer", isFromUpstream: true, reason, ...(meaning ?? OF_CALL) };
}

const OURS = { kind: "no-answer", isFromUpstream: false } as const;

/** VIES could not be reached, or broke the connection. */
export const UNREACHABLE = { ...OURS, reason: "UNREACHABLE", ...OF_VIES } as const;
/** The response is not one of VIES, such as HTML. */
export const UNREADABLE = { ...OURS, reason: "UNREADABLE", ...OF_VIES } as const;
/** The request is refused without a code, which concerns only this call. */
export const BAD_REQUEST = { ...OURS, reason: "BAD_REQUEST", ...OF_CALL } as const;
/** The answer names another number, as when a proxy mixes responses up: then no answer can be trusted. */
export const OTHER_NUMBER = { ...OURS, reason: "OTHER_NUMBER", ...OF_VIES } as const;
/**
 * The same, several times in a row for one number. It says nothing about VIES, which may write that number in an
 * unknown way.
 */
export const OTHER_NUMBER_AGAIN = { ...OTHER_NUMBER, scope: "number" } as const;
/** No response in time, as when a state's register hangs. */
export const TIMED_OUT = { ...OURS, reason: "TIMED_OUT", scope: "state", isTransient: false } as const;
/** The deadline ended soon after the call was sent, which says nothing about the state. */
export const CUT_SHORT = { ...OURS, reason: "CUT_SHORT", ...OF_CALL } as const;
/** VIES was not asked, because it or the state has just failed too often. */
export const NOT_ASKED = { ...OURS, reason: "NOT_ASKED", ...OF_CALL } as const;
/** VIES was not asked in time, because too many calls for the state were ahead. */
export const QUEUED_TOO_LONG = { ...OURS, reason: "QUEUED_TOO_LONG", ...OF_CALL } as const;
