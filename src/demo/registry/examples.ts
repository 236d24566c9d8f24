import type { CompanyFacts, FactsAddress, FactsBranch } from "../../company/facts.ts";
import { type KvkNumber, parseKvkNumber } from "../../contract/numbers.ts";

/** The company in the API document, the README and the demo's welcome. All its fields are known. */
export const EXAMPLE_NUMBER = "51234567";
/**
 * A company from before 2008, when a number began with that of a regional chamber (01 to 41). No real company has this
 * number: of 6,779 companies in the IND's register of sponsors, none has a file number above 640000.
 */
export const OLD_EXAMPLE_NUMBER = "09876543";

/** Handwritten companies of the demo, which the documents show. */
export const EXAMPLE_COMPANIES: readonly CompanyFacts[] = [
  withBranches(
    { street: "Windmolenpad", houseNumber: "3-A", postalCode: "1506 AB", city: "Zaandam" },
    {
      kvkNumber: numberOf(OLD_EXAMPLE_NUMBER),
      name: "Houtzagerij De Oude Wind",
      isActive: true,
      tradingNames: ["Houtzagerij De Oude Wind", "De Oude Wind Schaverij"],
      legalForm: "VOF",
      registrationDate: "1958-04-01",
      nonMailing: true,
      employees: { total: 7, fullTime: 4, partTime: 3 },
      identifiers: { lei: "99990009876543OW0147", leiStatus: "lapsed", leiRenewalDue: "2024-04-01" },
      websites: [],
      activities: [{ sbiCode: "16110", description: "Zagen en schaven van hout", isMain: true }],
    },
    {
      branchNumber: "990009876544",
      name: "De Oude Wind Schaverij",
      isMain: false,
      address: { street: "Balkenhaven", houseNumber: "12", postalCode: "1507 CD", city: "Zaandam" },
      isActive: true,
    },
  ),
  withBranches(
    {
      ...{ street: "Korenmolenlaan", houseNumber: "17M", postalCode: "1012 AB", city: "Amsterdam" },
      geo: { location: { latitude: 52.373095, longitude: 4.892842 }, bagId: "0363010000000001" },
    },
    {
      kvkNumber: numberOf(EXAMPLE_NUMBER),
      name: "Bakkerij De Gouden Korenaar B.V.",
      isActive: true,
      tradingNames: ["Bakkerij De Gouden Korenaar", "Korenaar Catering"],
      legalForm: "BV",
      registrationDate: "2011-03-14",
      statutoryName: "Bakkerij De Gouden Korenaar B.V.",
      rsin: "912345603",
      identifiers: { lei: "99990051234567AB1209", leiStatus: "issued", leiRenewalDue: "2027-03-14" },
      nonMailing: false,
      employees: { total: 12, fullTime: 9, partTime: 3 },
      websites: ["www.korenaar.example"],
      activities: [
        { sbiCode: "10710", description: "Vervaardiging van brood en vers banketbakkerswerk", isMain: true },
      ],
    },
    {
      branchNumber: "990051234568",
      name: "Korenaar Catering",
      isMain: false,
      address: {
        ...{ street: "Broodplein", houseNumber: "3-A", postalCode: "3511 BT", city: "Utrecht" },
        geo: { location: { latitude: 52.090737, longitude: 5.12142 }, bagId: "0344010000000001" },
      },
      isActive: true,
    },
  ),
];

/** A company at an address, with a main branch there and one more branch. */
function withBranches(
  address: Pick<FactsAddress, "street" | "houseNumber" | "postalCode" | "city" | "geo">,
  facts: CompanyFacts,
  other: FactsBranch,
): CompanyFacts {
  const branchNumber = `9900${facts.kvkNumber}`;
  const name = facts.tradingNames?.[0] ?? facts.name;
  return {
    ...facts,
    address: { ...address, country: "NL", kind: "visiting" },
    mainBranchNumber: branchNumber,
    branchCount: 2,
    branches: [{ branchNumber, name, isMain: true, address, isActive: true }, other],
  };
}

function numberOf(text: string): KvkNumber {
  const parsed = parseKvkNumber(text);
  if (parsed === undefined) throw new RangeError(`${text} is not a KVK number`);
  return parsed;
}
