/**
 * The resources of the public API. Unknown values are absent: never null, never an empty string.
 * Types, response serialisation and the OpenAPI document all use these schemas.
 */
import { type Static, Type } from "typebox";
import { SbiVersionSchema } from "./activities.ts";
import { CoverageSchema } from "./coverage.ts";
import { type Employees, EmployeesSchema } from "./employeesResource.ts";
import { count, date, flag, moment, resource, text, textOfForm, texts, word } from "./fields.ts";
import { HintSchema } from "./hints.ts";
import { type Identifiers, IdentifiersSchema } from "./identifiers.ts";
import { CuratorSchema, type Insolvency, InsolvencySchema } from "./insolvency.ts";
import { JobSchema } from "./jobs.ts";
import { LegalFormSchema } from "./legalForms.ts";
import { LocationSchema, placeFields } from "./location.ts";
import {
  MatchCandidateSchema,
  MatchNoteSchema,
  MatchQuerySchema,
  MatchResultSchema,
} from "./matchResources.ts";
import { ChangeEventSchema, MonitorSchema, MonitorSettingsSchema } from "./monitors.ts";
import { BRANCH_NUMBER_PATTERN, KVK_NUMBER_PATTERN, RSIN_PATTERN } from "./numbers.ts";
import { type Peppol, PeppolCheckSchema, PeppolSchema } from "./peppol.ts";
import { VAT_STATUSES, type Vat, VatSchema, VatValidationSchema } from "./vatResources.ts";

const kvkNumber = textOfForm(
  KVK_NUMBER_PATTERN,
  "KVK number: eight digits as text, including leading zeros.",
  "51234567",
  "09876543",
);
const name = Type.String({
  minLength: 1,
  description: "The company's name.",
  examples: ["Bakkerij De Gouden Korenaar B.V."],
});
const isActive = flag("Whether the company is registered as active; always present.", true);
const city = Type.Optional(text("City, where known.", "Amsterdam"));
const legalForm = Type.Optional(LegalFormSchema);

export const AddressSchema = resource("Address", "An address, as far as it is known.", {
  street: Type.Optional(
    text(
      "Street; `Postbus` for a PO box, `Antwoordnummer` for freepost; street and number as given for a foreign address.",
      "Korenmolenlaan",
    ),
  ),
  houseNumber: Type.Optional(
    Type.String({
      description: "House number, letter, then `-addition` as text; for a PO box or freepost its number.",
      examples: ["17M", "3-A"],
    }),
  ),
  postalCode: Type.Optional(
    textOfForm(
      "^[0-9]{4} [A-Z]{2}$",
      "Dutch postal code with a space; absent for a foreign address.",
      "1012 AB",
    ),
  ),
  city: Type.Optional(text("City as registered.", "Amsterdam")),
  country: Type.Optional(textOfForm("^[A-Z]{2}$", "ISO 3166-1 alpha-2 code.", "NL")),
  isShielded: Type.Optional(
    Type.Literal(true, {
      description: "Present when the registry shields the address: then only city and country are returned.",
    }),
  ),
});
export type Address = Static<typeof AddressSchema>;
const AddressRef = Type.Unsafe<Address>({ $ref: "Address#" });

export const ActivitySchema = resource("Activity", "A business activity by its SBI code.", {
  sbiCode: textOfForm("^[0-9]{2,6}$", "SBI code: digits only, as text, including a leading zero.", "10710"),
  sbiVersion: Type.Optional(SbiVersionSchema),
  description: Type.Optional(
    text(
      "The meaning of the code in its version, in Dutch.",
      "Vervaardiging van brood en vers banketbakkerswerk",
    ),
  ),
  isMain: flag("Whether this is the main activity.", true),
});
export type Activity = Static<typeof ActivitySchema>;

/** The fields that KVK's open data adds where no other origin has them. */
export const OPEN_DATA_FIELDS = ["activities", "startDate"] as const;

export const SourceSchema = resource("Source", "Where the data comes from and how old it is.", {
  kvk: text("Where the company comes from: `kvk-api`, `gleif`, `import:<name>` or `demo`.", "demo"),
  vies: Type.Optional(
    word(
      VAT_STATUSES,
      "Where the verdict on the VAT number comes from: present exactly when `vat` is, and equal to its status.",
    ),
  ),
  cachedAt: text("The date of the data, ISO 8601 in UTC.", "2026-01-01T00:00:00.000Z"),
  openData: Type.Optional(
    Type.Object(
      {
        fields: Type.Array(word(OPEN_DATA_FIELDS, "A field of the company."), {
          description: "The fields that come from it.",
          examples: [["activities", "startDate"]],
        }),
        observedAt: moment("When KVK returned it.", "2026-11-21T12:00:00.000Z"),
      },
      { description: "Present when KVK's open data adds fields that no other origin of the company has." },
    ),
  ),
});
export type Source = Static<typeof SourceSchema>;

const basicFields = {
  kvkNumber,
  name,
  address: AddressRef,
  isActive,
  registrationDate: Type.Optional(date("Date of registration, where known.", "2011-03-14")),
  source: Type.Optional(Type.Unsafe<Source>({ $ref: "Source#" })),
};

export const BasicCompanySchema = resource(
  "BasicCompany",
  "A company as a basic lookup returns it.",
  basicFields,
);
export type BasicCompany = Static<typeof BasicCompanySchema>;

export const CompanySchema = resource("Company", "A company as an enriched lookup returns it.", {
  ...basicFields,
  tradingNames: Type.Optional(
    texts("Trading names in the registry's order.", ["Bakkerij De Gouden Korenaar", "Korenaar Catering"]),
  ),
  legalForm,
  activities: Type.Optional(
    Type.Array(Type.Unsafe<Activity>({ $ref: "Activity#" }), {
      description: "Business activities; absent when the origin does not have them.",
    }),
  ),
  rsin: Type.Optional(textOfForm(RSIN_PATTERN, "RSIN of a legal person: nine digits as text.", "912345603")),
  identifiers: Type.Optional(Type.Unsafe<Identifiers>({ $ref: "Identifiers#" })),
  deregistrationDate: Type.Optional(
    date("Date of deregistration; a company is active until then.", "2030-12-31"),
  ),
  statutoryName: Type.Optional(
    text("Name in the articles of association.", "Bakkerij De Gouden Korenaar B.V."),
  ),
  nonMailing: Type.Optional(
    flag("Whether the company asked not to receive unsolicited mail and door-to-door sales.", false),
  ),
  employees: Type.Optional(Type.Unsafe<Employees>({ $ref: "Employees#" })),
  mainBranchNumber: Type.Optional(
    textOfForm(BRANCH_NUMBER_PATTERN, "Number of the main branch: twelve digits as text.", "990051234567"),
  ),
  branchCount: Type.Optional(count("Number of branches.", 2)),
  websites: Type.Optional(texts("Websites as registered.", ["www.korenaar.example"])),
  ...placeFields,
  vat: Type.Optional(Type.Unsafe<Vat>({ $ref: "Vat#" })),
  insolvency: Type.Optional(Type.Unsafe<Insolvency>({ $ref: "Insolvency#" })),
  peppol: Type.Optional(Type.Unsafe<Peppol>({ $ref: "Peppol#" })),
  startDate: Type.Optional(
    date("The day on which the business began, which is not the day of registration.", "2011-03-01"),
  ),
});
export type Company = Static<typeof CompanySchema>;

const {
  address,
  location,
  bagId,
  source,
  identifiers,
  activities,
  employees,
  vat,
  insolvency,
  peppol,
  ...plain
} = CompanySchema.properties;
export type PlainFact = keyof typeof plain;
/** The facts of a company that are one value or a list of texts. */
export const PLAIN_FACTS = Object.keys(plain) as readonly PlainFact[];

export const BatchBasicCompanySchema = resource(
  "BatchBasicCompany",
  "A company as a basic batch returns it; its address has only city and postalCode.",
  { kvkNumber, name, address: AddressRef, isActive },
);
export type BatchBasicCompany = Static<typeof BatchBasicCompanySchema>;

const isFuzzy = Type.Optional(
  Type.Literal(true, {
    description:
      "Present when no name matches as typed and this one is within one or two typos, or abbreviates a word.",
    examples: [true],
  }),
);

export const AutocompleteItemSchema = resource("AutocompleteItem", "One company of a dropdown.", {
  kvkNumber,
  name,
  city,
  matchedName: Type.Optional(
    text("The trading name that matched, when it was not the name itself.", "Korenaar Catering"),
  ),
  isActive: Type.Optional(
    Type.Literal(false, { description: "Present when the company has ended.", examples: [false] }),
  ),
  isFuzzy,
});
export type AutocompleteItem = Static<typeof AutocompleteItemSchema>;

export const SearchItemSchema = resource("SearchItem", "One company of a search.", {
  kvkNumber,
  name,
  city,
  postalCode: Type.Optional(text("Postal code, where known.", "1012 AB")),
  legalForm,
  isActive,
  origin: Type.Optional(
    text(
      "Where the row comes from, `snapshot` or `kvk-api`; present when the live source was searched as well as the snapshot.",
      "snapshot",
    ),
  ),
  isFuzzy,
});
export type SearchItem = Static<typeof SearchItemSchema>;

export const BranchSchema = resource("Branch", "A branch (vestiging). Its address has no country.", {
  branchNumber: textOfForm(BRANCH_NUMBER_PATTERN, "Branch number: twelve digits as text.", "990051234567"),
  name: Type.Optional(text("The name of the branch, where known.", "Bakkerij De Gouden Korenaar")),
  isMain: flag("Whether this is the main branch.", true),
  address: Type.Optional(AddressRef),
  ...placeFields,
  isActive,
});
export type Branch = Static<typeof BranchSchema>;

export const BranchListSchema = resource("BranchList", "The branches of one company.", {
  kvkNumber,
  name,
  branches: Type.Array(Type.Unsafe<Branch>({ $ref: "Branch#" }), {
    description: "Every branch, the main one first.",
  }),
});
export type BranchList = Static<typeof BranchListSchema>;

/** The schemas that other schemas and the OpenAPI document refer to by name. */
export const RESOURCES = [
  AddressSchema,
  LocationSchema,
  ActivitySchema,
  EmployeesSchema,
  IdentifiersSchema,
  SourceSchema,
  BasicCompanySchema,
  CompanySchema,
  BatchBasicCompanySchema,
  AutocompleteItemSchema,
  SearchItemSchema,
  HintSchema,
  BranchSchema,
  BranchListSchema,
  CoverageSchema,
  VatSchema,
  VatValidationSchema,
  CuratorSchema,
  InsolvencySchema,
  PeppolSchema,
  PeppolCheckSchema,
  MatchQuerySchema,
  MatchCandidateSchema,
  MatchNoteSchema,
  MatchResultSchema,
  JobSchema,
  MonitorSchema,
  ChangeEventSchema,
  MonitorSettingsSchema,
] as const;

/** A schema that refers to one of {@link RESOURCES} by its name. */
export function refTo<T>(resource: (typeof RESOURCES)[number]): ReturnType<typeof Type.Unsafe<T>> {
  return Type.Unsafe<T>({ $ref: `${idOf(resource)}#` });
}

const idOf = (resource: object): string => ("$id" in resource ? String(resource.$id) : "");
