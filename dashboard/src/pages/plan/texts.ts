import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual({
  title: ["Plan", "Abonnement"],
  about: [
    "Calls cost tokens. You get a new allowance each month; unused tokens don’t carry over.",
    "Aanroepen kosten tokens. Elke maand krijgt u een nieuw tegoed; wat over is, vervalt.",
  ],
  plans: ["Plans", "Abonnementen"],
  tokens: ["tokens per month", "tokens per maand"],
  rate: (count: string) => [`${count} calls per minute per key`, `${count} aanroepen per minuut per sleutel`],
  mine: ["Your plan", "Uw abonnement"],
  ask: ["Request this plan", "Aanvragen"],
  asked: ["Requested", "Aangevraagd"],
  waiting: (plan: string, day: string) => [
    `You requested ${plan} on ${day}. The operator of this service decides; once approved, the plan takes effect immediately.`,
    `U hebt op ${day} ${plan} aangevraagd. De beheerder van deze dienst beslist; na goedkeuring gaat het abonnement meteen in.`,
  ],
  withdraw: ["Withdraw request", "Aanvraag intrekken"],
  prices: ["What it costs", "Wat het kost"],
});
