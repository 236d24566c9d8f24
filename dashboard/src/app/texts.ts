import { bilingual } from "../language/bilingual.ts";

export const texts = bilingual({
  menu: ["Menu", "Menu"],
  pages: ["Pages", "Pagina's"],
  start: ["Start", "Start"],
  try: ["Try it", "Uitproberen"],
  keys: ["Keys", "Sleutels"],
  monitors: ["Monitors", "Monitoring"],
  calls: ["Calls", "Aanroepen"],
  usage: ["Usage", "Verbruik"],
  plan: ["Plan", "Abonnement"],
  status: ["Status", "Status"],
  settings: ["Settings", "Instellingen"],
  operator: ["Operator", "Beheer"],
  docs: ["API documentation", "API-documentatie"],
  signOut: ["Sign out", "Uitloggen"],
  suspended: [
    "This account is suspended: its calls fail and cost nothing. Ask the operator of this service why.",
    "Dit account is geblokkeerd: de aanroepen mislukken en kosten niets. Vraag de beheerder van deze dienst waarom.",
  ],
});
