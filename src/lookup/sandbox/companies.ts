import type { CompanyFacts, FactsBranch, LocatedAddress, SourcedFacts } from "../../company/facts.ts";
import { CHANGES } from "../../contract/eventTypes.ts";
import { COURT_ORIGIN, type Insolvency } from "../../contract/insolvency.ts";
import { kvkNumberOf } from "../../contract/numbers.ts";
import type { Peppol } from "../../contract/peppol.ts";
import type { Activity } from "../../contract/resources.ts";
import type { StoredOpenData } from "../../kvk/openData/queries.ts";
import { present } from "../../lib/values.ts";
import { BRANCHES_OUTAGE, SLOW } from "./outcomes.ts";

/** A company that test keys find, and its purpose. */
export interface TestCompany extends SourcedFacts {
  readonly shows: string;
  /** The answer of KVK's open data. */
  readonly openData?: StoredOpenData;
  /** The answer of the court's register. */
  readonly court?: Insolvency;
  /** The answer of the Peppol network; not registered by default. */
  readonly peppol?: TestPeppol;
}

type TestPeppol = Pick<Peppol, "status" | "receives"> & { readonly ageDays?: number };

const at = (street: string, houseNumber: string, postalCode: string, city: string): LocatedAddress => {
  return { street, houseNumber, postalCode, city };
};
const branch = (
  branchNumber: string,
  name: string,
  address: LocatedAddress,
  more: Partial<FactsBranch> = {},
): FactsBranch => {
  return { branchNumber, name, isMain: false, isActive: true, address, ...more };
};
const bv = (rsin: string) => ({ legalForm: "BV", rsin }) as const;
const activity = (sbiCode: string, description: string, isMain = true): Activity => {
  return { sbiCode, sbiVersion: "2025", description, isMain };
};
type Details = Partial<Insolvency>;
const atCourt = (type: Insolvency["type"], dates?: Details, more?: Details): Insolvency => {
  const details = dates && { ...dates, court: "Rechtbank Teststad", ...more };
  return { type, observedAt: "2026-01-08T03:30:00.000Z", source: COURT_ORIGIN, ...details };
};
const CURATOR = { name: "mr. T. Proefcurator", city: "Teststad", phone: "010-0000000" };
const HOME = at("Proefstraat", "1", "1234 AB", "Teststad");
const MAPPED = {
  ...HOME,
  geo: { location: { latitude: 52.123457, longitude: 5.123457 }, bagId: "9999010000000001" },
};
const ENDED = { isActive: false };
const SHIELDED = { city: "Teststad", isShielded: true } as const;
const MAIN = { isMain: true };

/**
 * The companies of the sandbox. No real company has their numbers: real ones from 50000000 on pass a check that these
 * fail, and no chamber had the number 00. RSINs and branch numbers of real companies do not begin with 9.
 */
export const TEST_COMPANIES: readonly TestCompany[] = [
  company("99990001", "Testbakkerij De Proef B.V.", {
    shows: "all that may be known; VAT number valid",
    ...bv("999990007"),
    address: { ...MAPPED, country: "NL", kind: "visiting" },
    statutoryName: "Testbakkerij De Proef B.V.",
    tradingNames: ["Testbakkerij De Proef", "Proefdeeg Catering"],
    registrationDate: "2011-03-14",
    nonMailing: true,
    employees: { total: 12, fullTime: 9, partTime: 3 },
    mainBranchNumber: "999900000001",
    branchCount: 3,
    identifiers: { lei: "999900099990001TS185", leiStatus: "issued", leiRenewalDue: "2027-03-14" },
    websites: ["www.proef.example"],
    activities: [
      activity("10710", "Vervaardiging van brood en vers banketbakkerswerk"),
      activity("56210", "Cateringdiensten op evenementen", false),
    ],
    branches: [
      branch("999900000001", "Testbakkerij De Proef", MAPPED, MAIN),
      branch("999900000002", "Proefdeeg Catering", at("Deegplein", "2-B", "1235 AC", "Proefdorp")),
      branch("999900000003", "Testbakkerij Oud", at("Oudeweg", "3", "1235 AD", "Proefdorp"), ENDED),
    ],
  }),
  company("99990002", "Test Fiscale Eenheid B.V.", {
    shows: "VAT number derived from the RSIN and refused by VIES, as in a fiscal unit",
    ...bv("999990019"),
  }),
  company("99990003", "Test Eerder Antwoord B.V.", {
    shows: "VAT verdict stale: VIES does not answer now",
    ...bv("999990020"),
  }),
  company("99990004", "Test Zonder Antwoord B.V.", {
    shows: "VAT verdict unvalidated: VIES does not answer and there is no earlier answer",
    ...bv("999990032"),
  }),
  company("99990005", "Test Verkeerd Nummer N.V.", {
    shows: "VAT number given by the registry, and malformed",
    ...bv("999990044"),
    legalForm: "NV",
    vatNumber: "NL999990001B01",
  }),
  company("99990006", "Test Schilderwerken Proefpersoon", {
    shows: "sole trader: no RSIN, VAT number given by the registry",
    legalForm: "EMZ",
    activities: [activity("43340", "Schilderen en glaszetten")],
    vatNumber: "NL999990100B15",
  }),
  company("99990009", "Test Afgeschermd Adres", {
    shows: "shielded address: city and country alone; sole trader without a VAT number: no `vat`",
    legalForm: "EMZ",
    address: { kind: "visiting", country: "NL", ...SHIELDED },
    branches: [branch("999900000091", "Test Afgeschermd Adres", SHIELDED, MAIN)],
  }),
  company("99990010", "Stichting Test Postbus", {
    shows: "PO box; no branches: an empty list",
    legalForm: "STI",
    rsin: "999990056",
    address: { ...at("Postbus", "9999", "1234 AA", "Teststad"), country: "NL", kind: "correspondence" },
    branchCount: 0,
    branches: [],
  }),
  company("99990011", "Test Foreign Branch GmbH", {
    shows: "address abroad: street and number as given, no postal code",
    legalForm: "BUI",
    address: { kind: "visiting", street: "Musterstraße 12", city: "Musterstadt", country: "DE" },
  }),
  company("99990012", "Test Beëindigd B.V.", {
    shows: "not active, with its date of deregistration",
    ...bv("999990068"),
    isActive: false,
    deregistrationDate: "2024-12-31",
  }),
  company("00099990", "Test Voorloopnullen V.O.F.", {
    shows: "leading zeros, which must be kept",
    legalForm: "VOF",
    registrationDate: "1958-04-01",
  }),
  company("99990013", "Test Vele Namen Holding B.V.", {
    shows: "twelve trading names and twenty-five branches",
    ...bv("999990081"),
    tradingNames: Array.from({ length: 12 }, (_, nth) => `Testnaam Nummer ${nth + 1}`),
    branchCount: 25,
    branches: Array.from({ length: 25 }, (_, nth) => {
      const address = at("Filiaalweg", String(nth + 1), "1236 AB", "Proefdorp");
      return branch(String(999_900_000_130 + nth), `Testfiliaal ${nth + 1}`, address, { isMain: nth === 0 });
    }),
  }),
  company("99990014", "Test Enkel Bekend", {
    shows:
      "little is known: no address (an empty object), no activities and no VAT number, so an enriched lookup costs 1; its branches are NOT_HELD",
    origin: "gleif",
    address: undefined,
    activities: undefined,
    branches: undefined,
    registrationDate: undefined,
  }),
  company("99990015", "Test Open Data B.V.", {
    shows: "activities and start date from KVK's open data, without descriptions: see `source.openData`",
    legalForm: "BV",
    origin: "gleif",
    activities: undefined,
    branches: undefined,
    openData: {
      ...{ insolvency: "none", observedAtMs: Date.UTC(2026, 0, 2), startDate: "2015-05-01" },
      activities: [{ sbiCode: "63100", isMain: true }],
    },
  }),
  company("99990019", "Test Faillissement B.V.", {
    shows: "bankrupt by the court's register: see `insolvency`",
    legalForm: "BV",
    court: atCourt("bankruptcy", { since: "2026-01-06" }, { caseNumber: "F.99/26/1", curators: [CURATOR] }),
  }),
  company("99990021", "Test Surseance Voorbij B.V.", {
    shows: "a suspension of payments that has ended: `insolvency.type` is `none`, with `endedOn`",
    legalForm: "BV",
    court: atCourt("none", { since: "2025-09-02", endedOn: "2025-12-12" }, { caseNumber: "S.99/25/2" }),
  }),
  company("99990022", "Stichting Test Geen Insolventie", {
    shows: "no case in the court's register: `insolvency.type` is `none`",
    legalForm: "STI",
    court: atCourt("none"),
  }),
  company("99990023", "Test Peppol B.V.", {
    shows: "can receive e-invoices on Peppol: `reachable`",
    legalForm: "BV",
    peppol: { status: "reachable", receives: ["invoice", "credit_note"] },
  }),
  company("99990025", "Test Peppol Afwezig B.V.", {
    shows: "not on Peppol: `not_registered`, as all other test companies",
    legalForm: "BV",
  }),
  company("99990026", "Test Peppol Eerder B.V.", {
    shows: "on Peppol by an answer of two days ago, because the network does not answer: `ageSeconds`",
    legalForm: "BV",
    peppol: { status: "reachable", receives: ["invoice"], ageDays: 2 },
  }),
  company("99990027", "Test Peppol Bestelling B.V.", {
    shows: "on Peppol for orders alone: `cannot_receive_invoices`",
    legalForm: "BV",
    peppol: {
      status: "cannot_receive_invoices",
      receives: [
        "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Order-2::Order##urn:fdc:peppol.eu:poacc:trns:order:3::2.1",
      ],
    },
  }),
  company("99990017", "Test Oude Gegevens B.V.", {
    shows: "data of two years ago, because the live source does not answer: see `source.cachedAt`",
    ...bv("999990093"),
    origin: "kvk-api",
    asOf: "2024-01-01T00:00:00.000Z",
  }),
  company(BRANCHES_OUTAGE, "Test Vestigingen Onbereikbaar B.V.", {
    shows: "the company is known, its branches answer UPSTREAM_ERROR",
    ...bv("999990111"),
    branches: undefined,
  }),
  company(SLOW.kvkNumber, "Test Traag B.V.", {
    shows: "answers after three seconds",
    ...bv("999990123"),
  }),
  ...Object.entries(CHANGES).map(([type, { testNumber, testName }]) =>
    company(testNumber, testName, {
      shows: `monitored: \`${type}\` at every look`,
      legalForm: "BV",
      ...(type === "company.lei_changed" && {
        identifiers: { lei: "999900099990309TS154", leiStatus: "issued", leiRenewalDue: "2026-10-31" },
      }),
      ...(type === "company.deregistered" && { isActive: false, deregistrationDate: "2026-10-31" }),
    }),
  ),
];

type Row = { readonly [Name in keyof CompanyFacts]?: CompanyFacts[Name] | undefined } & {
  readonly shows: string;
  readonly origin?: string;
  readonly asOf?: string;
  readonly openData?: StoredOpenData;
  readonly court?: Insolvency;
  readonly peppol?: TestPeppol;
};

/** A company of the table, with defaults for most fields. A field that a row sets to undefined is unknown. */
function company(number: string, name: string, row: Row): TestCompany {
  const { shows, origin = "import:test", asOf = "2026-01-01T00:00:00.000Z", ...further } = row;
  const { openData, court, peppol, ...stated } = further;
  const facts = present<CompanyFacts>({
    isActive: true,
    address: { ...HOME, country: "NL", kind: "visiting" },
    tradingNames: [name],
    registrationDate: "2015-06-01",
    activities: [
      activity("63100", "Computerinfrastructuur, gegevensverwerking, hosting en verwante activiteiten"),
    ],
    branches: [branch(`9999${number}`, name, HOME, MAIN)],
    ...stated,
    kvkNumber: kvkNumberOf(Number(number)),
    name,
  });
  return {
    facts,
    shows,
    origin,
    asOf,
    ...present<Pick<TestCompany, "openData" | "court" | "peppol">>({ openData, court, peppol }),
  };
}
