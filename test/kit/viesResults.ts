import { checkVatNumber } from "../../src/vat/numbers/check.ts";
import type { StateCode } from "../../src/vat/numbers/states.ts";
import * as codes from "../../src/vat/vies/codes.ts";
import type { NoViesAnswer, ViesAnswer, ViesResult } from "../../src/vat/vies/results.ts";

export function answered(valid: boolean, more: Partial<ViesAnswer> = {}): ViesAnswer {
  return { kind: "answer", valid, validatedAt: "2026-10-03T21:02:05.698Z", ...more };
}

/** Every error code of VIES, an unknown one, and every transport failure: all results without an answer. */
export const FAULTS: readonly (readonly [name: string, result: ViesResult])[] = [
  ...[...codes.NO_ANSWERS.keys(), "NEVER_SEEN"].map((code) => [code, codes.resultOfCode(code)] as const),
  ...[
    codes.UNREACHABLE,
    codes.UNREADABLE,
    codes.BAD_REQUEST,
    codes.OTHER_NUMBER,
    codes.TIMED_OUT,
    codes.CUT_SHORT,
    codes.NOT_ASKED,
    codes.QUEUED_TOO_LONG,
  ].map((result) => [`(${result.reason})`, result] as const),
];

/** The faults that give no answer, with or without a requester. */
export const NO_ANSWER_FAULTS: readonly (readonly [name: string, word: NoViesAnswer])[] = FAULTS.flatMap(
  ([name, word]) => (word.kind === "no-answer" ? [[name, word] as const] : []),
);

/** A number in the Polish format, for any state: the index makes them distinct. */
export function numberOf(countryCode: StateCode, index: number) {
  const national = String(1_000_000_000 + index);
  const number = { countryCode, national, vatNumber: countryCode + national };
  return { ...number, check: checkVatNumber(number) };
}
