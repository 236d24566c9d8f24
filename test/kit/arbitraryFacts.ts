/** For tests: arbitrary facts of an import, for fast-check. */
import fc from "fast-check";
import type {
  CompanyFacts,
  FactsAddress,
  FactsBranch,
  Geo,
  LocatedAddress,
  SourcedFacts,
} from "../../src/company/facts.ts";
import { located } from "../../src/company/geo.ts";
import type { Employees } from "../../src/contract/employeesResource.ts";
import { LEI_STATUSES } from "../../src/contract/identifiers.ts";
import { LEGAL_FORM_CODES } from "../../src/contract/legalForms.ts";
import { parseKvkNumber } from "../../src/contract/numbers.ts";
import type { Activity } from "../../src/contract/resources.ts";

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((one) => one.isWellFormed());
const digits = (count: number) =>
  fc.integer({ min: 0, max: 10 ** count - 1 }).map((number) => String(number).padStart(count, "0"));
const dateUntil = (max: string) =>
  fc
    .date({ min: new Date("1900-01-01"), max: new Date(max), noInvalidDate: true })
    .map((one) => one.toISOString().slice(0, 10));

const addressParts = {
  street: text,
  houseNumber: text,
  postalCode: fc.constantFrom("1234 AB", "9999 XZ"),
  city: fc.constantFrom("Utrecht", "'s-Gravenhage", "IJsselstein"),
  country: fc.constantFrom("NL", "BE"),
  isShielded: fc.constant(true as const),
};
const degrees = (min: number) =>
  fc.integer({ min: 0, max: 2_000_000 }).map((part) => (min * 1e6 + part) / 1e6);
const geo: fc.Arbitrary<Geo> = fc
  .record(
    {
      location: fc.record({ latitude: degrees(51), longitude: degrees(4) }),
      bagId: digits(10).map((number) => `036301${number}`),
    },
    { requiredKeys: [] },
  )
  .filter((parts) => Object.keys(parts).length > 0);
const address: fc.Arbitrary<LocatedAddress> = fc
  .tuple(fc.record(addressParts, { requiredKeys: [] }), fc.option(geo, { nil: undefined }))
  .map(([parts, place]) => located(parts, "visiting", place));
const factsAddress: fc.Arbitrary<FactsAddress> = fc
  .tuple(
    fc.record(
      { ...addressParts, kind: fc.constantFrom("visiting" as const, "correspondence" as const) },
      { requiredKeys: ["kind"] },
    ),
    fc.option(geo, { nil: undefined }),
  )
  .map(([parts, place]) => located(parts, parts.kind, place));
const activity: fc.Arbitrary<Activity> = fc.record(
  { sbiCode: digits(5), description: text, isMain: fc.boolean() },
  { requiredKeys: ["sbiCode", "isMain"] },
);
const branch: fc.Arbitrary<FactsBranch> = fc.record(
  { branchNumber: digits(12), name: text, isMain: fc.boolean(), isActive: fc.boolean(), address },
  { requiredKeys: ["branchNumber", "isMain", "isActive"] },
);

/** A company's staff figures: at least one of the three. */
export const employees: fc.Arbitrary<Employees> = fc
  .record({ total: fc.nat(), fullTime: fc.nat(), partTime: fc.nat() }, { requiredKeys: [] })
  .filter((counts) => Object.keys(counts).length > 0);

const lei = fc.record(
  {
    lei: fc.constantFrom("99990051234567AB1209", "99990009876543OW0147"),
    leiStatus: fc.constantFrom(...LEI_STATUSES),
    leiRenewalDue: dateUntil("2030-12-31"),
  },
  { requiredKeys: ["lei"] },
);

const kvkNumber = digits(8).map((number) => {
  const parsed = parseKvkNumber(number);
  if (parsed === undefined) throw new RangeError("eight digits are a KVK number");
  return parsed;
});

/** Facts about any company; names, addresses and numbers may repeat. */
export const arbitraryFacts: fc.Arbitrary<CompanyFacts> = fc.record(
  {
    kvkNumber,
    name: text,
    isActive: fc.boolean(),
    address: factsAddress,
    tradingNames: fc.array(text, { maxLength: 3 }),
    legalForm: fc.constantFrom(...LEGAL_FORM_CODES),
    registrationDate: dateUntil("2026-01-01"),
    deregistrationDate: dateUntil("2030-12-31"),
    statutoryName: text,
    rsin: digits(9),
    nonMailing: fc.boolean(),
    employees,
    mainBranchNumber: digits(12),
    branchCount: fc.nat(),
    websites: fc.array(text, { maxLength: 2 }),
    activities: fc.array(activity, { maxLength: 3 }),
    branches: fc.array(branch, { maxLength: 3 }),
    vatNumber: text,
    identifiers: lei,
  },
  { requiredKeys: ["kvkNumber", "name", "isActive"] },
);

const origin = fc.constantFrom("kvk-api", "gleif", "import:lijst", "demo");
const asOf = fc.constantFrom(
  "2024-05-05T00:00:00.000Z",
  "2025-01-01T12:00:00.000Z",
  "2026-01-01T00:00:00.000Z",
);

/** Facts about one company from one or more origins, often with the same date. */
export const arbitrarySourced: fc.Arbitrary<SourcedFacts[]> = kvkNumber.chain((number) =>
  fc.array(
    fc.record({ origin, asOf, facts: arbitraryFacts.map((facts) => ({ ...facts, kvkNumber: number })) }),
    { minLength: 1, maxLength: 5 },
  ),
);
