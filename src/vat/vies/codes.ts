interface Meaning {
  readonly scope: "address" | "vies" | "state" | "call";
  readonly isTransient: boolean;
}

const OF_VIES = { scope: "vies", isTransient: true } as const;
const OF_STATE = { scope: "state", isTransient: true } as const;
const OF_CALL = { scope: "call", isTransient: false } as const;

/**
 * Every code that may stand where an answer should be. None of them says that a number is not valid: codes that blame
 * the number (`INVALID_INPUT`, `VOW-ERR-2600`) come for numbers whose form is right here, so they are no answer either.
 * Sources: the list of faults in the WSDL of `checkVatService`; the test service's magic numbers; codes that were
 * recorded from the REST interface, whose own specification names none.
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
  // "An unexpected error": seen for single numbers, so that it must not stop the others.
  ["VOW-ERR-1", { scope: "call", isTransient: true }],
  ["VOW-ERR-11", OF_CALL],
  ["VOW-ERR-2600", OF_CALL],
  ["INVALID_INPUT", OF_CALL],
  ["VAT_BLOCKED", OF_CALL],
  ["INVALID_REQUESTER_INFO", "requester"],
  ["VOW-ERR-2500", "requester"],
  ["VOW-ERR-2700", "requester"],
]);

export const UNKNOWN_CODE = OF_CALL;

const OURS = { kind: "no-answer", isFromVies: false } as const;

/** VIES could not be reached, or broke the connection. */
export const UNREACHABLE = { ...OURS, reason: "UNREACHABLE", ...OF_VIES } as const;
/** What came was not what VIES answers, such as HTML. */
export const UNREADABLE = { ...OURS, reason: "UNREADABLE", ...OF_VIES } as const;
/** The request is refused without a code: it is this one that is blamed, and must not stop the others. */
export const BAD_REQUEST = { ...OURS, reason: "BAD_REQUEST", ...OF_CALL } as const;
/** The answer names another number than the one that was asked, as when something on the way mixes answers up: then none can be believed. */
export const OTHER_NUMBER = { ...OURS, reason: "OTHER_NUMBER", ...OF_VIES } as const;
/** Nothing came in time, as when a state's register hangs. */
export const TIMED_OUT = { ...OURS, reason: "TIMED_OUT", scope: "state", isTransient: false } as const;
/** The time was over soon after the call went out: that says nothing of the state. */
export const CUT_SHORT = { ...OURS, reason: "CUT_SHORT", ...OF_CALL } as const;
/** VIES was not asked: it or the state had failed too often just before. */
export const NOT_ASKED = { ...OURS, reason: "NOT_ASKED", ...OF_CALL } as const;
/** VIES was not asked in time: too many calls for the state were before this one. */
export const QUEUED_TOO_LONG = { ...OURS, reason: "QUEUED_TOO_LONG", ...OF_CALL } as const;
