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
      "Only what is delivered counts: a mistake, an unknown number or a failure on our side costs nothing.",
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
      "Alleen wat geleverd is telt: een vergissing, een onbekend nummer of een storing bij ons kost niets.",
    operation: "Wat wordt aangeroepen",
    price: "Tokens",
  },
);
