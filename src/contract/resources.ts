/**
 * The things that the service answers with. What is not known is absent: never null, never an empty string.
 * Types, response serialisation and the OpenAPI document all come from these schemas.
 */
import { type Static, Type } from "typebox";
import { type Employees, EmployeesSchema } from "./employeesResource.ts";
import { JobSchema } from "./jobs.ts";
import { LegalFormSchema } from "./legalForms.ts";
import { BRANCH_NUMBER_PATTERN, KVK_NUMBER_PATTERN, RSIN_PATTERN } from "./numbers.ts";
import { type Source, SourceSchema } from "./sourceResource.ts";
import { type Vat, VatSchema, VatValidationSchema } from "./vatResources.ts";

const closed = { additionalProperties: false } as const;

const KvkNumberSchema = Type.String({
  pattern: KVK_NUMBER_PATTERN,
  description: "KVK number: eight digits as text, leading zeros kept.",
  examples: ["51234567", "09876543"],
});

const NameSchema = Type.String({
  minLength: 1,
  description: "The name under which the company is known.",
  examples: ["Bakkerij De Gouden Korenaar B.V."],
});

const IsActiveSchema = Type.Boolean({
  description: "Whether the company is registered as active; always known.",
  examples: [true],
});

const DateSchema = (description: string, example: string) =>
  Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description, examples: [example] });

export const AddressSchema = Type.Object(
  {
    street: Type.Optional(
      Type.String({
        description:
          "Street; `Postbus` for a PO box, `Antwoordnummer` for freepost; street and number as given for a foreign address.",
        examples: ["Korenmolenlaan"],
      }),
    ),
    houseNumber: Type.Optional(
      Type.String({
        description: "House number, letter, then `-addition` as text; for a PO box or freepost its number.",
        examples: ["17M", "3-A"],
      }),
    ),
    postalCode: Type.Optional(
      Type.String({
        pattern: "^[0-9]{4} [A-Z]{2}$",
        description: "Dutch postal code with a space; absent for a foreign address.",
        examples: ["1012 AB"],
      }),
    ),
    city: Type.Optional(Type.String({ description: "City as registered.", examples: ["Amsterdam"] })),
    country: Type.Optional(
      Type.String({ pattern: "^[A-Z]{2}$", description: "ISO 3166-1 alpha-2 code.", examples: ["NL"] }),
    ),
    isShielded: Type.Optional(
      Type.Literal(true, {
        description:
          "Present when the registry shields the address: then city and country are all that is shown.",
      }),
    ),
  },
  { ...closed, $id: "Address", title: "Address", description: "An address, with what is known of it." },
);
export type Address = Static<typeof AddressSchema>;
const AddressRef = Type.Unsafe<Address>({ $ref: "Address#" });

export const ActivitySchema = Type.Object(
  {
    sbiCode: Type.String({
      pattern: "^[0-9]{2,6}$",
      description: "SBI code: digits only, as text, leading zero kept.",
      examples: ["10710"],
    }),
    description: Type.Optional(
      Type.String({
        description: "What the code stands for, in Dutch.",
        examples: ["Vervaardiging van brood en vers banketbakkerswerk"],
      }),
    ),
    isMain: Type.Boolean({ description: "Whether this is the main activity.", examples: [true] }),
  },
  { ...closed, $id: "Activity", title: "Activity", description: "A business activity by its SBI code." },
);
export type Activity = Static<typeof ActivitySchema>;
const ActivityRef = Type.Unsafe<Activity>({ $ref: "Activity#" });

const EmployeesRef = Type.Unsafe<Employees>({ $ref: "Employees#" });

const VatRef = Type.Unsafe<Vat>({ $ref: "Vat#" });
const SourceRef = Type.Unsafe<Source>({ $ref: "Source#" });

const basicFields = {
  kvkNumber: KvkNumberSchema,
  name: NameSchema,
  address: AddressRef,
  isActive: IsActiveSchema,
  registrationDate: Type.Optional(DateSchema("Date of registration, where known.", "2011-03-14")),
  source: Type.Optional(SourceRef),
};

export const BasicCompanySchema = Type.Object(basicFields, {
  ...closed,
  $id: "BasicCompany",
  title: "BasicCompany",
  description: "A company as a basic lookup gives it.",
});
export type BasicCompany = Static<typeof BasicCompanySchema>;

export const CompanySchema = Type.Object(
  {
    ...basicFields,
    tradingNames: Type.Optional(
      Type.Array(Type.String(), {
        description: "Trading names in the registry's order.",
        examples: [["Bakkerij De Gouden Korenaar", "Korenaar Catering"]],
      }),
    ),
    legalForm: Type.Optional(LegalFormSchema),
    activities: Type.Optional(
      Type.Array(ActivityRef, {
        description: "Business activities; absent when the origin does not hold them.",
      }),
    ),
    rsin: Type.Optional(
      Type.String({
        pattern: RSIN_PATTERN,
        description: "RSIN of a legal person: nine digits as text.",
        examples: ["123456782"],
      }),
    ),
    deregistrationDate: Type.Optional(
      DateSchema("Date of deregistration; a company is active until then.", "2030-12-31"),
    ),
    statutoryName: Type.Optional(
      Type.String({
        description: "Name in the articles of association.",
        examples: ["Bakkerij De Gouden Korenaar B.V."],
      }),
    ),
    nonMailing: Type.Optional(
      Type.Boolean({
        description: "Whether the company asked not to get unsolicited mail and door sales.",
        examples: [false],
      }),
    ),
    employees: Type.Optional(EmployeesRef),
    mainBranchNumber: Type.Optional(
      Type.String({
        pattern: BRANCH_NUMBER_PATTERN,
        description: "Number of the main branch: twelve digits as text.",
        examples: ["990051234567"],
      }),
    ),
    branchCount: Type.Optional(
      Type.Integer({ minimum: 0, description: "How many branches the company has.", examples: [2] }),
    ),
    websites: Type.Optional(
      Type.Array(Type.String(), {
        description: "Websites as registered.",
        examples: [["www.korenaar.example"]],
      }),
    ),
    vat: Type.Optional(VatRef),
  },
  { ...closed, $id: "Company", title: "Company", description: "A company as an enriched lookup gives it." },
);
export type Company = Static<typeof CompanySchema>;

export const BatchBasicCompanySchema = Type.Object(
  {
    kvkNumber: KvkNumberSchema,
    name: NameSchema,
    address: AddressRef,
    isActive: IsActiveSchema,
  },
  {
    ...closed,
    $id: "BatchBasicCompany",
    title: "BatchBasicCompany",
    description: "A company as a basic batch gives it; of the address only city and postalCode.",
  },
);
export type BatchBasicCompany = Static<typeof BatchBasicCompanySchema>;

const IS_FUZZY = "Present when no name fits as it was typed, and this one does but for a slip or two.";
const IsFuzzySchema = Type.Optional(Type.Literal(true, { description: IS_FUZZY, examples: [true] }));

export const AutocompleteItemSchema = Type.Object(
  {
    kvkNumber: KvkNumberSchema,
    name: NameSchema,
    city: Type.Optional(Type.String({ description: "City, where known.", examples: ["Amsterdam"] })),
    matchedName: Type.Optional(
      Type.String({
        description: "The trading name that was the hit, when it was not the name itself.",
        examples: ["Korenaar Catering"],
      }),
    ),
    isFuzzy: IsFuzzySchema,
  },
  {
    ...closed,
    $id: "AutocompleteItem",
    title: "AutocompleteItem",
    description: "One company of a dropdown.",
  },
);
export type AutocompleteItem = Static<typeof AutocompleteItemSchema>;

export const SearchItemSchema = Type.Object(
  {
    kvkNumber: KvkNumberSchema,
    name: NameSchema,
    city: Type.Optional(Type.String({ description: "City, where known.", examples: ["Amsterdam"] })),
    postalCode: Type.Optional(
      Type.String({ description: "Postal code, where known.", examples: ["1012 AB"] }),
    ),
    legalForm: Type.Optional(LegalFormSchema),
    isActive: IsActiveSchema,
    origin: Type.Optional(
      Type.String({
        description:
          "Where the row comes from, told where the live source was searched beside the snapshot: `snapshot`, or `kvk-api`.",
        examples: ["snapshot"],
      }),
    ),
    isFuzzy: IsFuzzySchema,
  },
  { ...closed, $id: "SearchItem", title: "SearchItem", description: "One company of a search." },
);
export type SearchItem = Static<typeof SearchItemSchema>;

export const BranchSchema = Type.Object(
  {
    branchNumber: Type.String({
      pattern: BRANCH_NUMBER_PATTERN,
      description: "Branch number: twelve digits as text.",
      examples: ["990051234567"],
    }),
    name: Type.Optional(
      Type.String({
        description: "The name of the branch, where known.",
        examples: ["Bakkerij De Gouden Korenaar"],
      }),
    ),
    isMain: Type.Boolean({ description: "Whether this is the main branch.", examples: [true] }),
    address: Type.Optional(AddressRef),
    isActive: IsActiveSchema,
  },
  {
    ...closed,
    $id: "Branch",
    title: "Branch",
    description: "A branch (vestiging). Its address has no country.",
  },
);
export type Branch = Static<typeof BranchSchema>;
const BranchRef = Type.Unsafe<Branch>({ $ref: "Branch#" });

export const BranchListSchema = Type.Object(
  {
    kvkNumber: KvkNumberSchema,
    name: NameSchema,
    branches: Type.Array(BranchRef, { description: "Every branch, the main one first." }),
  },
  { ...closed, $id: "BranchList", title: "BranchList", description: "The branches of one company." },
);
export type BranchList = Static<typeof BranchListSchema>;

/** The schemas that other schemas and the OpenAPI document refer to by name. */
export const RESOURCES = [
  AddressSchema,
  ActivitySchema,
  EmployeesSchema,
  SourceSchema,
  BasicCompanySchema,
  CompanySchema,
  BatchBasicCompanySchema,
  AutocompleteItemSchema,
  SearchItemSchema,
  BranchSchema,
  BranchListSchema,
  VatSchema,
  VatValidationSchema,
  JobSchema,
] as const;

/** A schema that refers to one of {@link RESOURCES} by its name. */
export function refTo<T>(resource: (typeof RESOURCES)[number]): ReturnType<typeof Type.Unsafe<T>> {
  return Type.Unsafe<T>({ $ref: `${idOf(resource)}#` });
}

const idOf = (resource: object): string => ("$id" in resource ? String(resource.$id) : "");
