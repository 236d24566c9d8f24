import type { NoResponse } from "../../upstream/pool.ts";

/** The extent of a failure: the `court`'s service, or only this call. */
export type CourtScope = "court" | "call";

/** A call without an answer. It says nothing about any company. */
export interface CourtFailure {
  readonly kind: "no-answer";
  /** One of the fixed texts below; never contains anything that was sent or received. */
  readonly reason: string;
  readonly scope: CourtScope;
  /** Whether the court itself reports it. */
  readonly isFromUpstream: boolean;
  readonly retryAfterSeconds?: number;
}

const failure = (reason: string, scope: CourtScope, isFromUpstream = false): CourtFailure => ({
  kind: "no-answer",
  reason,
  scope,
  isFromUpstream,
});

/** The user name or the password is wrong. */
export const LOGIN_REFUSED = failure("LOGIN_REFUSED", "court", true);
/** Any other fault of the protocol. */
export const FAULT = failure("FAULT", "court", true);
/** An error status without a fault, such as an HTML page of a gateway. */
export const SERVER_FAILED = failure("SERVER_FAILED", "court");
/** Not an answer to this question: HTML, half a document, another namespace. */
export const UNREADABLE = failure("UNREADABLE", "court");
/** An answer whose content lacks something or contradicts itself. */
export const BAD_CONTENT = failure("BAD_CONTENT", "call", true);
/** Another case than the requested one. */
export const WRONG_CASE = failure("WRONG_CASE", "call", true);
/** An `exceptie` with an unknown code, or one that these calls cannot cause. */
export const UNKNOWN_EXCEPTION = failure("UNKNOWN_EXCEPTION", "call", true);
/** The codes of `exceptie` that are failures. */
export const EXCEPTIONS: ReadonlyMap<string, CourtFailure> = new Map([
  ["2", failure("TECHNICAL_FAILURE", "court", true)],
  ["3", failure("TOO_MANY_RESULTS", "call", true)],
  ["4", failure("WRONG_INPUT", "call", true)],
]);

const TIMED_OUT = failure("TIMED_OUT", "court");
/** The caller stopped waiting, which says nothing about the court. */
const CUT_SHORT = failure("CUT_SHORT", "call");

/** The results of calls without a response. */
export const NO_RESPONSES: Readonly<Record<NoResponse["kind"], CourtFailure>> = {
  "timed-out": TIMED_OUT,
  "too-long": failure("TOO_LONG", "call"),
  refused: failure("UNREACHABLE", "court"),
  untrusted: failure("UNTRUSTED_CERTIFICATE", "court"),
  broken: failure("UNREACHABLE", "court"),
};

/** The results of calls that the client ends. */
export const ENDED_HERE = {
  notAsked: failure("NOT_ASKED", "call"),
  queuedTooLong: failure("QUEUED_TOO_LONG", "call"),
  timedOut: TIMED_OUT,
  cutShort: CUT_SHORT,
  late: CUT_SHORT,
} as const;
