import { bilingual } from "./bilingual.ts";

/** How current a verdict on a VAT number is, which says nothing about whether it is valid: the words of every screen and file. */
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
