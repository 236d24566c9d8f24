import type { CompanyFacts } from "../company/facts.ts";
import { type KvkNumber, parseKvkNumber } from "../contract/numbers.ts";

/** The company that the API document, the README and the demo's welcome show: everything is known of it. */
export const EXAMPLE_NUMBER = "51234567";
/**
 * A company of the years before 2008, when a number was that of a regional chamber (01 to 41) and of a file there. Nobody
 * has it: among 6,779 real companies (the IND's register of sponsors) no file's number is above 640000.
 */
export const OLD_EXAMPLE_NUMBER = "09876543";

/** Companies of the demo that are written by hand, so that documents can show them. */
export const EXAMPLE_COMPANIES: readonly CompanyFacts[] = [
  {
    kvkNumber: numberOf(OLD_EXAMPLE_NUMBER),
    name: "Houtzagerij De Oude Wind",
    isActive: true,
    address: {
      street: "Windmolenpad",
      houseNumber: "3-A",
      postalCode: "1506 AB",
      city: "Zaandam",
      country: "NL",
      kind: "visiting",
    },
    tradingNames: ["Houtzagerij De Oude Wind", "De Oude Wind Schaverij"],
    legalForm: "VOF",
    registrationDate: "1958-04-01",
    nonMailing: true,
    employees: { total: 7, fullTime: 4, partTime: 3 },
    mainBranchNumber: "990009876543",
    branchCount: 2,
    websites: [],
    activities: [{ sbiCode: "16110", description: "Zagen en schaven van hout", isMain: true }],
    branches: [
      {
        branchNumber: "990009876543",
        name: "Houtzagerij De Oude Wind",
        isMain: true,
        address: {
          street: "Windmolenpad",
          houseNumber: "3-A",
          postalCode: "1506 AB",
          city: "Zaandam",
        },
        isActive: true,
      },
      {
        branchNumber: "990009876544",
        name: "De Oude Wind Schaverij",
        isMain: false,
        address: { street: "Balkenhaven", houseNumber: "12", postalCode: "1507 CD", city: "Zaandam" },
        isActive: true,
      },
    ],
  },
  {
    kvkNumber: numberOf(EXAMPLE_NUMBER),
    name: "Bakkerij De Gouden Korenaar B.V.",
    isActive: true,
    address: {
      street: "Korenmolenlaan",
      houseNumber: "17M",
      postalCode: "1012 AB",
      city: "Amsterdam",
      country: "NL",
      kind: "visiting",
    },
    tradingNames: ["Bakkerij De Gouden Korenaar", "Korenaar Catering"],
    legalForm: "BV",
    registrationDate: "2011-03-14",
    statutoryName: "Bakkerij De Gouden Korenaar B.V.",
    rsin: "123456782",
    nonMailing: false,
    employees: { total: 12, fullTime: 9, partTime: 3 },
    mainBranchNumber: "990051234567",
    branchCount: 2,
    websites: ["www.korenaar.example"],
    activities: [
      { sbiCode: "10710", description: "Vervaardiging van brood en vers banketbakkerswerk", isMain: true },
    ],
    branches: [
      {
        branchNumber: "990051234567",
        name: "Bakkerij De Gouden Korenaar",
        isMain: true,
        address: {
          street: "Korenmolenlaan",
          houseNumber: "17M",
          postalCode: "1012 AB",
          city: "Amsterdam",
        },
        isActive: true,
      },
      {
        branchNumber: "990051234568",
        name: "Korenaar Catering",
        isMain: false,
        address: { street: "Broodplein", houseNumber: "3-A", postalCode: "3511 BT", city: "Utrecht" },
        isActive: true,
      },
    ],
  },
];

function numberOf(text: string): KvkNumber {
  const parsed = parseKvkNumber(text);
  if (parsed === undefined) throw new RangeError(`${text} is no KVK number`);
  return parsed;
}
