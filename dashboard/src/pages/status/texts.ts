import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual(
  {
    title: "Status",
    about: "How the service and what it depends on are doing at this moment.",
    now: "Now",
    again: "Look again",
    seen: (moment: string) => `Seen at ${moment}`,
    whole: {
      ok: "Everything works",
      degraded: "Something that we depend on has a problem",
      down: "The service cannot answer now",
    },
    registry: "Company registry",
    registryIs: {
      up: "Companies can be looked up and searched.",
      degraded: "Companies can be looked up; some answers may be late or old.",
      down: "Companies cannot be looked up now. Calls are refused and cost nothing.",
    },
    vies: "VAT numbers (VIES, of the European Commission)",
    viesIs: {
      up: "VAT numbers are checked as usual.",
      degraded:
        "Some countries do not answer. For their numbers you get the last known answer, marked as old.",
      down: "VIES does not answer. You get the last known answer, marked as old; without one the call fails and costs nothing.",
    },
    states: { up: "Works", degraded: "In part", down: "Down" },
  },
  {
    title: "Status",
    about: "Hoe het nu gaat met de dienst en met waar die van afhangt.",
    now: "Nu",
    again: "Kijk opnieuw",
    seen: (moment) => `Gezien op ${moment}`,
    whole: {
      ok: "Alles werkt",
      degraded: "Iets waar wij van afhangen heeft een storing",
      down: "De dienst kan nu niet antwoorden",
    },
    registry: "Handelsregister",
    registryIs: {
      up: "Bedrijven kunnen worden opgezocht en gevonden.",
      degraded: "Bedrijven kunnen worden opgezocht; sommige antwoorden kunnen laat of oud zijn.",
      down: "Bedrijven kunnen nu niet worden opgezocht. Aanroepen worden geweigerd en kosten niets.",
    },
    vies: "Btw-nummers (VIES, van de Europese Commissie)",
    viesIs: {
      up: "Btw-nummers worden gewoon gecontroleerd.",
      degraded:
        "Sommige landen antwoorden niet. Voor hun nummers krijgt u het laatst bekende antwoord, als oud gemerkt.",
      down: "VIES antwoordt niet. U krijgt het laatst bekende antwoord, als oud gemerkt; is dat er niet, dan mislukt de aanroep en kost die niets.",
    },
    states: { up: "Werkt", degraded: "Deels", down: "Storing" },
  },
);
