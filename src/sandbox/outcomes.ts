import type { ErrorCode } from "../contract/errors.ts";

/** An error that a number asks for, instead of a company or a verdict. */
export interface TestOutcome {
  /** Looked up, in a batch, or as the whole of what is searched for. */
  readonly kvkNumber: string;
  readonly vatNumber: string;
  readonly code: ErrorCode;
  readonly shows: string;
}

/** The last digits are those of the HTTP status, where it has only one meaning. */
export const TEST_OUTCOMES: readonly TestOutcome[] = [
  {
    kvkNumber: "99990403",
    vatNumber: "NL999990403B04",
    code: "FORBIDDEN",
    shows: "as for a suspended account",
  },
  {
    kvkNumber: "99990429",
    vatNumber: "NL999990429B61",
    code: "RATE_LIMIT_EXCEEDED",
    shows:
      "as over the calls of a minute: `Retry-After` to the end of the minute, `X-RateLimit-Remaining: 0`",
  },
  {
    kvkNumber: "99990430",
    vatNumber: "NL999990430B52",
    code: "QUOTA_EXCEEDED",
    shows:
      "as with the month's tokens spent: `Retry-After` to the reset, a day at most, `X-Tokens-Remaining: 0`",
  },
  {
    kvkNumber: "99990500",
    vatNumber: "NL999990500B04",
    code: "INTERNAL_ERROR",
    shows: "as when the service fails",
  },
  {
    kvkNumber: "99990502",
    vatNumber: "NL999990502B83",
    code: "UPSTREAM_ERROR",
    shows: "the registry's source, or VIES, has no answer",
  },
  {
    kvkNumber: "99990503",
    vatNumber: "NL999990503B74",
    code: "SERVICE_UNAVAILABLE",
    shows: "overload: `Retry-After: 1`",
  },
];

/** A number that no company has, for documents; so is any other number that is in no table. */
export const NO_COMPANY = "99990404";
/** The company that answers after so long. */
export const SLOW_NUMBER = "99993000";
export const SLOW_MS = 3_000;
