import { bilingual } from "../../../language/bilingual.ts";

export const texts = bilingual({
  about: [
    "Results match everything you enter. A search costs 1 token, even when nothing is found.",
    "De resultaten voldoen aan alles wat u invult. Zoeken kost 1 token, ook als er niets wordt gevonden.",
  ],
  q: ["Name or KVK number", "Naam of KVK-nummer"],
  qAbout: [
    "Words of a name, or the first digits of a number.",
    "Woorden uit een naam of de eerste cijfers van een nummer.",
  ],
  placeholder: ["Bakkerij…", "Bakkerij…"],
  city: ["City", "Plaats"],
  postalCode: ["Postal code", "Postcode"],
  postalCodeAbout: [
    "In full or just the beginning: 1012 AB or 1012.",
    "Volledig of alleen het begin: 1012 AB of 1012.",
  ],
  legalForm: ["Legal form", "Rechtsvorm"],
  sbiCode: ["Activity (SBI code)", "Activiteit (SBI-code)"],
  sbiCodeAbout: [
    "The first digits, or words to choose a code by: 1071 or bakkerij.",
    "De eerste cijfers, of woorden om een code te kiezen: 1071 of bakkerij.",
  ],
  sbiVersion: ["Version of the SBI code", "Versie van de SBI-code"],
  sbiBoth: ["2008 and 2025", "2008 en 2025"],
  status: ["Status", "Status"],
  statuses: { true: ["Active", "Actief"], false: ["Deregistered", "Uitgeschreven"] },
  insolvent: ["Insolvency of legal persons", "Insolventie van rechtspersonen"],
  insolvencies: {
    true: ["Insolvent", "Insolvent"],
    false: ["No insolvency known", "Geen insolventie bekend"],
  },
  all: ["All", "Alle"],
  pageSize: ["Companies per page", "Bedrijven per pagina"],
  search: ["Search", "Zoeken"],
  empty: ["Enter something in at least one field.", "Vul minstens één veld in."],
  qShort: ["Enter at least two characters.", "Vul minstens twee tekens in."],
  postalCodeBad: [
    "Enter a Dutch postal code or its beginning, such as 1012 or 1012 AB.",
    "Vul een Nederlandse postcode of het begin ervan in, zoals 1012 of 1012 AB.",
  ],
  sbiCodeBad: [
    "Choose a code from the list, or enter one to six digits.",
    "Kies een code uit de lijst of vul één tot zes cijfers in.",
  ],
  one: ["1 company", "1 bedrijf"],
  many: (total: string) => [`${total} companies`, `${total} bedrijven`],
  moreThan: (total: string) => [`More than ${total} companies`, `Meer dan ${total} bedrijven`],
  atLeast: (total: string) => [`At least ${total} companies`, `Minstens ${total} bedrijven`],
  onPage: (page: string, pages: string) => [`Page ${page} of ${pages}.`, `Pagina ${page} van ${pages}.`],
  pagePrice: (price: string) => [`Each page costs ${price}.`, `Elke pagina kost ${price}.`],
  lookUpPrice: (price: string) => [
    `Looking a company up costs ${price}.`,
    `Een bedrijf opzoeken kost ${price}.`,
  ],
  reach: (rows: string) => [
    `Only the first ${rows} can be shown: add a filter to see the others.`,
    `Alleen de eerste ${rows} zijn te zien: voeg een filter toe om bij de andere te komen.`,
  ],
  none: ["No company found", "Geen bedrijf gevonden"],
  noneAbout: [
    "No company matches everything you entered. Remove a filter or enter fewer letters. This search cost a token too.",
    "Geen bedrijf voldoet aan alles wat u hebt ingevuld. Verwijder een filter of gebruik minder letters. Ook deze zoekopdracht kostte een token.",
  ],
  noneLeft: ["There are no further companies on this page.", "Op deze pagina staan geen bedrijven meer."],
  pages: ["Pages of results", "Pagina's met resultaten"],
  name: ["Name", "Naam"],
  kvkNumber: ["KVK number", "KVK-nummer"],
  origin: ["Source", "Bron"],
  fuzzy: ["spelled slightly differently", "iets anders gespeld"],
  lookUp: ["Look up", "Opzoeken"],
  lookUpNamed: (name: string) => [`Look up: ${name}`, `Opzoeken: ${name}`],
  noResults: [
    "There are no results right now. Matching companies may still exist.",
    "Er zijn nu geen resultaten. Zulke bedrijven kunnen wel bestaan.",
  ],
  beyondLive: [
    "This service searches KVK directly, which supports only names, cities and active companies. Remove the other filters. No tokens were charged.",
    "Deze dienst zoekt rechtstreeks bij KVK en kan alleen zoeken op naam, plaats en actieve bedrijven. Verwijder de andere filters. Er zijn geen tokens afgeschreven.",
  ],
});
