import type { ChangeEvent, Changes, EventType } from "../../../../src/contract/monitors.ts";
import { bilingual, type Language } from "../../language/bilingual.ts";
import type { Formats } from "../../language/formats.ts";
import { legalForms } from "../../language/legalForms.ts";
import { type ValueWords, valueLines } from "./changeValues.ts";

const enTypes = {
  "company.renamed": "Name changed",
  "company.moved": "Address changed",
  "company.legal_form_changed": "Legal form changed",
  "company.activities_changed": "Activities changed",
  "company.branches_changed": "Branches changed",
  "company.deregistered": "Deregistered",
  "company.reactivated": "Active again",
  "company.insolvency_changed": "Insolvency changed",
  "monitor.ended": "No longer available",
  "monitor.test": "Test message",
} satisfies Record<EventType, string>;

/** The types of events, the fields that change, and the words of their values. */
export const changeTexts = bilingual(
  {
    types: enTypes,
    fields: {
      name: "Name",
      statutoryName: "Statutory name",
      tradingNames: "Trading names",
      address: "Address",
      legalForm: "Legal form",
      activities: "Activities",
      branchCount: "Number of branches",
      branches: "Branches",
      isActive: "Status",
      deregistrationDate: "Date of deregistration",
      insolvency: "Insolvency",
    },
    codes: {
      none: "None",
      bankruptcy: "Bankruptcy",
      suspension_of_payments: "Suspension of payments",
      debt_restructuring: "Debt restructuring",
    },
    active: "Active",
    ended: "Deregistered",
    main: "main activity",
  },
  {
    types: {
      "company.renamed": "Naam gewijzigd",
      "company.moved": "Adres gewijzigd",
      "company.legal_form_changed": "Rechtsvorm gewijzigd",
      "company.activities_changed": "Activiteiten gewijzigd",
      "company.branches_changed": "Vestigingen gewijzigd",
      "company.deregistered": "Uitgeschreven",
      "company.reactivated": "Weer actief",
      "company.insolvency_changed": "Insolventie gewijzigd",
      "monitor.ended": "Niet meer beschikbaar",
      "monitor.test": "Testbericht",
    },
    fields: {
      name: "Naam",
      statutoryName: "Statutaire naam",
      tradingNames: "Handelsnamen",
      address: "Adres",
      legalForm: "Rechtsvorm",
      activities: "Activiteiten",
      branchCount: "Aantal vestigingen",
      branches: "Vestigingen",
      isActive: "Status",
      deregistrationDate: "Datum van uitschrijving",
      insolvency: "Insolventie",
    },
    codes: {
      none: "Geen",
      bankruptcy: "Faillissement",
      suspension_of_payments: "Surseance van betaling",
      debt_restructuring: "Schuldsanering",
    },
    active: "Actief",
    ended: "Uitgeschreven",
    main: "hoofdactiviteit",
  },
);

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
  const codes: Readonly<Record<string, string>> = { ...t.codes, ...legalForms[language] };
  const words: ValueWords = {
    number,
    day,
    isActive: (isActive) => (isActive ? t.active : t.ended),
    // A newer version of the service may use codes and fields that have no text here.
    code: (code) => codes[code] ?? code,
    main: t.main,
  };
  return Object.entries(changes).map(([field, { previous, current }]) => ({
    field: names[field] ?? field,
    previous: valueLines(field, previous, words),
    current: valueLines(field, current, words),
  }));
}

/** Returns the names of types as a list within a sentence. */
export function listOfTypes(types: readonly EventType[], language: Language): string {
  return types.map((type) => changeTexts[language].types[type].toLowerCase()).join(", ");
}

/** Returns the present name of the company of an event, or its number. @param names by KVK number */
export function nameOfEvent(
  { kvkNumber = "", metadata }: ChangeEvent,
  names: Readonly<Record<string, string>>,
): string {
  return names[kvkNumber] ?? metadata?.name ?? kvkNumber;
}
