import type { CompanyFacts, FactsAddress } from "../company/facts.ts";
import { type KvkNumber, parseKvkNumber } from "../contract/numbers.ts";
import type { Branch } from "../contract/resources.ts";
import { present } from "../lib/values.ts";

/** A company that a test key finds, and what it is there for. */
export interface TestCompany {
  readonly facts: CompanyFacts;
  readonly shows: string;
  readonly origin: string;
  readonly asOf: string;
  /** Its branches are held by nobody, and the live source has no answer. */
  readonly branchesFail?: true;
}

const ORIGIN = "import:test";
const AS_OF = "2026-01-01T00:00:00.000Z";

/**
 * The companies of the sandbox. Their numbers are nobody's: real ones from 50000000 on pass a check that these fail, and no chamber had
 * the number 00. Their RSINs and branch numbers begin with 9, those of real companies do not.
 */
export const TEST_COMPANIES: readonly TestCompany[] = [
  company("99990001", "Testbakkerij De Proef B.V.", {
    shows: "all that may be known; VAT number valid",
    ...bv("999990007"),
    statutoryName: "Testbakkerij De Proef B.V.",
    tradingNames: ["Testbakkerij De Proef", "Proefdeeg Catering"],
    registrationDate: "2011-03-14",
    nonMailing: true,
    employees: { total: 12, fullTime: 9, partTime: 3 },
    mainBranchNumber: "999900000001",
    branchCount: 3,
    websites: ["www.proef.example"],
    activities: [
      { sbiCode: "10710", description: "Vervaardiging van brood en vers banketbakkerswerk", isMain: true },
      { sbiCode: "56210", description: "Eventcatering", isMain: false },
    ],
    branches: [
      branch("999900000001", "Testbakkerij De Proef", {
        isMain: true,
        address: at("Proefstraat", "1", "1234 AB", "Teststad"),
      }),
      branch("999900000002", "Proefdeeg Catering", {
        address: at("Deegplein", "2-B", "1235 AC", "Proefdorp"),
      }),
      branch("999900000003", "Testbakkerij Oud", {
        isActive: false,
        address: at("Oudeweg", "3", "1235 AD", "Proefdorp"),
      }),
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
    activities: [main("43340", "Schilderen en glaszetten")],
    vatNumber: "NL999990100B15",
  }),
  company("99990007", "Test Klussen Zonder Nummer", {
    shows: "sole trader without a VAT number: no `vat`",
    legalForm: "EMZ",
    activities: [main("43390", "Afwerking van gebouwen")],
  }),
  company("99990009", "Test Afgeschermd Adres", {
    shows: "shielded address: city and country alone",
    legalForm: "EMZ",
    address: { kind: "visiting", city: "Teststad", country: "NL", isShielded: true },
    branches: [
      branch("999900000091", "Test Afgeschermd Adres", {
        isMain: true,
        address: { city: "Teststad", isShielded: true },
      }),
    ],
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
    branches: Array.from({ length: 25 }, (_, nth) =>
      branch(String(999_900_000_130 + nth), `Testfiliaal ${nth + 1}`, {
        isMain: nth === 0,
        address: at("Filiaalweg", String(nth + 1), "1236 AB", "Proefdorp"),
      }),
    ),
  }),
  company("99990014", "Test Enkel Bekend", {
    shows:
      "little is known: no activities and no VAT number, so an enriched lookup costs 1; its branches are NOT_HELD",
    origin: "gleif",
    activities: undefined,
    branches: undefined,
    registrationDate: undefined,
  }),
  company("99990015", "Test Zonder Adres", {
    shows: "no address is known: an empty object",
    address: undefined,
  }),
  company("99990017", "Test Oude Gegevens B.V.", {
    shows: "data of two years ago, because the live source does not answer: see `source.cachedAt`",
    ...bv("999990093"),
    origin: "kvk-api",
    asOf: "2024-01-01T00:00:00.000Z",
  }),
  company("99990018", "Test Vestigingen Onbereikbaar B.V.", {
    shows: "the company is known, its branches answer UPSTREAM_ERROR",
    ...bv("999990111"),
    branches: undefined,
    branchesFail: true,
  }),
  company("99993000", "Test Traag B.V.", {
    shows: "answers after three seconds",
    ...bv("999990123"),
  }),
];

type Stated = { readonly [Name in keyof CompanyFacts]?: CompanyFacts[Name] | undefined } & {
  readonly shows: string;
  readonly origin?: string;
  readonly asOf?: string;
  readonly branchesFail?: true;
};

/** A company as a row states it, and what most have in common; a field that a row gives as undefined is not known. */
function company(number: string, name: string, stated: Stated): TestCompany {
  const { shows, origin = ORIGIN, asOf = AS_OF, branchesFail, ...facts } = stated;
  const known = {
    isActive: true,
    address: { ...at("Proefstraat", "1", "1234 AB", "Teststad"), country: "NL", kind: "visiting" },
    tradingNames: [name],
    registrationDate: "2015-06-01",
    activities: [
      main("63100", "Computerinfrastructuur, gegevensverwerking, hosting en verwante activiteiten"),
    ],
    branches: [
      branch(`9999${number}`, name, { isMain: true, address: at("Proefstraat", "1", "1234 AB", "Teststad") }),
    ],
    ...facts,
    kvkNumber: numberOf(number),
    name,
  } as const;
  return {
    // What is not known is absent.
    facts: present<CompanyFacts>(known),
    shows,
    origin,
    asOf,
    ...(branchesFail && { branchesFail }),
  };
}

function bv(rsin: string): Pick<CompanyFacts, "legalForm" | "rsin"> {
  return { legalForm: "BV", rsin };
}

function main(sbiCode: string, description: string) {
  return { sbiCode, description, isMain: true };
}

function at(
  street: string,
  houseNumber: string,
  postalCode: string,
  city: string,
): Omit<FactsAddress, "kind"> {
  return { street, houseNumber, postalCode, city };
}

function branch(branchNumber: string, name: string, more: Partial<Branch>): Branch {
  return { branchNumber, name, isMain: false, isActive: true, ...more };
}

function numberOf(text: string): KvkNumber {
  const parsed = parseKvkNumber(text);
  if (parsed === undefined) throw new RangeError(`${text} is no KVK number`);
  return parsed;
}
