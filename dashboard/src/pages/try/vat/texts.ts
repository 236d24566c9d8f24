import { bilingual } from "../../../language/bilingual.ts";

export const texts = bilingual(
  {
    label: "VAT number",
    about: "Of any EU country or Northern Ireland. Spaces, dots and small letters are fine.",
    missing: "Fill in a VAT number, with the two letters of its country first.",
    check: "Check it",
    isValid: "This number is valid",
    isInvalid: "This number is not valid",
    isUnknown: "Nobody knows now",
    validated: (moment: string) => `VIES, the EU's own register of VAT numbers, said so on ${moment}.`,
    stale: (age: string, moment: string) =>
      `VIES has no answer now. This is what it said ${age} ago, on ${moment}. Ask again later before you rely on it.`,
    malformed:
      "The number cannot exist: its form or its check digit is wrong. VIES was not asked. Look for a typing mistake.",
    unvalidated: "The number is well formed, but VIES has no answer now and none is kept from before.",
    noAnswer:
      "VIES has no answer for this country now, and none is kept from before. That says nothing of the number. It cost nothing; try again in a few minutes.",
    badChecksum: "The check digit of its own country does not fit; VIES's word counts all the same.",
    states: {
      validated: "Fresh answer",
      stale: "Old answer",
      malformed: "Wrong form",
      unvalidated: "No answer",
    },
    name: "Name",
    address: "Address",
    number: "Number",
    withheld: "This country does not tell names and addresses.",
    explain: "What the answers mean",
    explained: {
      validated: "VIES answered now, or so short ago that it counts as now.",
      stale: "VIES does not answer now; you get its last word and its age.",
      malformed: "The number breaks the rules of its country, so nobody need be asked.",
      unvalidated: "Only beside a company: well formed, and no word of VIES to be had.",
    },
  },
  {
    label: "Btw-nummer",
    about: "Van elk EU-land of Noord-Ierland. Spaties, punten en kleine letters mogen.",
    missing: "Vul een btw-nummer in, met de twee letters van het land voorop.",
    check: "Controleer het",
    isValid: "Dit nummer is geldig",
    isInvalid: "Dit nummer is niet geldig",
    isUnknown: "Niemand weet het nu",
    validated: (moment) => `VIES, het register van btw-nummers van de EU, zei dat op ${moment}.`,
    stale: (age, moment) =>
      `VIES antwoordt nu niet. Dit zei het ${age} geleden, op ${moment}. Vraag het later nog eens voordat u erop vertrouwt.`,
    malformed:
      "Dit nummer kan niet bestaan: de vorm of het controlecijfer klopt niet. VIES is niet gevraagd. Zoek een typefout.",
    unvalidated: "Het nummer is goed gevormd, maar VIES antwoordt nu niet en er is geen eerder antwoord.",
    noAnswer:
      "VIES antwoordt nu niet voor dit land, en er is geen eerder antwoord. Dat zegt niets over het nummer. Het kostte niets; probeer het over een paar minuten opnieuw.",
    badChecksum: "Het controlecijfer van het eigen land klopt niet; toch telt wat VIES zegt.",
    states: {
      validated: "Vers antwoord",
      stale: "Oud antwoord",
      malformed: "Verkeerde vorm",
      unvalidated: "Geen antwoord",
    },
    name: "Naam",
    address: "Adres",
    number: "Nummer",
    withheld: "Dit land vertelt geen namen en adressen.",
    explain: "Wat de antwoorden betekenen",
    explained: {
      validated: "VIES antwoordde nu, of zo kort geleden dat het als nu telt.",
      stale: "VIES antwoordt nu niet; u krijgt het laatste woord en hoe oud dat is.",
      malformed: "Het nummer breekt de regels van het land, dus niemand hoeft gevraagd te worden.",
      unvalidated: "Alleen bij een bedrijf: goed gevormd, en VIES heeft geen woord.",
    },
  },
);
