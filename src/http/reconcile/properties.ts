/** The types and properties of the reconciliation service. */
import { LEGAL_FORMS } from "../../contract/legalForms.ts";
import type { Company } from "../../contract/resources.ts";
import type { SentQuery } from "../../match/readQuery.ts";

export const RECONCILE_PATH = "/v1/reconcile";

/** The fields that all endpoints of the service share. */
export const SPECIFIED = {
  tag: "Reconciliation",
  specification: "https://www.w3.org/community/reports/reconciliation/CG-FINAL-specs-0.2-20230410/",
} as const;

/** The only type of entity. */
export const COMPANY_TYPE = { id: "company", name: "Company in the Dutch trade register" } as const;

/** A property as suggestions list it. */
export interface Property {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** Properties of a query, besides the name. */
export const QUERY_PROPERTIES = [
  { id: "city", name: "City", description: "City of the company's address" },
  { id: "postalCode", name: "Postal code", description: "Dutch postal code" },
  { id: "street", name: "Street", description: "Street, with or without the house number" },
  { id: "houseNumber", name: "House number", description: "House number, with or without its addition" },
  { id: "kvkNumber", name: "KVK number", description: "Eight digits; a known number decides the match" },
  { id: "rsin", name: "RSIN", description: "Nine digits; a known number decides the match" },
  { id: "vatNumber", name: "VAT number", description: "Dutch VAT number; a known number decides the match" },
  { id: "website", name: "Website", description: "Website or domain of the company" },
] as const satisfies readonly (Property & { readonly id: keyof SentQuery })[];

/** A value of data extension; the members are those of the specification. */
export type PropertyValue = { readonly str: string } | { readonly date: string };

/** A property of data extension. */
export interface ExtensionProperty extends Property {
  /** A basic lookup does not return it. */
  readonly isEnriched: boolean;
  readonly valuesOf: (company: Company) => readonly PropertyValue[];
}

const str = (text: string | undefined): readonly PropertyValue[] =>
  text === undefined ? [] : [{ str: text }];
type Row = readonly [id: string, name: string, description: string, valuesOf: ExtensionProperty["valuesOf"]];

const BASIC: readonly Row[] = [
  ["name", "Name", "Name in the register", ({ name }) => str(name)],
  [
    "isActive",
    "Active",
    "true or false: whether the company is registered as active",
    ({ isActive }) => str(String(isActive)),
  ],
  ["street", "Street", "Street; Postbus for a PO box", ({ address }) => str(address.street)],
  [
    "houseNumber",
    "House number",
    "House number with its addition",
    ({ address }) => str(address.houseNumber),
  ],
  ["postalCode", "Postal code", "Dutch postal code", ({ address }) => str(address.postalCode)],
  ["city", "City", "City as registered", ({ address }) => str(address.city)],
  ["country", "Country", "ISO 3166-1 code of the country", ({ address }) => str(address.country)],
  [
    "registrationDate",
    "Registration date",
    "Date of registration",
    ({ registrationDate: date }) => (date === undefined ? [] : [{ date: `${date}T00:00:00Z` }]),
  ],
];

const ENRICHED: readonly Row[] = [
  [
    "legalForm",
    "Legal form",
    "Legal form, in Dutch",
    ({ legalForm }) => str(legalForm && LEGAL_FORMS[legalForm]),
  ],
  [
    "sbiCode",
    "SBI code",
    "Codes of the business activities, the main one first",
    (company) => activitiesOf(company).map(({ sbiCode }) => ({ str: sbiCode })),
  ],
  [
    "sbiDescription",
    "SBI description",
    "Business activities in Dutch, the main one first",
    (company) => activitiesOf(company).flatMap(({ description }) => str(description)),
  ],
  ["vatNumber", "VAT number", "VAT number, where known", ({ vat }) => str(vat?.number)],
  [
    "vatValid",
    "VAT number valid",
    "true or false: the verdict of VIES on the VAT number; empty without a verdict",
    ({ vat }) => str(vat?.valid?.toString()),
  ],
];

const propertyOf =
  (isEnriched: boolean) =>
  ([id, name, description, valuesOf]: Row): ExtensionProperty => ({
    id,
    name,
    description,
    isEnriched,
    valuesOf,
  });

export const EXTENSION_PROPERTIES: readonly ExtensionProperty[] = [
  ...BASIC.map(propertyOf(false)),
  ...ENRICHED.map(propertyOf(true)),
];

function activitiesOf({ activities = [] }: Company) {
  return activities.toSorted((one, other) => Number(other.isMain) - Number(one.isMain));
}
