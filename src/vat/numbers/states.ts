import { checkDigit, checksumRemainder, luhn, mod11And10 } from "./checksums/arithmetic.ts";
import { bulgaria, czechia, latvia, lithuania, slovakia, spain } from "./checksums/persons.ts";
import * as own from "./checksums/states.ts";
import { type Checksum, partFault } from "./fault.ts";
import {
  DIGIT_LETTER_OR_SIGN,
  DIGIT_OR_LETTER,
  digits,
  type Layout,
  LETTER,
  layout,
  NON_ZERO,
  oneCharacter,
} from "./layout.ts";

/** The rules for the VAT numbers of a state. */
export interface State {
  /** As in "A Dutch number is …". */
  readonly adjective: string;
  /** The form in words, which completes that sentence. */
  readonly form: string;
  /** The possible forms of the national part. A number with none of them is malformed. */
  readonly layouts: readonly Layout[];
  readonly checksum: Checksum;
  /** Whether a wrong checksum makes the number malformed. Otherwise it is reported, and VIES decides. */
  readonly checksumDecides?: true;
  /** An explanation that is added when a character does not fit the form. */
  readonly hint?: string;
}

/** A checksum that only numbers of the pattern that the state has issued so far can pass. */
function issued(pattern: RegExp, otherwise: string, checksum: Checksum, position = 1): Checksum {
  return (national) =>
    pattern.test(national) ? checksum(national) : partFault("kind of number", position, otherwise);
}

/** A checksum of numbers without a leading zero. */
function nonZero(adjective: string, checksum: Checksum): Checksum {
  return issued(/^[1-9]/, `no ${adjective} number begins with 0`, checksum);
}

/** The form of numbers that consist of one of these counts of digits. */
function onlyDigits(...counts: readonly number[]): Pick<State, "form" | "layouts"> {
  const list = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(counts.map(String));
  return { form: `${list} digits`, layouts: counts.map(digits) };
}

const FRENCH_KEY = oneCharacter(own.KEY_CHARACTERS, "a digit or a letter but I and O");

/**
 * The states that VIES serves: the 27 of the EU (Greece as EL) and Northern Ireland (XI). The forms are those of the
 * European Commission's VIES FAQ ("structure of VAT numbers"), not narrower: a kind of number that a state has not
 * issued so far fails the checksum, not the form. The Commission publishes no checksums; they follow python-stdnum's
 * module of each state unless a docstring names another source.
 */
export const STATES = {
  AT: {
    adjective: "Austrian",
    form: "U and 8 digits",
    layouts: [layout(oneCharacter("U"), digits(8))],
    checksum: own.austria,
  },
  BE: {
    adjective: "Belgian",
    ...onlyDigits(10),
    checksum: issued(/^[01]/, "Belgian numbers begin with 0 or 1", own.belgium),
  },
  BG: { adjective: "Bulgarian", ...onlyDigits(9, 10), checksum: bulgaria },
  CY: {
    adjective: "Cypriot",
    form: "8 digits and a letter",
    layouts: [layout(digits(8), LETTER)],
    checksum: own.cyprus,
  },
  CZ: { adjective: "Czech", ...onlyDigits(8, 9, 10), checksum: czechia },
  DE: { adjective: "German", ...onlyDigits(9), checksum: nonZero("German", mod11And10) },
  DK: {
    adjective: "Danish",
    ...onlyDigits(8),
    checksum: nonZero("Danish", checksumRemainder([2, 7, 6, 5, 4, 3, 2, 1], 11)),
  },
  EE: {
    adjective: "Estonian",
    ...onlyDigits(9),
    checksum: checksumRemainder([3, 7, 1, 3, 7, 1, 3, 7, 1], 10),
  },
  EL: {
    adjective: "Greek",
    ...onlyDigits(9),
    checksum: checkDigit([256, 128, 64, 32, 16, 8, 4, 2], (sum) => (sum % 11) % 10),
  },
  ES: {
    adjective: "Spanish",
    form: "a letter or digit, 7 digits, a letter or digit, at least one of them a letter",
    layouts: [layout(LETTER, digits(7), DIGIT_OR_LETTER), layout(digits(8), LETTER)],
    checksum: spain,
  },
  FI: { adjective: "Finnish", ...onlyDigits(8), checksum: checksumRemainder([7, 9, 10, 5, 8, 4, 2, 1], 11) },
  FR: {
    adjective: "French",
    form: "2 characters (digits, or letters but I and O) and 9 digits",
    layouts: [layout(FRENCH_KEY, FRENCH_KEY, digits(9))],
    checksum: own.france,
  },
  HR: { adjective: "Croatian", ...onlyDigits(11), checksum: mod11And10 },
  HU: { adjective: "Hungarian", ...onlyDigits(8), checksum: checksumRemainder([9, 7, 3, 1, 9, 7, 3, 1], 10) },
  IE: {
    adjective: "Irish",
    form: "7 digits (in old numbers the second may be a letter, + or *) and one or two letters",
    layouts: [layout(digits(1), DIGIT_LETTER_OR_SIGN, digits(5), LETTER), layout(digits(7), LETTER, LETTER)],
    checksum: own.ireland,
  },
  IT: { adjective: "Italian", ...onlyDigits(11), checksum: own.italy },
  LT: { adjective: "Lithuanian", ...onlyDigits(9, 12), checksum: lithuania },
  LU: { adjective: "Luxembourg", ...onlyDigits(8), checksum: own.luxembourg },
  LV: { adjective: "Latvian", ...onlyDigits(11), checksum: latvia },
  MT: {
    adjective: "Maltese",
    ...onlyDigits(8),
    checksum: nonZero("Maltese", checksumRemainder([3, 4, 6, 7, 8, 9, 10, 1], 37)),
  },
  NL: {
    adjective: "Dutch",
    form: "9 digits, B and 2 digits from 01 to 99",
    // `B00` is never issued. Source: Belastingdienst; python-stdnum `stdnum/nl/btw.py`.
    layouts: [
      layout(digits(9), oneCharacter("B"), oneCharacter("0"), NON_ZERO),
      layout(digits(9), oneCharacter("B"), NON_ZERO, digits(1)),
    ],
    checksum: own.dutch,
    checksumDecides: true,
    // The Commission's table already allows letters, + and * in every place.
    hint: "Letters, + and * there are announced for later; no such number has been issued so far.",
  },
  PL: {
    adjective: "Polish",
    ...onlyDigits(10),
    // No digit fits a remainder of 10: such numbers are not issued.
    checksum: checkDigit([6, 5, 7, 2, 3, 4, 5, 6, 7], (sum) => sum % 11),
  },
  PT: {
    adjective: "Portuguese",
    ...onlyDigits(9),
    checksum: nonZero(
      "Portuguese",
      checkDigit([9, 8, 7, 6, 5, 4, 3, 2], (sum) => ((11 - (sum % 11)) % 11) % 10),
    ),
  },
  RO: {
    adjective: "Romanian",
    form: "2 to 10 digits",
    layouts: [2, 3, 4, 5, 6, 7, 8, 9, 10].map(digits),
    checksum: nonZero("Romanian", own.romania),
  },
  SE: {
    adjective: "Swedish",
    ...onlyDigits(12),
    checksum: issued(/01$/, "Swedish numbers end with 01", luhn(10), 11),
  },
  SI: {
    adjective: "Slovenian",
    ...onlyDigits(8),
    checksum: nonZero(
      "Slovenian",
      // No digit fits a remainder of 0; a remainder of 1 gives 0.
      checkDigit([8, 7, 6, 5, 4, 3, 2], (sum) => (sum % 11 === 1 ? 0 : 11 - (sum % 11))),
    ),
  },
  SK: { adjective: "Slovak", ...onlyDigits(10), checksum: slovakia },
  XI: {
    adjective: "Northern Irish",
    form: "9 or 12 digits, or GD or HA and 3 digits",
    layouts: [
      digits(9),
      digits(12),
      layout(oneCharacter("G"), oneCharacter("D"), digits(3)),
      layout(oneCharacter("H"), oneCharacter("A"), digits(3)),
    ],
    checksum: own.northernIreland,
  },
} as const satisfies Readonly<Record<string, State>>;

/** The code by which VIES knows a state. */
export type StateCode = keyof typeof STATES;
export const STATE_CODES = Object.keys(STATES) as readonly StateCode[];

export function isStateCode(text: string): text is StateCode {
  return Object.hasOwn(STATES, text);
}
