import type { ErrorCode } from "../contract/errors.ts";
import type { Said } from "./said.ts";

/** An error that a number asks for, instead of a company or a verdict. */
export interface TestOutcome {
  /** Looked up, in a batch, or as the whole of what is searched for. */
  readonly kvkNumber: string;
  readonly vatNumber: string;
  readonly code: ErrorCode;
  readonly shows: Said;
}

/** The last digits are those of the HTTP status, where it has only one meaning. */
export const TEST_OUTCOMES: readonly TestOutcome[] = [
  {
    kvkNumber: "99990403",
    vatNumber: "NL999990403B04",
    code: "FORBIDDEN",
    shows: { en: "as for a suspended account", nl: "als bij een opgeschort account" },
  },
  {
    kvkNumber: "99990429",
    vatNumber: "NL999990429B61",
    code: "RATE_LIMIT_EXCEEDED",
    shows: {
      en: "as over the calls of a minute: `Retry-After` to the end of the minute, `X-RateLimit-Remaining: 0`",
      nl: "als boven de aanroepen per minuut: `Retry-After` tot het eind van de minuut, `X-RateLimit-Remaining: 0`",
    },
  },
  {
    kvkNumber: "99990430",
    vatNumber: "NL999990430B52",
    code: "QUOTA_EXCEEDED",
    shows: {
      en: "as with the month's tokens spent: `Retry-After` to the reset, a day at most, `X-Tokens-Remaining: 0`",
      nl: "als met alle tokens van de maand op: `Retry-After` tot de eerste, hoogstens een dag, `X-Tokens-Remaining: 0`",
    },
  },
  {
    kvkNumber: "99990500",
    vatNumber: "NL999990500B04",
    code: "INTERNAL_ERROR",
    shows: { en: "as when the service fails", nl: "als bij een fout van de dienst" },
  },
  {
    kvkNumber: "99990502",
    vatNumber: "NL999990502B83",
    code: "UPSTREAM_ERROR",
    shows: {
      en: "the registry's source, or VIES, has no answer",
      nl: "de bron van het register, of VIES, antwoordt niet",
    },
  },
  {
    kvkNumber: "99990503",
    vatNumber: "NL999990503B74",
    code: "SERVICE_UNAVAILABLE",
    shows: { en: "overload: `Retry-After: 1`", nl: "overbelasting: `Retry-After: 1`" },
  },
];

/** A number that no company has, for documents; so is any other number that is in no table. */
export const NO_COMPANY = "99990404";
/** The company that answers after so long. */
export const SLOW_NUMBER = "99993000";
export const SLOW_MS = 3_000;
