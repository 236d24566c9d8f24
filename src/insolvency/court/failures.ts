import type { NoResponse } from "../../upstream/pool.ts";

/** The extent of a failure: the `court`'s service; one `answer` of the court, which works; or a `call` not made. */
export type CourtScope = "court" | "answer" | "call";

/** A call without an answer. It says nothing about any company. */
export interface CourtFailure {
  readonly kind: "no-answer";
  /** One of the fixed texts below; never contains anything that was sent or received. */
  readonly reason: string;
  readonly scope: CourtScope;
  readonly isFromUpstream: boolean;
  readonly retryAfterSeconds?: number;
}

const failure = (reason: string, scope: CourtScope = "court"): CourtFailure => ({
  kind: "no-answer",
  reason,
  scope,
  isFromUpstream: scope === "answer",
});

/** The user name or the password is wrong. */
export const LOGIN_REFUSED = failure("LOGIN_REFUSED");
/** Any other fault of the protocol. */
export const FAULT = failure("FAULT");
/** An error status without a fault, such as an HTML page of a gateway. */
export const SERVER_FAILED = failure("SERVER_FAILED");
/** Not an answer to this question: HTML, half a document, another namespace. */
export const UNREADABLE = failure("UNREADABLE");
/** An answer whose content lacks something or contradicts itself. */
export const BAD_CONTENT = failure("BAD_CONTENT", "answer");
/** Another case than the requested one. */
export const WRONG_CASE = failure("WRONG_CASE", "answer");
/** An `exceptie` with an unknown code, or one that these calls cannot cause. */
export const UNKNOWN_EXCEPTION = failure("UNKNOWN_EXCEPTION", "answer");
/** The codes of `exceptie` that are failures. */
export const EXCEPTIONS: ReadonlyMap<string, CourtFailure> = new Map([
  ["2", failure("TECHNICAL_FAILURE")],
  ["3", failure("TOO_MANY_RESULTS", "answer")],
  ["4", failure("WRONG_INPUT", "answer")],
]);

const TIMED_OUT = failure("TIMED_OUT");
/** The caller stopped waiting, which says nothing about the court. */
const CUT_SHORT = failure("CUT_SHORT", "call");

/** The results of calls without a response. */
export const NO_RESPONSES: Readonly<Record<NoResponse["kind"], CourtFailure>> = {
  "timed-out": TIMED_OUT,
  "too-long": failure("TOO_LONG", "answer"),
  refused: failure("UNREACHABLE"),
  untrusted: failure("UNTRUSTED_CERTIFICATE"),
  broken: failure("UNREACHABLE"),
};

/** The results of calls that the client ends. */
export const ENDED_HERE = {
  notAsked: failure("NOT_ASKED", "call"),
  queuedTooLong: failure("QUEUED_TOO_LONG", "call"),
  timedOut: TIMED_OUT,
  cutShort: CUT_SHORT,
  late: CUT_SHORT,
} as const;
