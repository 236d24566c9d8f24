import type { Said } from "./said.ts";

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
  readonly shows: Said;
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
    shows: { en: "valid, with name and address", nl: "geldig, met naam en adres" },
    vies: {
      is: "answer",
      valid: true,
      name: "TESTBAKKERIJ DE PROEF B.V.",
      address: "PROEFSTRAAT 00001, 1234AB TESTSTAD",
    },
  },
  {
    vatNumber: "DE999999100",
    shows: { en: "valid, VIES withholds name and address", nl: "geldig, VIES verzwijgt naam en adres" },
    vies: { is: "answer", valid: true },
  },
  {
    vatNumber: "NL999990100B15",
    shows: {
      en: "valid, the number of a sole trader (its check digits follow the rule of 2020)",
      nl: "geldig, het nummer van een eenmanszaak (de controlecijfers volgen de regel van 2020)",
    },
    vies: { is: "answer", valid: true, name: "TEST SCHILDERWERKEN PROEFPERSOON", address: "1234AB TESTSTAD" },
  },
  {
    vatNumber: "NL999990019B01",
    shows: { en: "not valid", nl: "niet geldig" },
    vies: { is: "answer", valid: false },
  },
  {
    vatNumber: "NL999990020B01",
    shows: { en: "stale: valid two days ago", nl: "`stale`: twee dagen geleden geldig" },
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
    shows: { en: "stale: not valid a day ago", nl: "`stale`: een dag geleden niet geldig" },
    vies: { is: "stale", valid: false, ageSeconds: DAY_SECONDS },
  },
  {
    vatNumber: "NL999990001B01",
    shows: {
      en: "malformed: the Dutch checksum is wrong",
      nl: "`malformed`: de Nederlandse controle klopt niet",
    },
    vies: { is: "no-answer" },
  },
  {
    vatNumber: "DE12345678",
    shows: {
      en: "malformed: a German number has nine digits",
      nl: "`malformed`: een Duits nummer heeft negen cijfers",
    },
    vies: { is: "no-answer" },
  },
  {
    vatNumber: "NL999990032B01",
    shows: {
      en: "UPSTREAM_ERROR: VIES does not answer and nothing is held",
      nl: "UPSTREAM_ERROR: VIES antwoordt niet en er is niets eerders",
    },
    vies: { is: "no-answer" },
  },
  {
    vatNumber: "NL999993000B08",
    shows: { en: "valid, after three seconds", nl: "geldig, na drie seconden" },
    vies: { is: "answer", valid: true, name: "TEST TRAAG B.V." },
    isSlow: true,
  },
];

/** In whose name VIES will not be asked. */
export const REFUSED_REQUESTER = "NL999990202B01";
/** What any other requester is given as proof. */
export const TEST_CONSULTATION = "TESTAAAAAAAAAAAA";
