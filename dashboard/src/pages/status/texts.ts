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
    whole: {
      ok: "Alles werkt",
      partly: "De dienst werkt, op wat hieronder staat na",
      degraded: "Iets waar wij van afhangen heeft een storing",
      down: "De dienst kan nu niet antwoorden",
    },
  },
);
