/** A rule that a VAT number breaks. It never holds the number, nor a part of it: that can be a citizen number. */
export interface Fault {
  /** The rule in a few words, such as `format` or `Luhn check digit`. */
  readonly rule: string;
  /** Where it shows: the place in the national number, from 1; absent when no one place is at fault. */
  readonly position?: number;
  /** For a person: what is wrong, and what would be right. */
  readonly message: string;
}

/** Tests a national number whose form is right. @returns the rule that it breaks, or undefined */
export type Checksum = (national: string) => Fault | undefined;

/** The check digits that end at or stand at `position` do not follow from the others by `rule`. */
export function checkFault(rule: string, position: number): Fault {
  return {
    rule,
    position,
    message: `The check at position ${position} does not fit the other digits (${rule}): look for a mistyped digit.`,
  };
}

/** A part with a meaning of its own, such as a date of birth, has a value that it cannot have. */
export function partFault(rule: string, position: number, message: string): Fault {
  return { rule, position, message: `Position ${position}: ${message}.` };
}
