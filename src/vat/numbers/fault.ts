/** A rule that a VAT number breaks. It never contains a part of the number, which can be a citizen number. */
export interface NumberFault {
  /** The rule in a few words, such as `format` or `Luhn check digit`. */
  readonly rule: string;
  /** The place in the national number, from 1; absent when there is no single one. */
  readonly position?: number;
  /** The problem and how to fix it. */
  readonly message: string;
}

/** Checks a national number of the right form. @returns the rule that it breaks, or undefined */
export type Checksum = (national: string) => NumberFault | undefined;

/** The check digits at `position` do not follow from the others by `rule`. */
export function checkFault(rule: string, position: number): NumberFault {
  return {
    rule,
    position,
    message: `The check at position ${position} does not fit the other digits (${rule}): look for a mistyped digit.`,
  };
}

/** A part with a meaning, such as a date of birth, has an impossible value. */
export function partFault(rule: string, position: number, message: string): NumberFault {
  return { rule, position, message: `Position ${position}: ${message}.` };
}
