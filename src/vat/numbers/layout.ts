import type { Fault } from "./fault.ts";

/** One place of a number: the characters that may stand there, and what to call them. */
interface Slot {
  readonly accepts: string;
  readonly name: string;
}

/** A form that a national number may have, place by place. */
export type Layout = readonly Slot[];

const DIGITS = "0123456789";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** So many digits. */
export function digits(count: number): Layout {
  return Array.from({ length: count }, () => ({ accepts: DIGITS, name: "a digit" }));
}

/** One of these characters. */
export function oneOf(accepts: string, name = `one of ${accepts}`): Layout {
  return [{ accepts, name: accepts.length === 1 ? accepts : name }];
}

export const NON_ZERO = oneOf("123456789", "a digit from 1 to 9");
export const LETTER = oneOf(LETTERS, "a letter");
export const DIGIT_OR_LETTER = oneOf(DIGITS + LETTERS, "a digit or a letter");
export const DIGIT_LETTER_OR_SIGN = oneOf(`${DIGITS}${LETTERS}+*`, "a digit, a letter, + or *");

/** Parts one after the other. */
export function layout(...parts: readonly Layout[]): Layout {
  return parts.flat();
}

/**
 * Why `national` has none of these forms, or undefined when it has one. Of the forms of its length, the one that it
 * follows furthest is taken for what was meant.
 */
export function misfit(national: string, layouts: readonly Layout[]): Fault | undefined {
  const sameLength = layouts.filter(({ length }) => length === national.length);
  if (sameLength.length === 0) {
    return {
      rule: "length",
      message: `It has the wrong length: ${national.length} characters after the country code.`,
    };
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
  return {
    rule: "format",
    position: furthest + 1,
    message: `Position ${furthest + 1} must be ${expected}.`,
  };
}
