import { bilingual } from "../language/bilingual.ts";

export const texts = bilingual(
  {
    menu: "Menu",
    pages: "Pages",
    start: "Start",
    try: "Try it",
    keys: "Keys",
    monitors: "Monitors",
    calls: "Calls",
    usage: "Usage",
    plan: "Plan",
    status: "Status",
    settings: "Settings",
    operator: "Operator",
    docs: "API documentation",
    signOut: "Sign out",
    suspended:
      "This account is suspended: its calls fail and cost nothing. Ask the operator of this service why.",
  },
  {
    menu: "Menu",
    pages: "Pagina's",
    start: "Start",
    try: "Uitproberen",
    keys: "Sleutels",
    monitors: "Monitoring",
    calls: "Aanroepen",
    usage: "Verbruik",
    plan: "Abonnement",
    status: "Status",
    settings: "Instellingen",
    operator: "Beheer",
    docs: "API-documentatie",
    signOut: "Uitloggen",
    suspended:
      "Dit account is geblokkeerd: de aanroepen mislukken en kosten niets. Vraag de beheerder van deze dienst waarom.",
  },
);
