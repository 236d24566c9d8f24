/** What VIES would do about a number, did anybody ask it. */
export type TestVies =
  | { readonly is: "answer"; readonly valid: boolean; readonly name?: string; readonly address?: string }
  /** It has no answer now; an earlier one is held, so many seconds old. */
  | {
      readonly is: "stale";
      readonly valid: boolean;
      readonly ageSeconds: number;
      readonly name?: string;
      readonly address?: string;
    }
  /** It has no answer, and nothing is held. */
  | { readonly is: "no-answer" };

/** A VAT number that a test key knows, and what it is there for. */
export interface TestVatNumber {
  readonly vatNumber: string;
  readonly shows: string;
  readonly vies: TestVies;
  /** The answer comes after some seconds. */
  readonly isSlow?: true;
}

const DAY_SECONDS = 86_400;

/**
 * The VAT numbers of the sandbox. One that is malformed stands here to be shown: the rules refuse it, whatever a row says.
 * Numbers that are not here are told as validated and not valid.
 */
export const TEST_VAT_NUMBERS: readonly TestVatNumber[] = [
  {
    vatNumber: "NL999990007B01",
    shows: "valid, with name and address",
    vies: {
      is: "answer",
      valid: true,
      name: "TESTBAKKERIJ DE PROEF B.V.",
      address: "PROEFSTRAAT 00001, 1234AB TESTSTAD",
    },
  },
  {
    vatNumber: "DE999999100",
    shows: "valid, VIES withholds name and address",
    vies: { is: "answer", valid: true },
  },
  {
    vatNumber: "NL999990100B15",
    shows: "valid, the number of a sole trader (its check digits follow the rule of 2020)",
    vies: { is: "answer", valid: true, name: "TEST SCHILDERWERKEN PROEFPERSOON", address: "1234AB TESTSTAD" },
  },
  {
    vatNumber: "NL999990019B01",
    shows: "not valid",
    vies: { is: "answer", valid: false },
  },
  {
    vatNumber: "NL999990020B01",
    shows: "stale: valid two days ago",
    vies: {
      is: "stale",
      valid: true,
      ageSeconds: 2 * DAY_SECONDS,
      name: "TEST EERDER ANTWOORD B.V.",
      address: "PROEFSTRAAT 00001, 1234AB TESTSTAD",
    },
  },
  {
    vatNumber: "NL999990201B76",
    shows: "stale: not valid a day ago",
    vies: { is: "stale", valid: false, ageSeconds: DAY_SECONDS },
  },
  {
    vatNumber: "NL999990001B01",
    shows: "malformed: the Dutch checksum is wrong",
    vies: { is: "no-answer" },
  },
  {
    vatNumber: "DE12345678",
    shows: "malformed: a German number has nine digits",
    vies: { is: "no-answer" },
  },
  {
    vatNumber: "NL999990032B01",
    shows: "UPSTREAM_ERROR: VIES does not answer and there is no earlier answer",
    vies: { is: "no-answer" },
  },
  {
    vatNumber: "NL999993000B08",
    shows: "valid, after three seconds",
    vies: { is: "answer", valid: true, name: "TEST TRAAG B.V." },
    isSlow: true,
  },
];

/** In whose name VIES will not be asked. */
export const REFUSED_REQUESTER = "NL999990202B01";
/** What any other requester is given as proof. */
export const TEST_CONSULTATION = "TESTAAAAAAAAAAAA";
