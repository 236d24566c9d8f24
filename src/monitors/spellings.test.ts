/**
 * Two spellings that search and matching take for one are no change, in any field; the real change next to each is one.
 */
import { describe, expect, it } from "vitest";
import { ADDRESS, branch, compared } from "../../test/kit/watchedCompany.ts";
import { workedMs } from "../../test/kit/worked.ts";
import type { CompanyFacts, FactsAddress } from "../company/facts.ts";

type Case = readonly [what: string, before: string, same: string, other: string];

const NAMES: readonly Case[] = [
  ["dots in the form", "Kwets Transport BV", "Kwets Transport B.V.", "Kwets Transport N.V."],
  ["a form in full", "Kwets B.V.", "Kwets Besloten Vennootschap", "Kwets Naamloze Vennootschap"],
  ["a form added", "Kwets Zeep", "Kwets Zeep B.V.", "Kwets Zeep Holding B.V."],
  ["a form left out", "Kwets V.O.F.", "Kwets", "Kwats"],
  ["a form before the name", "Stichting Kwets", "Kwets", "Stichting Kwetsen"],
  ["partnerships", "Kwets V.O.F.", "Kwets Vennootschap onder firma", "Kwets C.V."],
  ["foreign forms", "Kwets Ltd", "Kwets Limited", "Kwets GmbH"],
  ["a foundation", "Stg. Kwets", "Stichting Kwets", "Vereniging Kwets"],
  ["excluded liability", "Coöperatie Kwets", "Coöperatie Kwets U.A.", "Kwets B.V."],
  ["a state", "Kwets B.V.", "KWETS  B.V.", "Kwets B.V. in liquidatie"],
  ["an ampersand", "Kwets & Zoon B.V.", "Kwets en Zoon B.V.", "Kwets en Dochter B.V."],
  ["a plus sign", "Kwets + Zoon", "Kwets en Zoon", "Kwets + Neef"],
  ["brothers", "Gebr. Kwets B.V.", "Gebroeders Kwets", "Gebroeders Kwats"],
  ["sons", "Kwets & Zn.", "Kwets en Zonen B.V.", "Kwets en Co"],
  ["a widow", "Wed. Kwets", "Weduwe Kwets", "Wed. Kwetst"],
  ["van der", "v.d. Kwets", "Van der Kwets", "Van Kwets"],
  ["an apostrophe", "'t Kwetsje", "’t Kwetsje", "'t Kwetsie"],
  ["an article", "'t Kwetsje", "Het Kwetsje", "De Kwets"],
  ["accents", "Café Kwéts", "Cafe Kwets", "Cafe Kwits"],
  ["letters that are not decomposed", "Kwetsø ß", "Kwetso ss", "Kwetse ss"],
  ["composed letters", "Caf\u00e9", "Cafe\u0301", "Cafo\u0301"],
  ["a long ij", "Kwetserĳ", "Kwetserij", "Kwetserei"],
  ["initials", "J.P. Kwets", "J P Kwets", "J.B. Kwets"],
  ["spaces", "Kwets Bouw", "Kwetsbouw", "Kwetsbouws"],
  ["a hyphen", "Kwets-Bouw", "Kwets Bouw", "Kwets-Bout"],
  ["spaces and an abbreviation", "Kwetsbouw Mij.", "Kwets Bouw Maatschappij", "Kwets Bouw Management"],
  ["a compound", "Kwetsbouwmij", "Kwetsbouwmaatschappij", "Kwetsbouwmarkt"],
  ["a number in words", "Kwets Drie", "Kwets 3", "Kwets 4"],
  ["a number", "Kwets 12", "Kwets  12", "Kwets 13"],
  ["a number added", "Kwets", "kwets", "Kwets 2"],
  ["meanings of an abbreviation", "Sint Kwets", "St. Kwets", "Stichting Kwets"],
  ["an order of words", "Kwets Holding", "KWETS HOLDING", "Holding Kwets"],
  ["signs only", "!!", " !! ", "??"],
];

const STREETS: readonly Case[] = [
  ["an end", "Kwetsstr.", "Kwetsstraat", "Kwetslaan"],
  ["a title and an end", "Burg. Kwetsstr.", "Burgemeester Kwetsstraat", "Burgemeester Kwatsstraat"],
  ["a square", "Marktpln", "Marktplein", "Marktlaan"],
  ["a lane", "Kwetsln.", "Kwetslaan", "Kwetsweg"],
  ["a road", "Kwetswg", "Kwetsweg", "Kwetssteeg"],
  ["other titles", "Prof. Dr. Kwetslaan", "Professor Doctor Kwetslaan", "Dr. Kwetslaan"],
  ["a president", "Pres. Kwetslaan", "President Kwetslaan", "Prins Kwetslaan"],
  ["a saint", "St. Kwetsplein", "Sint Kwetsplein", "Kwetsplein"],
  ["an ordinal", "1e Kwetsstraat", "Eerste Kwetsstraat", "2e Kwetsstraat"],
  ["van der", "V.d. Kwetsstraat", "Van der Kwetsstraat", "Van Kwetsstraat"],
  ["accents", "Kwétskade", "Kwetskade", "Kwatskade"],
];

const NUMBERS: readonly Case[] = [
  ["a letter", "17M", "17 m", "17N"],
  ["an addition", "17-2", "17 - 2", "17-3"],
  ["a separator", "17-2", "17 2", "172"],
  ["an addition in words", "17-bis", "17 bis", "17-hs"],
  ["an addition removed", "17-A", "17a", "17"],
  ["a number", "17", " 17", "18"],
  ["a period", "1-11", "1 - 11", "11-1"],
];

const CITIES: readonly Case[] = [
  ["Den Haag", "Den Haag", "'s-Gravenhage", "Den Helder"],
  ["The Hague", "The Hague", "’s Gravenhage", "'s-Gravenzande"],
  ["Den Bosch", "Den Bosch", "'s-Hertogenbosch", "Bosschenhoofd"],
  ["a province", "Rijswijk", "Rijswijk (ZH)", "Rijsbergen"],
  ["provinces", "Rijswijk (ZH)", "Rijswijk ZH", "Rijswijk (GLD)"],
  ["aan den", "Capelle a/d IJssel", "Capelle aan den IJssel", "Krimpen aan den IJssel"],
  ["a saint", "St. Kwets", "Sint Kwets", "Kwets"],
];

const address = (part: Partial<FactsAddress>): Partial<CompanyFacts> => ({
  address: { ...ADDRESS, ...part },
});
const FIELDS: readonly (readonly [string, readonly Case[], (text: string) => Partial<CompanyFacts>])[] = [
  ["name", NAMES, (name) => ({ name })],
  ["statutory name", NAMES, (statutoryName) => ({ statutoryName })],
  ["trading name", NAMES, (text) => ({ tradingNames: ["Andere", text] })],
  ["street", STREETS, (street) => address({ street })],
  ["house number", NUMBERS, (houseNumber) => address({ houseNumber })],
  ["postal code", [["spaces", "1012AB", "1012 ab", "1012 AC"]], (postalCode) => address({ postalCode })],
  ["city", CITIES, (city) => address({ city })],
  ["country", [["letter case", "NL", "nl", "BE"]], (country) => address({ country })],
  ["name of a branch", NAMES, (name) => ({ branches: [branch(1, { name })] })],
  ["city of a branch", CITIES, (city) => ({ branches: [branch(1, { address: { city } })] })],
  [
    "activity",
    [
      ["dots", "47.11.2", "47112", "47113"],
      ["zeros", "6420", "64200", "64201"],
    ],
    (sbiCode) => ({ activities: [{ sbiCode, isMain: true }] }),
  ],
];

describe.each(FIELDS)("the %s", (_, cases, factsOf) => {
  it.each(cases)(
    "is the same in another spelling, and another one if it differs: %s",
    (_case, before, same, other) => {
      expect(compared(factsOf(before), factsOf(same))).toEqual([]);
      expect(compared(factsOf(same), factsOf(before))).toEqual([]);
      expect(compared(factsOf(before), factsOf(other))).toHaveLength(1);
      expect(compared(factsOf(other), factsOf(before))).toHaveLength(1);
    },
  );
});

describe("a trading name", () => {
  it.each<[string, Partial<CompanyFacts>, Partial<CompanyFacts>]>([
    ["the name", { tradingNames: [] }, { tradingNames: ["Bakkerij Jansen"] }],
    ["the name, left out", { tradingNames: ["Bakkerij Jansen B.V.", "A"] }, { tradingNames: ["a"] }],
    [
      "the statutory name",
      { statutoryName: "B", tradingNames: [] },
      { statutoryName: "B", tradingNames: ["b"] },
    ],
    ["another one in other letters", { tradingNames: ["A & B", "C"] }, { tradingNames: ["c", "a en b"] }],
  ])("that is %s is no news", (_, before, now) => {
    expect(compared(before, now)).toEqual([]);
  });

  it("that is a new name next to others is news", () => {
    const now = { tradingNames: ["Bakkerij Jansen B.V.", "Broodje Kwets"] };
    expect(compared({ tradingNames: [] }, now)).toMatchObject([{ type: "company.renamed" }]);
  });

  it("is reported once with the name that it became", () => {
    const changed = compared({ name: "A", tradingNames: ["B"] }, { name: "B", tradingNames: ["A"] });
    expect(changed).toEqual([
      { type: "company.renamed", changes: { name: { previous: "A", current: "B" } } },
    ]);
  });
});

it("compares long names of repeated words within milliseconds", () => {
  const name = (last: string) => `${"st en vd ned ".repeat(150)}${last}`;
  const beginMs = workedMs();
  expect(compared({ name: name("a") }, { name: name("b") })).toHaveLength(1);
  expect(
    compared({ name: "st en vd ned ".repeat(4) }, { name: `${"st en vd ned ".repeat(4)}x` }),
  ).toHaveLength(1);
  expect(workedMs() - beginMs).toBeLessThan(500);
});
