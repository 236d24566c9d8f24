import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual(
  {
    title: "Plan",
    about: "Calls cost tokens. You get a new allowance each month; unused tokens don’t carry over.",
    plans: "Plans",
    tokens: "tokens a month",
    rate: (count: string) => `${count} calls a minute for each key`,
    mine: "Your plan",
    ask: "Request this plan",
    asked: "Requested",
    waiting: (plan: string, day: string) =>
      `You requested ${plan} on ${day}. The operator of this service decides; the plan takes effect from then on.`,
    withdraw: "Withdraw request",
    prices: "What a call costs",
    pricesAbout:
      "An answer costs tokens, an error costs none: a refused call, invalid input, an unknown KVK number and an outage are free. A search that finds nothing and a VAT number that isn’t valid are answers too, so they cost tokens.",
  },
  {
    title: "Abonnement",
    about: "Aanroepen kosten tokens. Elke maand krijgt u een nieuw tegoed; wat over is, vervalt.",
    plans: "Abonnementen",
    tokens: "tokens per maand",
    rate: (count) => `${count} aanroepen per minuut voor elke sleutel`,
    mine: "Uw abonnement",
    ask: "Aanvragen",
    asked: "Aangevraagd",
    waiting: (plan, day) =>
      `U hebt op ${day} ${plan} aangevraagd. De beheerder van deze dienst beslist; daarna gaat het meteen in.`,
    withdraw: "Aanvraag intrekken",
    prices: "Wat een aanroep kost",
    pricesAbout:
      "Een antwoord kost tokens, een fout niet: een geweigerde aanroep, onjuiste invoer, een onbekend KVK-nummer en een storing zijn gratis. Ook een zoekopdracht zonder resultaat en een ongeldig btw-nummer zijn antwoorden en kosten dus tokens.",
  },
);
