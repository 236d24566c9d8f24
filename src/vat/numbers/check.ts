import type { Fault } from "./fault.ts";
import { misfit } from "./layout.ts";
import { STATES, type State, type StateCode } from "./states.ts";

/** What the rules alone say of a number. Whether it is registered, only VIES knows. */
export interface VatCheck {
  /** The national form is right. */
  readonly wellFormed: boolean;
  /** The form is right and the national checksum holds. It does not mean that the number exists. */
  readonly checksumValid: boolean;
  /** Refused outright, VIES need not be asked: the form is wrong, or the checksum of a Dutch number. */
  readonly isMalformed: boolean;
  /** The first rule that the number breaks; absent when all hold. */
  readonly problem?: Fault;
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
    return {
      wellFormed: false,
      checksumValid: false,
      isMalformed: true,
      problem: explained(wrongForm, state),
    };
  }
  const problem = state.checksum(national);
  if (problem === undefined) return { wellFormed: true, checksumValid: true, isMalformed: false };
  return { wellFormed: true, checksumValid: false, isMalformed: state.checksumDecides === true, problem };
}

function explained(fault: Fault, { adjective, form, hint }: State): Fault {
  const article = /^[AEIO]/.test(adjective) ? "An" : "A";
  const more = hint === undefined || fault.position === undefined ? "" : ` ${hint}`;
  return {
    ...fault,
    message: `${fault.message} ${article} ${adjective} number is ${form}.${more}`,
  };
}
