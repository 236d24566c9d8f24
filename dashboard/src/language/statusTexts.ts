import { bilingual } from "./bilingual.ts";

/** Texts for the status of the service and its sources, shared by several screens. */
export const statusTexts = bilingual({
  title: ["Status", "Status"],
  about: [
    "The current status of the service and the sources it depends on.",
    "De actuele status van de dienst en de bronnen waarvan hij afhankelijk is.",
  ],
  now: ["Now", "Nu"],
  again: ["Refresh", "Vernieuwen"],
  seen: (moment: string) => [`Checked on ${moment}`, `Gecontroleerd op ${moment}`],
  day: ["VIES in the last 24 hours", "VIES in de laatste 24 uur"],
  dayAbout: [
    "Which countries answered the VAT checks of this service, per half hour.",
    "Welke landen de btw-controles van deze dienst beantwoordden, per half uur.",
  ],
  dayUnknown: [
    "The last 24 hours can’t be shown right now. That doesn’t mean there was an outage.",
    "De laatste 24 uur zijn nu niet te tonen. Dat betekent niet dat er een storing was.",
  ],
  northernIreland: ["Northern Ireland", "Noord-Ierland"],
  notAsked: [
    "No VAT numbers were checked with VIES in the last 24 hours.",
    "In de laatste 24 uur zijn er geen btw-nummers bij VIES gecontroleerd.",
  ],
  answeredOf: (answered: string, asked: string) => [
    `${answered} of ${asked} answered`,
    `${answered} van ${asked} beantwoord`,
  ],
  legend: [
    "High: all answered · middle: some · low: none · line: no checks.",
    "Hoog: alles beantwoord · half: een deel · laag: niets · streep: geen controles.",
  ],
  companies: (count: string) => [`${count} companies.`, `${count} bedrijven.`],
  both: ["A company of two sources counts for both.", "Een bedrijf uit twee bronnen telt bij beide mee."],
  source: ["Source", "Bron"],
  asOf: ["Newest data", "Nieuwste gegevens"],
  count: ["Companies", "Bedrijven"],
  whole: {
    ok: ["Everything is operational", "Alles werkt"],
    unasked: [
      "The service is operational; VIES hasn’t been used yet",
      "De dienst werkt; VIES is nog niet gebruikt",
    ],
    partly: [
      "The service is operational, except for what is listed below",
      "De dienst werkt, met uitzondering van wat hieronder staat",
    ],
    degraded: [
      "A source we depend on has a problem",
      "Een bron waarvan wij afhankelijk zijn, heeft een storing",
    ],
    down: ["The service is unavailable right now", "De dienst is nu niet beschikbaar"],
  },
  registry: ["Company registry", "Handelsregister"],
  vies: ["VAT numbers (VIES, European Commission)", "Btw-nummers (VIES, Europese Commissie)"],
  states: {
    up: ["Operational", "Werkt"],
    degraded: ["Partial outage", "Gedeeltelijke storing"],
    down: ["Outage", "Storing"],
    unknown: ["Not used yet", "Nog niet gebruikt"],
  },
  registryIs: {
    up: ["Companies can be looked up and searched.", "Opzoeken en zoeken werken normaal."],
    degraded: [
      "Companies can be looked up; some answers may be slow or outdated.",
      "U kunt bedrijven opzoeken; sommige antwoorden kunnen traag of verouderd zijn.",
    ],
    down: [
      "Companies can’t be looked up right now. Calls fail and cost nothing.",
      "U kunt nu geen bedrijven opzoeken. Aanroepen mislukken en kosten niets.",
    ],
  },
  viesIs: {
    up: ["VAT numbers are being checked as usual.", "Btw-nummers worden normaal gecontroleerd."],
    degraded: [
      "Some countries aren’t answering. For their numbers you get the last known answer, marked as outdated.",
      "Sommige landen reageren niet. Voor hun nummers krijgt u het laatst bekende antwoord, gemarkeerd als verouderd.",
    ],
    down: [
      "VIES isn’t answering. You get the last known answer, marked as outdated; without one the call fails and costs nothing.",
      "VIES reageert niet. U krijgt het laatst bekende antwoord, gemarkeerd als verouderd; is dat er niet, dan mislukt de aanroep en kost die niets.",
    ],
    unknown: [
      "No VAT number was checked in the last 24 hours. No outage is known.",
      "In de laatste 24 uur zijn er geen btw-nummers gecontroleerd. Er is geen storing bekend.",
    ],
  },
});
