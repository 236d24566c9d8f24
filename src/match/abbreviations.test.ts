import { describe, expect, it } from "vitest";
import { type OpenSnapshot, snapshotForAll, sourcedFacts } from "../../test/kit/registry.ts";
import { matcherOf } from "./matcher.ts";

const CITY = "Rommeldam";
const NAMES = [
  "Ing.bureau Kwibus",
  "Transp.bedr. Kwalm B.V.",
  "Verz.kantoor Kwelder",
  "Administratiekantoor Kwelling",
  "Facility Beheer Kwakzalver B.V.",
  "Communicatie Groep Kwalster",
  "Logistics Development Kwark B.V.",
  "Kwartet Instal Beheer",
  "Kwezel Bouwbedrijf",
  "Marketing Solutions Kwinkslag B.V.",
  "Marketing Solidarity Kwinkslag B.V.",
  // Other words are common.
  ...["Bouw", "Groep", "Development", "Beheer", "Solutions"].flatMap((word) =>
    Array.from({ length: 12 }, (_, nth) => `${word} Zwets ${nth + 100}`),
  ),
];

let snapshot: OpenSnapshot;
snapshotForAll(
  () =>
    NAMES.map((name, nth) =>
      sourcedFacts(nth, { name, address: { kind: "visiting", city: CITY, country: "NL" } }),
    ),
  (opened) => {
    snapshot = opened;
  },
);

const matched = (name: string, city?: string) => {
  const { decision, candidates } = matcherOf(snapshot).match(
    { name, ...(city !== undefined && { city }) },
    { limit: 3 },
  );
  return [decision, candidates[0]?.name];
};

describe("an abbreviation with a dot", () => {
  it.each([
    ["Ingenieursbureau Kwibus", "Ing.bureau Kwibus"],
    ["Transportbedrijf Kwalm B.V.", "Transp.bedr. Kwalm B.V."],
    ["Verzekeringskantoor Kwelder", "Verz.kantoor Kwelder"],
    ["Adm.kantoor Kwelling", "Administratiekantoor Kwelling"],
  ])("in one name leads from %s to %s", (name, registered) => {
    expect(matched(name)).toEqual([expect.stringMatching(/matched|ambiguous/), registered]);
    expect(matched(name, CITY)).toEqual(["matched", registered]);
  });
});

describe("an abbreviation without a dot", () => {
  it.each([
    ["Communicatie Grp Kwalster", "Communicatie Groep Kwalster"],
    ["Facility Bhr Kwakzalver BV", "Facility Beheer Kwakzalver B.V."],
    ["LOGISTICS DEVEL KWARK BV", "Logistics Development Kwark B.V."],
    ["Logistics Dvlpmnt Kwark", "Logistics Development Kwark B.V."],
    ["Kwartet Installaties Beheer", "Kwartet Instal Beheer"],
  ])("makes a person decide: %s is %s", (name, registered) => {
    expect(matched(name)).toEqual(["ambiguous", registered]);
  });

  it("does not decide between sisters, not even with the city", () => {
    expect(matched("Marketing Solut Kwinkslag B.V.")[0]).not.toBe("matched");
    expect(matched("Marketing Soli Kwinkslag B.V.")[0]).not.toBe("matched");
    expect(matched("Marketing Sltns Kwinkslag B.V.", CITY)[1]).toBe("Marketing Solutions Kwinkslag B.V.");
  });
});

it.each([
  "Communicatie Gras Kwalster",
  "Logistics Delivery Kwark B.V.",
  "Kwezel Bouw",
  "Facility Bar Kwakzalver",
])("other words are no abbreviations: %s", (name) => {
  expect(matched(name)[0]).not.toBe("matched");
});
