import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual(
  {
    title: "Plan",
    about: "A token pays for a call. Each month begins with a full set; what is left over does not carry on.",
    plans: "Plans",
    tokens: "tokens a month",
    rate: (count: string) => `${count} calls a minute for each key`,
    mine: "Your plan",
    ask: "Ask for this plan",
    asked: "Asked for",
    waiting: (plan: string, day: string) =>
      `You asked for ${plan} on ${day}. Whoever runs this service decides; it counts from that moment on.`,
    withdraw: "Withdraw the request",
    prices: "What a call costs",
    pricesAbout:
      "An answer costs tokens, an error costs none: a request we refuse, an unknown KVK number or an outage is free. No suggestions, an empty search and a VAT number that isn’t valid are answers too, so they cost a token.",
    operation: "What is called",
    price: "Tokens",
  },
  {
    title: "Abonnement",
    about: "Een token betaalt een aanroep. Elke maand begint met een volle set; wat over is gaat niet mee.",
    plans: "Abonnementen",
    tokens: "tokens per maand",
    rate: (count) => `${count} aanroepen per minuut voor elke sleutel`,
    mine: "Uw abonnement",
    ask: "Vraag dit aan",
    asked: "Aangevraagd",
    waiting: (plan, day) =>
      `U vroeg op ${day} om ${plan}. De beheerder van deze dienst beslist; vanaf dat moment telt het.`,
    withdraw: "Trek de aanvraag in",
    prices: "Wat een aanroep kost",
    pricesAbout:
      "Een antwoord kost tokens, een fout niet: een geweigerd verzoek, een onbekend KVK-nummer en een storing zijn gratis. Geen suggesties, een lege zoekopdracht en een ongeldig btw-nummer zijn ook antwoorden en kosten dus een token.",
    operation: "Wat wordt aangeroepen",
    price: "Tokens",
  },
);
