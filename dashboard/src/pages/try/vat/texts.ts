import { bilingual } from "../../../language/bilingual.ts";
import { vatStates } from "../../../language/vatStates.ts";

export const texts = bilingual({
  label: ["VAT number", "Btw-nummer"],
  about: [
    "From any EU country or Northern Ireland. Spaces, dots and lower case are fine. Every result costs 1 token, including “not valid” and a number that can’t exist.",
    "Uit elk EU-land of Noord-Ierland. Spaties, punten en kleine letters mogen. Elke uitslag kost 1 token, ook ‘ongeldig’ en een nummer dat niet kan bestaan.",
  ],
  missing: [
    "Enter a VAT number, starting with the two letters of its country.",
    "Vul een btw-nummer in dat begint met de twee letters van het land.",
  ],
  check: ["Check", "Controleren"],
  verdicts: {
    valid: ["Valid", "Geldig"],
    invalid: ["Not valid", "Ongeldig"],
    unknown: ["Can’t be checked right now", "Nu niet vast te stellen"],
  },
  validated: (moment: string) => [
    `Checked with VIES, the EU’s VAT number register, on ${moment}.`,
    `Gecontroleerd bij VIES, het btw-nummerregister van de EU, op ${moment}.`,
  ],
  stale: (age: string, moment: string) => [
    `VIES isn’t answering right now. This is its answer of ${age} ago, on ${moment}. Check again later before you rely on it.`,
    `VIES reageert nu niet. Dit is het antwoord van ${age} geleden, op ${moment}. Controleer het later opnieuw voordat u erop vertrouwt.`,
  ],
  malformed: [
    "No VAT number of this country has this format, so VIES wasn’t asked. Check for a missing or extra character.",
    "Geen btw-nummer van dit land heeft dit formaat. VIES is daarom niet geraadpleegd. Controleer of er een teken ontbreekt of te veel staat.",
  ],
  wrongCheck: [
    "The format is right, but the check digit doesn’t match the other digits, so VIES wasn’t asked. Check for a mistyped digit.",
    "Het formaat klopt, maar het controlecijfer past niet bij de andere cijfers. VIES is daarom niet geraadpleegd. Controleer op een verkeerd getypt cijfer.",
  ],
  unvalidated: [
    "The format is correct, but VIES isn’t answering right now and there is no earlier answer.",
    "Het formaat klopt, maar VIES reageert nu niet en er is geen eerder antwoord.",
  ],
  noAnswer: [
    "VIES isn’t answering for this country right now, and there is no earlier answer. That says nothing about the number. No tokens were charged; try again in a few minutes.",
    "VIES reageert nu niet voor dit land en er is geen eerder antwoord. Dat zegt niets over het nummer. Er zijn geen tokens afgeschreven; probeer het over een paar minuten opnieuw.",
  ],
  badChecksum: [
    "The check digit doesn’t match the rules of the country, but the answer from VIES counts.",
    "Het controlecijfer voldoet niet aan de regels van het land, maar het antwoord van VIES telt.",
  ],
  states: vatStates,
  name: ["Name", "Naam"],
  address: ["Address", "Adres"],
  number: ["Number", "Nummer"],
  withheld: [
    "This country doesn’t disclose names and addresses.",
    "Dit land geeft geen namen en adressen vrij.",
  ],
});
