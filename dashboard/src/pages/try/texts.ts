import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual(
  {
    title: "Try it",
    about:
      "Real calls on behalf of your account. They spend your tokens and are listed under “This page”, not under a key.",
    tabs: { find: "Company", search: "Search", list: "List", vat: "VAT number" },
    what: "What to try",
    spent: (count: string) => `Spent on this page: ${count}.`,
    left: (count: string) => `Left this month: ${count}.`,
    suspended:
      "This account is suspended: its calls fail and cost nothing. Ask the operator of this service why.",
    asProgram: "The call in a program",
    raw: "The response your program receives",
    one: "1 token",
    many: (count: string) => `${count} tokens`,
  },
  {
    title: "Uitproberen",
    about:
      "Echte aanroepen namens uw account. Ze kosten tokens en staan onder ‘Deze pagina’, niet onder een sleutel.",
    tabs: { find: "Bedrijf", search: "Zoeken", list: "Lijst", vat: "Btw-nummer" },
    what: "Wat u uitprobeert",
    spent: (count) => `Verbruikt op deze pagina: ${count}.`,
    left: (count) => `Deze maand nog ${count}.`,
    suspended:
      "Dit account is geblokkeerd: de aanroepen mislukken en kosten niets. Vraag de beheerder van deze dienst waarom.",
    asProgram: "De aanroep in een programma",
    raw: "Het antwoord zoals uw programma het ontvangt",
    one: "1 token",
    many: (count) => `${count} tokens`,
  },
);
