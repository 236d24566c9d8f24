import type { Vat, VatValidation } from "../../../src/contract/vatResources.ts";
import type { Pair } from "./bilingual.ts";

/** Texts for the age of a verdict on a VAT number, regardless of its validity. */
export const vatStates = {
  validated: ["Up to date", "Actueel"],
  stale: ["Outdated", "Verouderd"],
  malformed: ["Incorrect format", "Onjuist formaat"],
  wrongCheck: ["Check digit incorrect", "Controlecijfer onjuist"],
  unvalidated: ["No answer", "Geen antwoord"],
} satisfies Record<string, Pair>;

/** The form of Dutch numbers: the only ones that a wrong check digit makes malformed. */
const DUTCH_FORM = /^NL[0-9]{9}B(?!00)[0-9]{2}$/;

/** Returns the state of a verdict; a number of the right form whose check digit is wrong has its own. */
export function vatStateOf(vat: Vat | VatValidation): keyof typeof vatStates {
  const number = "number" in vat ? vat.number : vat.vatNumber;
  return vat.status === "malformed" && DUTCH_FORM.test(number) ? "wrongCheck" : vat.status;
}
