import { bilingual } from "../language/bilingual.ts";

export const texts = bilingual(
  {
    menu: "Menu",
    pages: "Pages",
    start: "Start",
    try: "Try it",
    keys: "Keys",
    calls: "Calls",
    usage: "Usage",
    plan: "Plan",
    status: "Status",
    settings: "Settings",
    operator: "Operator",
    docs: "API documentation",
    signOut: "Sign out",
    listTitle: "Sign out and delete your list?",
    listAbout:
      "This browser keeps a list with results. Signing out deletes them. Download the results first if you need them.",
    stay: "Stay signed in",
    toList: "Go to the list",
    signOutAnyway: "Sign out and delete",
    suspended: "This account is suspended: its calls are refused. Ask the operator of this service why.",
  },
  {
    menu: "Menu",
    pages: "Pagina's",
    start: "Start",
    try: "Uitproberen",
    keys: "Sleutels",
    calls: "Aanroepen",
    usage: "Verbruik",
    plan: "Abonnement",
    status: "Status",
    settings: "Instellingen",
    operator: "Beheer",
    docs: "API-documentatie",
    signOut: "Uitloggen",
    listTitle: "Uitloggen en uw lijst verwijderen?",
    listAbout:
      "In deze browser staat een lijst met resultaten. Als u uitlogt, wordt die verwijderd. Download de resultaten eerst als u ze nodig hebt.",
    stay: "Ingelogd blijven",
    toList: "Naar de lijst",
    signOutAnyway: "Uitloggen en verwijderen",
    suspended:
      "Dit account is geblokkeerd: de aanroepen worden geweigerd. Vraag de beheerder van deze dienst waarom.",
  },
);
