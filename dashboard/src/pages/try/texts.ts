import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual({
  title: ["Try it", "Uitproberen"],
  about: [
    "Real calls on behalf of your account. They spend your tokens and are listed under “This page”, not under a key.",
    "Echte aanroepen namens uw account. Ze kosten tokens en staan onder ‘Deze pagina’, niet onder een sleutel.",
  ],
  tabs: {
    find: ["Company", "Bedrijf"],
    search: ["Search", "Zoeken"],
    list: ["List", "Lijst"],
    vat: ["VAT number", "Btw-nummer"],
  },
  what: ["What to try", "Wat u uitprobeert"],
  spent: (count: string) => [`Spent on this page: ${count}.`, `Verbruikt op deze pagina: ${count}.`],
  left: (count: string) => [`Left this month: ${count}.`, `Deze maand nog ${count}.`],
  suspended: [
    "This account is suspended: its calls fail and cost nothing. Ask the operator of this service why.",
    "Dit account is geblokkeerd: de aanroepen mislukken en kosten niets. Vraag de beheerder van deze dienst waarom.",
  ],
  asProgram: ["The call in a program", "De aanroep in een programma"],
  raw: ["The response your program receives", "Het antwoord zoals uw programma het ontvangt"],
  one: ["1 token", "1 token"],
  many: (count: string) => [`${count} tokens`, `${count} tokens`],
});
