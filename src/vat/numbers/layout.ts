import type { NumberFault } from "./fault.ts";

/** One place of a number: the allowed characters, and a name for them. */
interface Slot {
  readonly accepts: string;
  readonly name: string;
}

/** A form of a national number, place by place. */
export type Layout = readonly Slot[];

const DIGITS = "0123456789";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

export function digits(count: number): Layout {
  return Array.from({ length: count }, () => ({ accepts: DIGITS, name: "a digit" }));
}

export function oneCharacter(accepts: string, name = `one of ${accepts}`): Layout {
  return [{ accepts, name: accepts.length === 1 ? accepts : name }];
}

export const NON_ZERO = oneCharacter("123456789", "a digit from 1 to 9");
export const LETTER = oneCharacter(LETTERS, "a letter");
export const DIGIT_OR_LETTER = oneCharacter(DIGITS + LETTERS, "a digit or a letter");
export const DIGIT_LETTER_OR_SIGN = oneCharacter(`${DIGITS}${LETTERS}+*`, "a digit, a letter, + or *");

export function layout(...parts: readonly Layout[]): Layout {
  return parts.flat();
}

/**
 * The reason why `national` has none of these forms, or undefined. The reason refers to the form that it follows
 * furthest, of those with its length.
 */
export function misfit(national: string, layouts: readonly Layout[]): NumberFault | undefined {
  const sameLength = layouts.filter(({ length }) => length === national.length);
  if (sameLength.length === 0) {
    const message = `It has the wrong length: ${national.length} characters after the country code.`;
    return { rule: "length", message };
  }
  let furthest = -1;
  let expected = "";
  for (const slots of sameLength) {
    const at = slots.findIndex(({ accepts }, index) => !accepts.includes(national.charAt(index)));
    if (at === -1) return undefined;
    if (at > furthest) {
      furthest = at;
      expected = slots[at]?.name ?? "";
    }
  }
  const position = furthest + 1;
  return { rule: "format", position, message: `Position ${position} must be ${expected}.` };
}
