import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual(
  {
    title: "Try it",
    about: "Real calls in your account's name. They spend your tokens, exactly as those of your programs do.",
    tabs: { find: "Company", list: "List", vat: "VAT number" },
    what: "What to try",
    spent: (count: string) => `Spent on this page: ${count}.`,
    left: (count: string) => `Left this month: ${count}.`,
    noKey: "Calls are counted on a key, and none of yours works now. Make one under Keys first.",
    raw: "The answer as a program gets it",
    one: "1 token",
    many: (count: string) => `${count} tokens`,
  },
  {
    title: "Probeer",
    about:
      "Echte aanroepen uit naam van uw account. Ze kosten uw tokens, precies zoals die van uw programma's.",
    tabs: { find: "Bedrijf", list: "Lijst", vat: "Btw-nummer" },
    what: "Wat u probeert",
    spent: (count) => `Uitgegeven op deze pagina: ${count}.`,
    left: (count) => `Over deze maand: ${count}.`,
    noKey:
      "Aanroepen tellen bij een sleutel, en geen van uw sleutels werkt nu. Maak er eerst een onder Sleutels.",
    raw: "Het antwoord zoals een programma het krijgt",
    one: "1 token",
    many: (count) => `${count} tokens`,
  },
);
