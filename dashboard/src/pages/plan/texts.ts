import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual(
  {
    title: "Plan",
    about: "Calls cost tokens. You get a new allowance each month; unused tokens don’t carry over.",
    plans: "Plans",
    tokens: "tokens per month",
    rate: (count: string) => `${count} calls per minute per key`,
    mine: "Your plan",
    ask: "Request this plan",
    asked: "Requested",
    waiting: (plan: string, day: string) =>
      `You requested ${plan} on ${day}. The operator of this service decides; once approved, the plan takes effect immediately.`,
    withdraw: "Withdraw request",
    prices: "What it costs",
  },
  {
    title: "Abonnement",
    about: "Aanroepen kosten tokens. Elke maand krijgt u een nieuw tegoed; wat over is, vervalt.",
    plans: "Abonnementen",
    tokens: "tokens per maand",
    rate: (count) => `${count} aanroepen per minuut per sleutel`,
    mine: "Uw abonnement",
    ask: "Aanvragen",
    asked: "Aangevraagd",
    waiting: (plan, day) =>
      `U hebt op ${day} ${plan} aangevraagd. De beheerder van deze dienst beslist; na goedkeuring gaat het abonnement meteen in.`,
    withdraw: "Aanvraag intrekken",
    prices: "Wat het kost",
  },
);
