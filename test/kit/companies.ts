/** Fictional companies with every oddity of a registry. Their numbers fail the check of real ones. */

import type { CompanyFacts, SourcedFacts } from "../../src/company/facts.ts";
import { type KvkNumber, parseKvkNumber } from "../../src/contract/numbers.ts";

export function kvkNumber(digits: string): KvkNumber {
  const parsed = parseKvkNumber(digits);
  if (parsed === undefined) throw new RangeError(`${digits} is not a KVK number`);
  return parsed;
}

/** Complete: trading names, activities, branches. */
export const BAKERY = kvkNumber("50000001");
/** A number with a leading zero; explicitly without branches. */
export const FERRY = kvkNumber("01234567");
export const SHIELDED = kvkNumber("50000002");
export const FOREIGN = kvkNumber("50000003");
export const PO_BOX = kvkNumber("50000005");
export const ENDED = kvkNumber("50000006");
/** From GLEIF: activities and branches are unknown. */
export const FROM_GLEIF = kvkNumber("50000007");
/** Known from two origins: the fresher one has no address. */
export const MERGED = kvkNumber("50000008");
/** Its address is unknown. */
export const NO_ADDRESS = kvkNumber("50000009");
/** The number of no company. */
export const UNKNOWN = kvkNumber("59999999");

const AS_OF = "2026-01-01T00:00:00.000Z";

function facts(digits: KvkNumber, name: string, more: Partial<CompanyFacts> = {}): CompanyFacts {
  return { kvkNumber: digits, name, isActive: true, activities: [], branches: [], ...more };
}

const ODDITIES: readonly CompanyFacts[] = [
  facts(BAKERY, "Bakkerij De Fabelkorst B.V.", {
    legalForm: "BV",
    registrationDate: "2011-03-14",
    statutoryName: "Bakkerij De Fabelkorst B.V.",
    tradingNames: ["Bakkerij De Fabelkorst", "Zuurdesemhuis Fabula"],
    rsin: "123456782",
    nonMailing: true,
    employees: { total: 12, fullTime: 9, partTime: 3 },
    mainBranchNumber: "000050000001",
    branchCount: 2,
    websites: ["www.fabelkorst.example"],
    address: {
      kind: "visiting",
      street: "Sprookjeslaan",
      houseNumber: "17M",
      postalCode: "1234 AB",
      city: "Verzinstad",
      country: "NL",
    },
    activities: [
      { sbiCode: "10711", description: "Vervaardiging van brood en vers banketbakkerswerk", isMain: true },
      { sbiCode: "0113", description: "Teelt van groenten", isMain: false },
    ],
    branches: [
      {
        branchNumber: "000050000019",
        name: "Zuurdesemhuis Fabula",
        isMain: false,
        isActive: true,
        address: { street: "Mythestraat", houseNumber: "3-A", postalCode: "4321 BA", city: "Sagendam" },
      },
      {
        branchNumber: "000050000001",
        name: "Bakkerij De Fabelkorst",
        isMain: true,
        isActive: true,
        address: { street: "Sprookjeslaan", houseNumber: "17M", postalCode: "1234 AB", city: "Verzinstad" },
      },
    ],
  }),
  facts(FERRY, "Stichting Het Verzonnen Veer", {
    legalForm: "STI",
    address: {
      kind: "visiting",
      street: "Veerdam",
      houseNumber: "1",
      postalCode: "2345 CD",
      city: "Sagendam",
      country: "NL",
    },
  }),
  facts(SHIELDED, "Geheimhof Advies", {
    legalForm: "EMZ",
    address: {
      kind: "visiting",
      street: "Schuilstraat",
      houseNumber: "9",
      postalCode: "9876 ZX",
      city: "Stilledorp",
      country: "NL",
      isShielded: true,
    },
  }),
  facts(FOREIGN, "Fabelkompanie GmbH", {
    legalForm: "BUI",
    address: { kind: "visiting", street: "Märchenweg 53", city: "X-13501 Fabelburg", country: "DE" },
  }),
  facts(PO_BOX, "Vereniging Postduif Fictief", {
    legalForm: "VER",
    address: {
      kind: "correspondence",
      street: "Postbus",
      houseNumber: "4711",
      postalCode: "3456 EF",
      city: "Sagendam",
      country: "NL",
    },
  }),
  facts(ENDED, "Bakkerij Het Laatste Sprookje V.O.F.", {
    isActive: false,
    legalForm: "VOF",
    registrationDate: "1999-12-31",
    deregistrationDate: "2020-02-29",
    address: { kind: "visiting", city: "Verzinstad", country: "NL" },
  }),
  facts(NO_ADDRESS, "Coöperatie Nergenshuizen U.A.", { legalForm: "COOP" }),
  facts(MERGED, "Dubbelbron Holding N.V.", {
    legalForm: "NV",
    activities: [{ sbiCode: "6420", description: "Financiële holdings", isMain: true }],
  }),
];

const GLEIF: readonly CompanyFacts[] = [
  {
    kvkNumber: FROM_GLEIF,
    name: "Legendefonds B.V.",
    isActive: true,
    legalForm: "BV",
    address: {
      kind: "visiting",
      street: "Sagekade",
      houseNumber: "100",
      postalCode: "5678 GH",
      city: "Sagendam",
      country: "NL",
    },
  },
  {
    kvkNumber: MERGED,
    name: "Dubbelbron Holding",
    isActive: true,
    address: {
      kind: "visiting",
      street: "Bronweg",
      houseNumber: "2",
      postalCode: "6789 JK",
      city: "Verzinstad",
      country: "NL",
    },
  },
];

const FIRST_PLAIN = 51_000_000;

/** Plain companies, enough for the largest batch. */
export const PLAIN: readonly KvkNumber[] = Array.from({ length: 120 }, (_, index) =>
  kvkNumber(String(FIRST_PLAIN + index)),
);

/** All companies, as imported from two origins. */
export const COMPANIES: readonly SourcedFacts[] = [
  ...ODDITIES.map((company) => ({ origin: "import:fabel", asOf: AS_OF, facts: company })),
  ...GLEIF.map((company) => ({ origin: "gleif", asOf: "2025-06-01T00:00:00.000Z", facts: company })),
  ...PLAIN.map((digits, index) => ({
    origin: "import:fabel",
    asOf: AS_OF,
    facts: facts(digits, `Proefbedrijf ${index} B.V.`, {
      legalForm: "BV",
      address: { kind: "visiting", city: "Proefdam", country: "NL" },
      activities: [{ sbiCode: "6201", description: "Ontwikkelen van software", isMain: true }],
    }),
  })),
];
