import { bilingual, type Language } from "./bilingual.ts";

const texts = bilingual({
  ownFile: (name: string) => [`${name} (own file)`, `${name} (eigen bestand)`],
  kept: ["Registry of this service", "Register van deze dienst"],
  court: ["Central Insolvency Register", "Centraal Insolventieregister"],
  demo: ["Demo (fictional companies)", "Demo (verzonnen bedrijven)"],
});

/** Returns the name of a source for people: `import:klanten` as "klanten (own file)". */
export function sourceName(source: string, language: Language): string {
  const { ownFile, kept, court, demo } = texts[language];
  const [, file] = source.split(/^import:(?=.)/);
  const names: Readonly<Record<string, string>> = {
    ...{ gleif: "GLEIF", "kvk-api": "KVK", "kvk-open-data": "KVK Open Data" },
    "court-register": court,
    peppol: "Peppol",
    ...{ demo, snapshot: kept },
  };
  return file === undefined ? (names[source] ?? source) : ownFile(file);
}
