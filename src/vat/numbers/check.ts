import type { NumberFault } from "./fault.ts";
import { misfit } from "./layout.ts";
import { STATES, type State, type StateCode } from "./states.ts";

/** The result of the rules for a number. Only VIES knows whether it is registered. */
export interface VatCheck {
  /** The number has a national form. */
  readonly wellFormed: boolean;
  /** The form and the national checksum are right, which does not mean that the number exists. */
  readonly checksumValid: boolean;
  /** The form is wrong, or the checksum of a Dutch number, so VIES is not asked. */
  readonly isMalformed: boolean;
  /** The first rule that the number breaks. */
  readonly problem?: NumberFault;
}

/** Checks a number by the rules of its state. Pure; never throws. */
export function checkVatNumber({
  countryCode,
  national,
}: {
  readonly countryCode: StateCode;
  readonly national: string;
}): VatCheck {
  const state: State = STATES[countryCode];
  const wrongForm = misfit(national, state.layouts);
  if (wrongForm !== undefined) {
    const problem = explained(wrongForm, state);
    return { wellFormed: false, checksumValid: false, isMalformed: true, problem };
  }
  const problem = state.checksum(national);
  if (problem === undefined) return { wellFormed: true, checksumValid: true, isMalformed: false };
  return { wellFormed: true, checksumValid: false, isMalformed: state.checksumDecides === true, problem };
}

function explained(fault: NumberFault, { adjective, form, hint }: State): NumberFault {
  const article = /^[AEIO]/.test(adjective) ? "An" : "A";
  const more = hint === undefined || fault.position === undefined ? "" : ` ${hint}`;
  return { ...fault, message: `${fault.message} ${article} ${adjective} number is ${form}.${more}` };
}
