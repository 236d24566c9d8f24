import type { Changes, EventType } from "../../../../src/contract/eventTypes.ts";
import type { ChangeEvent } from "../../../../src/contract/monitors.ts";
import { bilingual, type Language, type Pair } from "../../language/bilingual.ts";
import type { Formats } from "../../language/formats.ts";
import { legalForms } from "../../language/legalForms.ts";
import { leiStatuses } from "../../language/leiStatuses.ts";
import { peppolTexts } from "../../language/peppol.ts";
import { type ValueWords, valueLines } from "./changeValues.ts";

/** The types of events, the fields that change, and the words of their values. */
export const changeTexts = bilingual({
  types: {
    "company.renamed": ["Name changed", "Naam gewijzigd"],
    "company.moved": ["Address changed", "Adres gewijzigd"],
    "company.legal_form_changed": ["Legal form changed", "Rechtsvorm gewijzigd"],
    "company.activities_changed": ["Activities changed", "Activiteiten gewijzigd"],
    "company.branches_changed": ["Branches changed", "Vestigingen gewijzigd"],
    "company.deregistered": ["Deregistered", "Uitgeschreven"],
    "company.reactivated": ["Active again", "Weer actief"],
    "company.peppol_changed": ["Status on Peppol changed", "Status op Peppol gewijzigd"],
    "company.insolvency_changed": ["Insolvency changed", "Insolventie gewijzigd"],
    "company.lei_changed": ["LEI changed", "LEI gewijzigd"],
    "monitor.ended": ["No longer available", "Niet meer beschikbaar"],
    "monitor.test": ["Test message", "Testbericht"],
  } satisfies Record<EventType, Pair>,
  fields: {
    name: ["Name", "Naam"],
    statutoryName: ["Statutory name", "Statutaire naam"],
    tradingNames: ["Trading names", "Handelsnamen"],
    address: ["Address", "Adres"],
    legalForm: ["Legal form", "Rechtsvorm"],
    activities: ["Activities", "Activiteiten"],
    branchCount: ["Number of branches", "Aantal vestigingen"],
    branches: ["Branches", "Vestigingen"],
    isActive: ["Status", "Status"],
    deregistrationDate: ["Date of deregistration", "Datum van uitschrijving"],
    insolvency: ["Insolvency", "Insolventie"],
    insolvencyCase: ["Case", "Zaak"],
    identifiers: ["LEI", "LEI"],
    peppol: ["Peppol", "Peppol"],
  },
  codes: {
    none: ["None", "Geen"],
    bankruptcy: ["Bankruptcy", "Faillissement"],
    suspension_of_payments: ["Suspension of payments", "Surseance van betaling"],
    debt_restructuring: ["Debt restructuring", "Schuldsanering"],
  },
  active: ["Active", "Actief"],
  ended: ["Deregistered", "Uitgeschreven"],
  main: ["main activity", "hoofdactiviteit"],
  removed: ["removed by the court", "door de rechtbank verwijderd"],
  since: (day: string) => [`from ${day}`, `vanaf ${day}`],
  until: (day: string) => [`ended on ${day}`, `geëindigd op ${day}`],
});

/** A changed field in words, with one line for each item of a list. */
export interface ChangedField {
  readonly field: string;
  readonly previous: readonly string[];
  readonly current: readonly string[];
}

/** Returns the changed fields of an event in the words of a language. */
export function changedFields(
  changes: Changes,
  language: Language,
  { number, day }: Pick<Formats, "number" | "day">,
): readonly ChangedField[] {
  const t = changeTexts[language];
  const names: Readonly<Record<string, string>> = t.fields;
  const codes: Readonly<Record<string, string>> = {
    ...t.codes,
    ...legalForms[language],
    ...leiStatuses[language],
    ...peppolTexts[language].statuses,
  };
  const words: ValueWords = {
    number,
    day,
    isActive: (isActive) => (isActive ? t.active : t.ended),
    // A newer version of the service may use codes and fields that have no text here.
    code: (code) => codes[code] ?? code,
    main: t.main,
    since: t.since,
    until: t.until,
  };
  return Object.entries(changes).map(([field, { previous, current, reason }]) => ({
    field: names[field] ?? field,
    previous: valueLines(field, previous, words),
    current: [...valueLines(field, current, words), ...(reason === "removed" ? [t.removed] : [])],
  }));
}

/** Returns the names of types as a list within a sentence. */
export function listOfTypes(types: readonly EventType[], language: Language): string {
  return types
    .map((type) =>
      changeTexts[language].types[type].replace(/^\p{Lu}(?=\p{Ll})/u, (first) => first.toLowerCase()),
    )
    .join(", ");
}

/** Returns the present name of the company of an event, or its number. @param names by KVK number */
export function nameOfEvent(
  { kvkNumber = "", metadata }: ChangeEvent,
  names: Readonly<Record<string, string>>,
): string {
  return names[kvkNumber] ?? metadata?.name ?? kvkNumber;
}
