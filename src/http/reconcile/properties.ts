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
const basic = { isEnriched: false };
const enriched = { isEnriched: true };

export const EXTENSION_PROPERTIES: readonly ExtensionProperty[] = [
  {
    id: "name",
    name: "Name",
    description: "Name in the register",
    ...basic,
    valuesOf: ({ name }) => str(name),
  },
  {
    id: "isActive",
    name: "Active",
    description: "true or false: whether the company is registered as active",
    ...basic,
    valuesOf: ({ isActive }) => str(String(isActive)),
  },
  {
    id: "street",
    name: "Street",
    description: "Street; Postbus for a PO box",
    ...basic,
    valuesOf: ({ address }) => str(address.street),
  },
  {
    id: "houseNumber",
    name: "House number",
    description: "House number with its addition",
    ...basic,
    valuesOf: ({ address }) => str(address.houseNumber),
  },
  {
    id: "postalCode",
    name: "Postal code",
    description: "Dutch postal code",
    ...basic,
    valuesOf: ({ address }) => str(address.postalCode),
  },
  {
    id: "city",
    name: "City",
    description: "City as registered",
    ...basic,
    valuesOf: ({ address }) => str(address.city),
  },
  {
    id: "country",
    name: "Country",
    description: "ISO 3166-1 code of the country",
    ...basic,
    valuesOf: ({ address }) => str(address.country),
  },
  {
    id: "registrationDate",
    name: "Registration date",
    description: "Date of registration",
    ...basic,
    valuesOf: ({ registrationDate }) =>
      registrationDate === undefined ? [] : [{ date: `${registrationDate}T00:00:00Z` }],
  },
  {
    id: "legalForm",
    name: "Legal form",
    description: "Legal form, in Dutch",
    ...enriched,
    valuesOf: ({ legalForm }) => str(legalForm && LEGAL_FORMS[legalForm]),
  },
  {
    id: "sbiCode",
    name: "SBI code",
    description: "Codes of the business activities, the main one first",
    ...enriched,
    valuesOf: (company) => activitiesOf(company).map(({ sbiCode }) => ({ str: sbiCode })),
  },
  {
    id: "sbiDescription",
    name: "SBI description",
    description: "Business activities in Dutch, the main one first",
    ...enriched,
    valuesOf: (company) => activitiesOf(company).flatMap(({ description }) => str(description)),
  },
  {
    id: "vatNumber",
    name: "VAT number",
    description: "VAT number, where known",
    ...enriched,
    valuesOf: ({ vat }) => str(vat?.number),
  },
  {
    id: "vatValid",
    name: "VAT number valid",
    description: "true or false: the verdict of VIES on the VAT number; empty without a verdict",
    ...enriched,
    valuesOf: ({ vat }) => str(vat?.valid?.toString()),
  },
];

function activitiesOf({ activities = [] }: Company) {
  return activities.toSorted((one, other) => Number(other.isMain) - Number(one.isMain));
}
