import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual(
  {
    title: "Status",
    about: "How the service and what it depends on are doing at this moment.",
    now: "Now",
    again: "Look again",
    seen: (moment: string) => `Seen at ${moment}`,
    day: "VIES in the last 24 hours",
    dayAbout: "Which countries answered the questions of this service, by the half hour.",
    dayUnknown: "The last day cannot be read now. That says nothing about how it went.",
    northernIreland: "Northern Ireland",
    notAsked: "No VAT number was asked of VIES in the last 24 hours.",
    answeredOf: (answered: string, asked: string) => `${answered} of ${asked} answered`,
    legend: "High: all answered · middle: some · low: none · line: not asked.",
    companies: (count: string, day: string | undefined) =>
      day === undefined ? `${count} companies` : `${count} companies, data of ${day}`,
    whole: {
      ok: "Everything works",
      partly: "The service works, but for what is told below",
      degraded: "Something that we depend on has a problem",
      down: "The service cannot answer now",
    },
  },
  {
    title: "Status",
    about: "Hoe het nu gaat met de dienst en met waar die van afhangt.",
    now: "Nu",
    again: "Kijk opnieuw",
    seen: (moment) => `Gezien op ${moment}`,
    day: "VIES in de laatste 24 uur",
    dayAbout: "Welke landen de vragen van deze dienst beantwoordden, per half uur.",
    dayUnknown: "De laatste dag kan nu niet worden gelezen. Dat zegt niets over hoe die was.",
    northernIreland: "Noord-Ierland",
    notAsked: "In de laatste 24 uur is VIES naar geen btw-nummer gevraagd.",
    answeredOf: (answered, asked) => `${answered} van ${asked} beantwoord`,
    legend: "Hoog: alles beantwoord · half: een deel · laag: niets · streep: niet gevraagd.",
    companies: (count, day) =>
      day === undefined ? `${count} bedrijven` : `${count} bedrijven, gegevens van ${day}`,
    whole: {
      ok: "Alles werkt",
      partly: "De dienst werkt, op wat hieronder staat na",
      degraded: "Iets waar wij van afhangen heeft een storing",
      down: "De dienst kan nu niet antwoorden",
    },
  },
);
