import { bilingual } from "./bilingual.ts";

/** Texts for the age of a verdict on a VAT number, regardless of its validity. */
export const vatStates = bilingual(
  {
    validated: "Up to date",
    stale: "Outdated",
    malformed: "Incorrect format",
    unvalidated: "No answer",
  },
  {
    validated: "Actueel",
    stale: "Verouderd",
    malformed: "Onjuist formaat",
    unvalidated: "Geen antwoord",
  },
);
