import { latvia, lithuania } from "./checksums/baltic.ts";
import { bulgaria } from "./checksums/bulgaria.ts";
import { cyprus } from "./checksums/cyprus.ts";
import { czechia } from "./checksums/czechia.ts";
import { france, KEY_CHARACTERS } from "./checksums/france.ts";
import { ireland } from "./checksums/ireland.ts";
import { mod11And10 } from "./checksums/iso7064.ts";
import { italy } from "./checksums/italy.ts";
import { austria, luhn } from "./checksums/luhn.ts";
import { northernIreland } from "./checksums/northernIreland.ts";
import { belgium, luxembourg } from "./checksums/remainders.ts";
import { slovakia } from "./checksums/slovakia.ts";
import { spain } from "./checksums/spain.ts";
import { checkDigit, sumLeaves } from "./checksums/weights.ts";
import { ANNOUNCED_FORM, DUTCH_LAYOUTS, dutch } from "./dutch.ts";
import { type Checksum, checkFault, partFault } from "./fault.ts";
import {
  DIGIT_LETTER_OR_SIGN,
  DIGIT_OR_LETTER,
  digits,
  type Layout,
  LETTER,
  layout,
  oneOf,
} from "./layout.ts";

/** What is known of the VAT numbers of one state. */
export interface State {
  /** As in "A Dutch number is …". */
  readonly adjective: string;
  /** The form in words, to end that sentence. */
  readonly form: string;
  /** The forms that the national part may have. A number with none of them is malformed. */
  readonly layouts: readonly Layout[];
  readonly checksum: Checksum;
  /** Whether a wrong checksum refuses the number outright. Elsewhere it is reported and VIES is asked all the same. */
  readonly checksumDecides?: true;
  /** What else to say when a character does not fit the form. */
  readonly hint?: string;
}

const isRomanian = checkDigit([7, 5, 3, 2, 1, 7, 5, 3, 2], (sum) => ((10 * sum) % 11) % 10);
/** Romania: its numbers differ in length and are weighted as if zeros filled them up to ten digits. */
const romania: Checksum = (national) =>
  isRomanian(national.padStart(10, "0")) &&
  checkFault("check digit by the last of the weights 7, 5, 3, 2, 1, 7, 5, 3, 2", national.length);

const NO_ZERO = /^[1-9]/;

/** A checksum that holds only for numbers of a pattern that the state has issued so far. */
function issued(pattern: RegExp, otherwise: string, checksum: Checksum, position = 1): Checksum {
  return (national) =>
    pattern.test(national) ? checksum(national) : partFault("kind of number", position, otherwise);
}

/**
 * The states that VIES serves: the 27 of the EU (Greece as EL) and Northern Ireland (XI). Forms by the European Commission's
 * VIES FAQ ("structure of VAT numbers"), and never narrower where only VIES can decide: what a state has not issued so far counts
 * with the checksum. Checksums by python-stdnum's module of each state unless their own docstring names more: the Commission publishes none.
 */
export const STATES = {
  AT: {
    adjective: "Austrian",
    form: "U and 8 digits",
    layouts: [layout(oneOf("U"), digits(8))],
    checksum: austria,
  },
  BE: {
    adjective: "Belgian",
    form: "10 digits",
    layouts: [digits(10)],
    checksum: issued(/^[01]/, "Belgian numbers begin with 0 or 1", belgium),
  },
  BG: {
    adjective: "Bulgarian",
    form: "9 or 10 digits",
    layouts: [digits(9), digits(10)],
    checksum: bulgaria,
  },
  CY: {
    adjective: "Cypriot",
    form: "8 digits and a letter",
    layouts: [layout(digits(8), LETTER)],
    checksum: cyprus,
  },
  CZ: {
    adjective: "Czech",
    form: "8, 9 or 10 digits",
    layouts: [digits(8), digits(9), digits(10)],
    checksum: czechia,
  },
  DE: {
    adjective: "German",
    form: "9 digits",
    layouts: [digits(9)],
    checksum: issued(NO_ZERO, "no German number begins with 0", mod11And10),
  },
  DK: {
    adjective: "Danish",
    form: "8 digits",
    layouts: [digits(8)],
    checksum: issued(NO_ZERO, "no Danish number begins with 0", sumLeaves([2, 7, 6, 5, 4, 3, 2, 1], 11)),
  },
  EE: {
    adjective: "Estonian",
    form: "9 digits",
    layouts: [digits(9)],
    checksum: sumLeaves([3, 7, 1, 3, 7, 1, 3, 7, 1], 10),
  },
  EL: {
    adjective: "Greek",
    form: "9 digits",
    layouts: [digits(9)],
    checksum: checkDigit([256, 128, 64, 32, 16, 8, 4, 2], (sum) => (sum % 11) % 10),
  },
  ES: {
    adjective: "Spanish",
    form: "a letter or digit, 7 digits, a letter or digit, at least one of them a letter",
    layouts: [layout(LETTER, digits(7), DIGIT_OR_LETTER), layout(digits(8), LETTER)],
    checksum: spain,
  },
  FI: {
    adjective: "Finnish",
    form: "8 digits",
    layouts: [digits(8)],
    checksum: sumLeaves([7, 9, 10, 5, 8, 4, 2, 1], 11),
  },
  FR: {
    adjective: "French",
    form: "2 characters (digits, or letters but I and O) and 9 digits",
    layouts: [
      layout(
        oneOf(KEY_CHARACTERS, "a digit or a letter but I and O"),
        oneOf(KEY_CHARACTERS, "a digit or a letter but I and O"),
        digits(9),
      ),
    ],
    checksum: france,
  },
  HR: { adjective: "Croatian", form: "11 digits", layouts: [digits(11)], checksum: mod11And10 },
  HU: {
    adjective: "Hungarian",
    form: "8 digits",
    layouts: [digits(8)],
    checksum: sumLeaves([9, 7, 3, 1, 9, 7, 3, 1], 10),
  },
  IE: {
    adjective: "Irish",
    form: "7 digits (in old numbers the second may be a letter, + or *) and one or two letters",
    layouts: [layout(digits(1), DIGIT_LETTER_OR_SIGN, digits(5), LETTER), layout(digits(7), LETTER, LETTER)],
    checksum: ireland,
  },
  IT: { adjective: "Italian", form: "11 digits", layouts: [digits(11)], checksum: italy },
  LT: {
    adjective: "Lithuanian",
    form: "9 or 12 digits",
    layouts: [digits(9), digits(12)],
    checksum: lithuania,
  },
  LU: { adjective: "Luxembourg", form: "8 digits", layouts: [digits(8)], checksum: luxembourg },
  LV: { adjective: "Latvian", form: "11 digits", layouts: [digits(11)], checksum: latvia },
  MT: {
    adjective: "Maltese",
    form: "8 digits",
    layouts: [digits(8)],
    checksum: issued(NO_ZERO, "no Maltese number begins with 0", sumLeaves([3, 4, 6, 7, 8, 9, 10, 1], 37)),
  },
  NL: {
    adjective: "Dutch",
    form: "9 digits, B and 2 digits from 01 to 99",
    layouts: DUTCH_LAYOUTS,
    checksum: dutch,
    checksumDecides: true,
    hint: ANNOUNCED_FORM,
  },
  PL: {
    adjective: "Polish",
    form: "10 digits",
    layouts: [digits(10)],
    // A sum that leaves 10 fits no digit: such numbers are not given out.
    checksum: checkDigit([6, 5, 7, 2, 3, 4, 5, 6, 7], (sum) => sum % 11),
  },
  PT: {
    adjective: "Portuguese",
    form: "9 digits",
    layouts: [digits(9)],
    checksum: issued(
      NO_ZERO,
      "no Portuguese number begins with 0",
      checkDigit([9, 8, 7, 6, 5, 4, 3, 2], (sum) => ((11 - (sum % 11)) % 11) % 10),
    ),
  },
  RO: {
    adjective: "Romanian",
    form: "2 to 10 digits",
    layouts: [2, 3, 4, 5, 6, 7, 8, 9, 10].map(digits),
    checksum: issued(NO_ZERO, "no Romanian number begins with 0", romania),
  },
  SE: {
    adjective: "Swedish",
    form: "12 digits",
    layouts: [digits(12)],
    checksum: issued(/01$/, "Swedish numbers end with 01", luhn(10), 11),
  },
  SI: {
    adjective: "Slovenian",
    form: "8 digits",
    layouts: [digits(8)],
    checksum: issued(
      NO_ZERO,
      "no Slovenian number begins with 0",
      // A sum that leaves 0 fits no digit; one that leaves 1 fits 0.
      checkDigit([8, 7, 6, 5, 4, 3, 2], (sum) => (sum % 11 === 1 ? 0 : 11 - (sum % 11))),
    ),
  },
  SK: {
    adjective: "Slovak",
    form: "10 digits",
    layouts: [digits(10)],
    checksum: slovakia,
  },
  XI: {
    adjective: "Northern Irish",
    form: "9 or 12 digits, or GD or HA and 3 digits",
    layouts: [
      digits(9),
      digits(12),
      layout(oneOf("G"), oneOf("D"), digits(3)),
      layout(oneOf("H"), oneOf("A"), digits(3)),
    ],
    checksum: northernIreland,
  },
} as const satisfies Readonly<Record<string, State>>;

/** The code by which VIES knows a state. */
export type StateCode = keyof typeof STATES;
export const STATE_CODES = Object.keys(STATES) as readonly StateCode[];

export function isStateCode(text: string): text is StateCode {
  return Object.hasOwn(STATES, text);
}
