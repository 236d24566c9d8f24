import type { Vat, VatValidation } from "../../../src/contract/vatResources.ts";
import { bilingual } from "./bilingual.ts";

/** Texts for the age of a verdict on a VAT number, regardless of its validity. */
export const vatStates = bilingual(
  {
    validated: "Up to date",
    stale: "Outdated",
    malformed: "Incorrect format",
    wrongCheck: "Check digit incorrect",
    unvalidated: "No answer",
  },
  {
    validated: "Actueel",
    stale: "Verouderd",
    malformed: "Onjuist formaat",
    wrongCheck: "Controlecijfer onjuist",
    unvalidated: "Geen antwoord",
  },
);

/** The form of Dutch numbers: the only ones that a wrong check digit makes malformed. */
const DUTCH_FORM = /^NL[0-9]{9}B(?!00)[0-9]{2}$/;

/** Returns the state of a verdict; a number of the right form whose check digit is wrong has its own. */
export function vatStateOf(vat: Vat | VatValidation): keyof (typeof vatStates)["en"] {
  const number = "number" in vat ? vat.number : vat.vatNumber;
  return vat.status === "malformed" && DUTCH_FORM.test(number) ? "wrongCheck" : vat.status;
}
