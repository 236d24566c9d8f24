import { bilingual } from "./bilingual.ts";

/** Texts for the status of the service and its sources, shared by several screens. */
export const statusTexts = bilingual(
  {
    title: "Status",
    about: "The current status of the service and the sources it depends on.",
    now: "Now",
    again: "Refresh",
    seen: (moment: string) => `Checked on ${moment}`,
    day: "VIES in the last 24 hours",
    dayAbout: "Which countries answered the VAT checks of this service, per half hour.",
    dayUnknown: "The last 24 hours can’t be shown right now. That doesn’t mean there was an outage.",
    northernIreland: "Northern Ireland",
    notAsked: "No VAT numbers were checked with VIES in the last 24 hours.",
    answeredOf: (answered: string, asked: string) => `${answered} of ${asked} answered`,
    legend: "High: all answered · middle: some · low: none · line: no checks.",
    companies: (count: string, day: string | undefined) =>
      day === undefined ? `${count} companies` : `${count} companies, as of ${day}`,
    whole: {
      ok: "Everything is operational",
      unasked: "The service is operational; VIES hasn’t been used yet",
      partly: "The service is operational, except for what is listed below",
      degraded: "A source we depend on has a problem",
      down: "The service is unavailable right now",
    },
    registry: "Company registry",
    vies: "VAT numbers (VIES, European Commission)",
    states: { up: "Operational", degraded: "Partial outage", down: "Outage", unknown: "Not used yet" },
    registryIs: {
      up: "Companies can be looked up and searched.",
      degraded: "Companies can be looked up; some answers may be slow or outdated.",
      down: "Companies can’t be looked up right now. Calls fail and cost nothing.",
    },
    viesIs: {
      up: "VAT numbers are being checked as usual.",
      degraded:
        "Some countries aren’t answering. For their numbers you get the last known answer, marked as outdated.",
      down: "VIES isn’t answering. You get the last known answer, marked as outdated; without one the call fails and costs nothing.",
      unknown: "No VAT number was checked in the last 24 hours. No outage is known.",
    },
  },
  {
    title: "Status",
    about: "De actuele status van de dienst en de bronnen waarvan hij afhankelijk is.",
    now: "Nu",
    again: "Vernieuwen",
    seen: (moment) => `Gecontroleerd op ${moment}`,
    day: "VIES in de laatste 24 uur",
    dayAbout: "Welke landen de btw-controles van deze dienst beantwoordden, per half uur.",
    dayUnknown: "De laatste 24 uur zijn nu niet te tonen. Dat betekent niet dat er een storing was.",
    northernIreland: "Noord-Ierland",
    notAsked: "In de laatste 24 uur zijn er geen btw-nummers bij VIES gecontroleerd.",
    answeredOf: (answered, asked) => `${answered} van ${asked} beantwoord`,
    legend: "Hoog: alles beantwoord · half: een deel · laag: niets · streep: geen controles.",
    companies: (count, day) =>
      day === undefined ? `${count} bedrijven` : `${count} bedrijven, peildatum ${day}`,
    whole: {
      ok: "Alles werkt",
      unasked: "De dienst werkt; VIES is nog niet gebruikt",
      partly: "De dienst werkt, met uitzondering van wat hieronder staat",
      degraded: "Een bron waarvan wij afhankelijk zijn, heeft een storing",
      down: "De dienst is nu niet beschikbaar",
    },
    registry: "Handelsregister",
    vies: "Btw-nummers (VIES, Europese Commissie)",
    states: {
      up: "Werkt",
      degraded: "Gedeeltelijke storing",
      down: "Storing",
      unknown: "Nog niet gebruikt",
    },
    registryIs: {
      up: "Opzoeken en zoeken werken normaal.",
      degraded: "U kunt bedrijven opzoeken; sommige antwoorden kunnen traag of verouderd zijn.",
      down: "U kunt nu geen bedrijven opzoeken. Aanroepen mislukken en kosten niets.",
    },
    viesIs: {
      up: "Btw-nummers worden normaal gecontroleerd.",
      degraded:
        "Sommige landen reageren niet. Voor hun nummers krijgt u het laatst bekende antwoord, gemarkeerd als verouderd.",
      down: "VIES reageert niet. U krijgt het laatst bekende antwoord, gemarkeerd als verouderd; is dat er niet, dan mislukt de aanroep en kost die niets.",
      unknown: "In de laatste 24 uur zijn er geen btw-nummers gecontroleerd. Er is geen storing bekend.",
    },
  },
);
