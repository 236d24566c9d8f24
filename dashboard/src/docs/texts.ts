import { bilingual } from "../language/bilingual.ts";

export const texts = bilingual({
  title: ["API documentation", "API-documentatie"],
  back: ["Back to Opzoek", "Terug naar Opzoek"],
  menu: ["Menu", "Menu"],
  contents: ["Contents", "Inhoud"],
  overview: ["Overview", "Overzicht"],
  guides: ["Guides", "Handleidingen"],
  objects: ["Objects", "Objecten"],
  tags: {
    Companies: ["Companies", "Bedrijven"],
    Finding: ["Finding companies", "Bedrijven vinden"],
    Lists: ["Lists", "Lijsten"],
    Monitors: ["Monitors", "Monitoring"],
    VAT: ["VAT numbers", "Btw-nummers"],
    Account: ["Usage", "Verbruik"],
    Service: ["The service", "De dienst"],
  },
  search: ["Search", "Zoeken"],
  searchFor: ["Search the documentation", "Documentatie doorzoeken"],
  found: (count: string) => [`${count} found`, `${count} gevonden`],
  foundOne: ["1 found", "1 gevonden"],
  foundNone: [
    "Nothing found. Try another word, such as a field, a parameter or an error code.",
    "Niets gevonden. Probeer een ander woord, zoals een veld, een parameter of een foutcode.",
  ],
  document: ["OpenAPI document", "OpenAPI-document"],
  about: (version: string) => [
    `Version ${version}. Generated from the API document of this service, including its plans and prices.`,
    `Versie ${version}. Gebaseerd op het API-document van deze dienst, met de abonnementen en prijzen. De documentatie is in het Engels.`,
  ],
  missing: ["Page not found", "Pagina niet gevonden"],
  missingAbout: [
    "The link may belong to another version. Choose a page from the contents, or search.",
    "De link hoort misschien bij een andere versie. Kies een pagina uit de inhoud of zoek.",
  ],
});
