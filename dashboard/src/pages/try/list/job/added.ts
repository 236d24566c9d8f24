/** The data that can be added to the rows of a list. */
import type { Job } from "../../../../../../src/contract/jobs.ts";
import { bilingual, mapValues, type Pair } from "../../../../language/bilingual.ts";
import type { resultTexts } from "../resultTexts.ts";
import { isNumberKey } from "./answers.ts";

export type Column = keyof (typeof resultTexts)["en"]["columns"];

interface AddedData {
  /** The kind of the job that finds it. */
  readonly kind: Job["kind"];
  /** The added columns, in their order. */
  readonly columns: readonly Column[];
}

/** The choices for rows with a KVK number. */
const CHOSEN = {
  basic: {
    kind: "lookup",
    label: [
      "Name, postal code, city and whether it is active",
      "Naam, postcode, plaats en of het bedrijf actief is",
    ],
    columns: ["kvkNumber", "name", "postalCode", "city", "isActive", "outcome", "score", "isChosen", "why"],
  },
  everything: {
    kind: "lookup.enriched",
    label: [
      "Everything: full address, legal form, activities, trading names and VAT number",
      "Alles: volledig adres, rechtsvorm, activiteiten, handelsnamen en btw-nummer",
    ],
    columns: [
      ...(["kvkNumber", "name", "tradingNames", "street", "houseNumber", "postalCode", "city"] as const),
      ...(["country", "isActive", "legalForm", "registrationDate", "activities"] as const),
      ...([
        "vatNumber",
        "vatValid",
        "vatStatus",
        "euid",
        "lei",
        "leiStatus",
        "outcome",
        "score",
        "isChosen",
        "why",
      ] as const),
    ],
  },
  insolvency: {
    kind: "insolvency",
    label: [
      "Insolvency: type, dates, court and case number",
      "Insolventie: soort, datums, rechtbank en insolventienummer",
    ],
    columns: [
      ...(["kvkNumber", "name", "insolvency", "insolvencySince", "insolvencyEnded", "court"] as const),
      ...(["caseNumber", "insolvencyAsOf", "outcome", "score", "isChosen", "why"] as const),
    ],
  },
  peppol: {
    kind: "peppol",
    label: ["Peppol: whether it can receive e-invoices", "Peppol: of het bedrijf e-facturen kan ontvangen"],
    columns: [
      ...(["kvkNumber", "peppol", "participantId", "peppolReceives", "accessPoint", "peppolAsOf"] as const),
      ...(["outcome", "score", "isChosen", "why"] as const),
    ],
  },
} as const satisfies Readonly<Record<string, AddedData & { readonly label: Pair }>>;
export type Chosen = keyof typeof CHOSEN;

/** `match`: the list has no rows with a KVK number. */
const ADDED = {
  ...CHOSEN,
  match: { kind: "match", columns: ["decision", "kvkNumber", "name", "city", "score", "isChosen", "why"] },
} as const satisfies Readonly<Record<string, AddedData>>;
export type Added = keyof typeof ADDED;

export const CHOICES = Object.keys(CHOSEN) as Chosen[];
export const choiceTexts = bilingual(mapValues(CHOSEN, ({ label }): Pair => label));

export const columnsOf = (adds: Added): readonly Column[] => ADDED[adds].columns;

/** The kind of the job that adds data to rows with a KVK number, or to all rows. */
export const kindThatAdds = (adds: Added) => ADDED[adds].kind;

/** The kind of the job for some keys of a list, which are either all KVK numbers or all rows to match. */
export const kindOf = (adds: Added, [key = ""]: readonly string[]) =>
  kindThatAdds(isNumberKey(key) ? adds : "match");
