/** The numbers and queries with a special outcome; `docs/test-keys.md` lists them. */
import type { ErrorCode } from "../../contract/errors.ts";
import { known } from "../../lib/values.ts";
import type { MatchDecision } from "../../match/types.ts";

/** An error that a number returns, instead of a company or a verdict. */
export interface TestOutcome {
  /** Looked up, in a batch or a match, or as the whole query of a search. */
  readonly kvkNumber: string;
  readonly vatNumber: string;
  readonly code: ErrorCode;
  readonly shows: string;
}

function error(kvkNumber: string, vatNumber: string, code: ErrorCode, shows: string): TestOutcome {
  return { kvkNumber, vatNumber, code, shows };
}

/** The last digits are the HTTP status, if only one error has it. */
export const TEST_OUTCOMES: readonly TestOutcome[] = [
  error("99990403", "NL999990403B04", "FORBIDDEN", "as for a suspended account"),
  error(
    "99990429",
    "NL999990429B61",
    "RATE_LIMIT_EXCEEDED",
    "as over the calls of a minute: `Retry-After` to the end of the minute, `X-RateLimit-Remaining: 0`",
  ),
  error(
    "99990430",
    "NL999990430B52",
    "QUOTA_EXCEEDED",
    "as with the month's tokens spent: `Retry-After` to the reset, a day at most, `X-Tokens-Remaining: 0`",
  ),
  error("99990500", "NL999990500B04", "INTERNAL_ERROR", "as when the service fails"),
  error("99990502", "NL999990502B83", "UPSTREAM_ERROR", "the registry's source, or VIES, has no answer"),
  error("99990503", "NL999990503B74", "SERVICE_UNAVAILABLE", "overload: `Retry-After: 1`"),
];

/** An example of a number that no company has. */
export const NO_COMPANY = "99990404";
/** The company whose branches are unknown while the live source has no answer. */
export const BRANCHES_OUTAGE = "99990018";
/** The numbers that are answered after {@link SLOW_MS}. */
export const SLOW = { kvkNumber: "99993000", vatNumber: "NL999993000B08" };
export const SLOW_MS = 3_000;

/** A VAT number that test keys know, and the answer of VIES. */
export interface TestVatNumber {
  readonly vatNumber: string;
  readonly shows: string;
  /** Absent when VIES does not answer and no earlier answer is stored. */
  readonly answer?: { readonly valid: boolean; readonly name?: string; readonly address?: string };
  /** Age of the stored answer, when VIES does not answer now. */
  readonly staleDays?: number;
}

const vat = (vatNumber: string, shows: string, answer?: TestVatNumber["answer"], staleDays?: number) => ({
  ...{ vatNumber, shows },
  ...known("answer", answer),
  ...known("staleDays", staleDays),
});
const valid = (name: string, address: string) => ({ valid: true, name, address });
const HOME = "PROEFSTRAAT 00001, 1234AB TESTSTAD";
const NOT_VALID = { valid: false };

/** The VAT numbers of the sandbox. Any other well-formed number is validated and not valid. */
export const TEST_VAT_NUMBERS: readonly TestVatNumber[] = [
  vat("NL999990007B01", "valid, with name and address", valid("TESTBAKKERIJ DE PROEF B.V.", HOME)),
  vat("DE999999100", "valid, VIES withholds name and address", { valid: true }),
  vat(
    "NL999990100B15",
    "valid, the number of a sole trader (its check digits follow the rule of 2020)",
    valid("TEST SCHILDERWERKEN PROEFPERSOON", "1234AB TESTSTAD"),
  ),
  vat("NL999990019B01", "not valid", NOT_VALID),
  vat("NL999990020B01", "stale: valid two days ago", valid("TEST EERDER ANTWOORD B.V.", HOME), 2),
  vat("NL999990201B76", "stale: not valid a day ago", NOT_VALID, 1),
  vat("NL999990001B01", "malformed: the Dutch checksum is wrong"),
  vat("DE12345678", "malformed: a German number has nine digits"),
  vat("NL999990032B01", "UPSTREAM_ERROR: VIES does not answer and there is no earlier answer"),
  vat(SLOW.vatNumber, "valid, after three seconds", { valid: true, name: "TEST TRAAG B.V." }),
];

/** The requester that VIES refuses. */
export const REFUSED_REQUESTER = "NL999990202B01";
/** The consultation number for any other requester. */
export const TEST_CONSULTATION = "TESTAAAAAAAAAAAA";

/** Finds more companies than are counted. */
export const UNCOUNTED = "tienduizend";

/** Examples of queries; any other query searches the names of the test companies too. */
export const TEST_QUERIES = [
  { q: "test", shows: "many companies, more than a page" },
  { q: "proefdeeg", shows: "found by a trading name: `matchedName`" },
  { q: "testbakerij", shows: "found though misspelled: `isFuzzy`" },
  { q: "niemand heet zo", shows: "nothing: 200 and an empty list" },
  { q: UNCOUNTED, shows: "a total returned as 10,000 with `totalIsExact: false`" },
] as const;

/** Examples of names to match; any other name is compared with the test companies too. */
export const TEST_MATCHES: readonly {
  readonly name: string;
  readonly decision: MatchDecision;
  readonly shows: string;
}[] = [
  { name: "proefdeeg catering", decision: "matched", shows: "by a trading name: `matchedName`" },
  { name: "test antwoord bv", decision: "ambiguous", shows: "two companies fit equally" },
  { name: "niemand heet zo", decision: "none", shows: "no candidates; costs its token" },
];
