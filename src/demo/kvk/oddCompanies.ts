import type { CompanyFacts, FactsAddress } from "../../company/facts.ts";
import { kvkNumberOf } from "../../contract/numbers.ts";
import type { JsonObject } from "../../lib/values.ts";
import { objectOf, objectsOf } from "./json.ts";
import type { Wire } from "./profiles.ts";

/** A fictional company whose data has a shape that generated ones lack. */
interface OddCompany {
  readonly why: string;
  /** The facts that Opzoek should read from KVK's responses. */
  readonly facts: CompanyFacts;
  /** Changes the responses that are made from the facts. */
  readonly change?: (wire: Wire) => Wire;
}

const HOME: FactsAddress = {
  street: "Verzonnenlaan",
  houseNumber: "17M",
  postalCode: "9999 ZX",
  city: "Nergenshuizen",
  country: "NL",
  kind: "visiting",
};
const ELSEWHERE = { street: "Fabelpad", houseNumber: "3-A", postalCode: "9998 ZX", city: "Sprookjesdam" };
const ACTIVITY = { sbiCode: "01241", description: "Teelt van appels en peren", isMain: true };
const PO_BOX = {
  type: "correspondentieadres",
  indAfgeschermd: "Nee",
  volledigAdres: "Postbus 200                         9990AE Nergenshuizen",
  straatnaam: "Postbus",
  postcode: "9990AE",
  postbusnummer: 200,
  plaats: "Nergenshuizen",
  land: "Nederland",
};

/** Company 90000010 for index 1, 90000020 for 2, …. Its main branch has the number 9900 and the same digits. */
function company(index: number, facts: Partial<CompanyFacts> & Pick<CompanyFacts, "name">): CompanyFacts {
  const kvkNumber = kvkNumberOf(90_000_000 + index * 10);
  const { branches = [], isActive = true, ...others } = facts;
  const mainBranchNumber = `9900${kvkNumber}`;
  const { country: _country, kind: _kind, ...address } = facts.address ?? HOME;
  const main = { branchNumber: mainBranchNumber, name: facts.name, isMain: true, address, isActive };
  return {
    kvkNumber,
    isActive,
    address: HOME,
    tradingNames: [facts.name],
    registrationDate: "2011-03-14",
    nonMailing: false,
    employees: { total: 4 },
    mainBranchNumber,
    activities: [ACTIVITY],
    branches: [main, ...branches],
    ...others,
  };
}

function omit<T extends object, K extends keyof T>(object: T, ...keys: readonly K[]): Omit<T, K> {
  const copy = { ...object };
  for (const key of keys) delete copy[key];
  return copy;
}

/** A second branch. Those of company 1 have the indexes 11, 12, … and the numbers 991090000011, 991090000012, …. */
const branch = (index: number, more: object = {}) => ({
  branchNumber: `9910${90_000_000 + index}`,
  name: `Zijpad ${index}`,
  isMain: false,
  address: ELSEWHERE,
  isActive: true,
  ...more,
});

function withProfile(wire: Wire, fields: JsonObject): Wire {
  return { ...wire, basisprofiel: { ...wire.basisprofiel, ...fields } };
}

/** Changes the main branch in the company's profile; copies only its addresses to its own profile. */
function withMain(wire: Wire, change: (main: JsonObject) => JsonObject): Wire {
  const embedded = objectOf(wire.basisprofiel["_embedded"]);
  const hoofdvestiging = change(objectOf(embedded["hoofdvestiging"]));
  const { vestigingsnummer, adressen } = hoofdvestiging;
  const profielen = wire.vestigingsprofielen;
  const own = { ...profielen[String(vestigingsnummer)], adressen };
  return {
    ...withProfile(wire, { _embedded: { ...embedded, hoofdvestiging } }),
    vestigingsprofielen: { ...profielen, [String(vestigingsnummer)]: own },
  };
}

export const ODD_COMPANIES: readonly OddCompany[] = [
  {
    why: "a sole trader: no RSIN, no statutory name, several trading names, a second branch",
    facts: company(1, {
      name: "Eenzame Appel",
      legalForm: "EMZ",
      tradingNames: ["Eenzame Appel", "Tweede Appel", "Derde Appel"],
      branches: [branch(11)],
    }),
  },
  {
    why: "a sole trader whose main branch has no date of registration and no letter in its house number",
    facts: company(2, {
      name: "Oude Peer",
      legalForm: "EMZ",
      address: { ...HOME, houseNumber: "17" },
    }),
    change: (wire) => withMain(wire, (main) => omit(main, "formeleRegistratiedatum", "materieleRegistratie")),
  },
  {
    why: "a PO box listed before the visiting address, whose house number has an addition but no letter",
    facts: company(3, {
      name: "Postduif B.V.",
      legalForm: "BV",
      rsin: "990000011",
      statutoryName: "Postduif B.V.",
      address: { ...HOME, houseNumber: "3-A" },
      branches: [branch(31), branch(32, { name: "Postduif Zuid" })],
    }),
    change: (wire) =>
      withMain(wire, (main) => ({ ...main, adressen: [PO_BOX, ...objectsOf(main["adressen"])] })),
  },
  {
    why: "only a PO box, of which KVK's search (Zoeken) returns just the city",
    facts: company(4, {
      name: "Busje Komt Zo B.V.",
      legalForm: "BV",
      rsin: "990000023",
      statutoryName: "Busje Komt Zo B.V.",
      address: {
        street: "Postbus",
        houseNumber: "200",
        postalCode: "9990 AE",
        city: "Nergenshuizen",
        country: "NL",
        kind: "correspondence",
      },
    }),
  },
  {
    why: "a foundation with websites; its address in one line lacks the letter of the house number",
    facts: company(5, {
      name: "Stichting Verdwenen Letter",
      legalForm: "STI",
      rsin: "990000035",
      statutoryName: "Stichting Verdwenen Letter",
      address: { ...HOME, houseNumber: "300a" },
      websites: ["www.letter.example", "letter.example"],
    }),
    change: (wire) =>
      withMain(wire, (main) => ({
        ...main,
        adressen: objectsOf(main["adressen"]).map((adres) => ({
          ...adres,
          volledigAdres: "Verzonnenlaan 300 9999ZX Nergenshuizen",
        })),
      })),
  },
  {
    why: "an owners' association: it has no branch, so KVK puts its address under `eigenaar` (owner)",
    facts: {
      kvkNumber: kvkNumberOf(90_000_060),
      name: "VvE Luchtkasteel",
      isActive: true,
      legalForm: "VVE",
      rsin: "990000047",
      statutoryName: "VvE Luchtkasteel",
      address: { ...HOME, houseNumber: "163" },
      registrationDate: "2011-03-14",
      nonMailing: false,
      tradingNames: [],
      activities: [ACTIVITY],
      branches: [],
    },
  },
  {
    why: "ended on a known day",
    facts: company(7, {
      name: "Voorbij B.V.",
      legalForm: "BV",
      isActive: false,
      deregistrationDate: "2024-05-31",
    }),
  },
  {
    why: "ended on an unknown day",
    facts: company(8, { name: "Ooit Geweest", legalForm: "VOF", isActive: false }),
  },
  {
    why: "a date with a day of zero",
    facts: omit(company(9, { name: "Ergens In Juni", legalForm: "MTS" }), "registrationDate"),
    change: (wire) => withProfile(wire, { formeleRegistratiedatum: "20150600" }),
  },
  {
    why: "a shielded address",
    facts: company(10, {
      name: "Schuilplaats",
      legalForm: "EMZ",
      address: { city: "Nergenshuizen", country: "NL", isShielded: true, kind: "visiting" },
      branches: [branch(101, { address: { city: "Sprookjesdam", isShielded: true } })],
    }),
  },
  {
    why: "an address abroad",
    facts: company(11, {
      name: "Ver Weg B.V.",
      legalForm: "BV",
      address: { street: "53 Rue Inventée", city: "X-13501 Nulle-Part", country: "FR", kind: "visiting" },
    }),
  },
  {
    why: "a legal form that no rule maps",
    facts: omit(company(12, { name: "Nieuwe Vorm" }), "legalForm"),
    change: (wire) => {
      const embedded = objectOf(wire.basisprofiel["_embedded"]);
      const form = { rechtsvorm: "Verzonnen Vorm", uitgebreideRechtsvorm: "Verzonnen Vorm" };
      const eigenaar = { ...objectOf(embedded["eigenaar"]), ...form };
      return withProfile(wire, { _embedded: { ...embedded, eigenaar } });
    },
  },
  {
    why: "a list of branches that has the addresses of only the first two",
    facts: company(13, {
      name: "Zoekgeraakt N.V.",
      legalForm: "NV",
      rsin: "990000059",
      branches: [branch(131), branch(132), branch(133)],
    }),
    change: (wire) => {
      const vestigingen = objectsOf(wire.vestigingen?.["vestigingen"]).map((row, index) =>
        index > 1 ? omit(row, "volledigAdres") : row,
      );
      return { ...wire, vestigingen: { ...wire.vestigingen, vestigingen } };
    },
  },
  {
    why: "almost nothing is known",
    facts: {
      kvkNumber: kvkNumberOf(90_000_140),
      name: "Bijna Niets",
      isActive: true,
      tradingNames: [],
      activities: [],
    },
    change: ({ vestigingsprofielen }) => ({
      basisprofiel: { kvkNummer: "90000140", naam: "Bijna Niets" },
      vestigingsprofielen,
    }),
  },
  {
    why: "a KVK number with many leading zeros, unlike that of its main branch",
    facts: { ...company(15, { name: "Kapitein Nul", legalForm: "VOF" }), kvkNumber: kvkNumberOf(12) },
  },
  {
    why: "activity codes with four digits, from before SBI 2025",
    facts: company(16, {
      name: "Oude Slagerij",
      legalForm: "VOF",
      activities: [
        { sbiCode: "1011", description: "Slachterijen (geen pluimvee-)", isMain: true },
        { sbiCode: "1012", description: "Pluimveeslachterijen", isMain: false },
      ],
    }),
  },
];

/** KVK numbers with a fixed error: number invalid, not found, being processed, unavailable for now, technical error. */
export const ODD_NUMBERS: Readonly<Record<string, string>> = {
  "99999991": "IPD0004",
  "99999992": "IPD0005",
  "99999993": "IPD1002",
  "99999994": "IPD1003",
  "99999995": "IPD9999",
};
