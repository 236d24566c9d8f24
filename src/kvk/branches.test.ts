import { describe, expect, it } from "vitest";
import { factsOf, leftOutOf, profile, visiting } from "../../test/kit/kvkProfile.ts";

describe("the branches of a Basisprofiel", () => {
  const row = (number: string, more: object = {}) => ({
    vestigingsnummer: number,
    kvkNummer: "50000012",
    eersteHandelsnaam: `Korenaar ${number.slice(-2)}`,
    indHoofdvestiging: "Nee",
    indAdresAfgeschermd: "Nee",
    volledigAdres: "Molenstraat 3-A          3511BT Utrecht",
    ...more,
  });
  const main = row("000050000012", {
    indHoofdvestiging: "Ja",
    volledigAdres: "Korenmolenlaan 17 1034WL Rommeldam",
  });
  const list = {
    kvkNummer: "50000012",
    totaalAantalVestigingen: 2,
    vestigingen: [row("000050000099"), main],
  };
  const expected = [
    {
      branchNumber: "000050000012",
      name: "Korenaar 12",
      isMain: true,
      address: { street: "Korenmolenlaan", houseNumber: "17M", postalCode: "1034 WL", city: "Rommeldam" },
      isActive: true,
    },
    {
      branchNumber: "000050000099",
      name: "Korenaar 99",
      isMain: false,
      address: { street: "Molenstraat", houseNumber: "3-A", postalCode: "3511 BT", city: "Utrecht" },
      isActive: true,
    },
  ];

  it("come from the API's list or its array, main branch first, without country", () => {
    expect(factsOf(profile, list)).toMatchObject({ branches: expected, branchCount: 2 });
    expect(factsOf(profile, list.vestigingen).branches).toEqual(expected);
  });

  it("are unknown without a list, and include the main branch even if the list lacks it", () => {
    expect(factsOf(profile)).not.toHaveProperty("branches");
    expect(factsOf(profile, [row("000050000099")]).branches).toMatchObject([
      { branchNumber: "000050000012", isMain: true },
      { branchNumber: "000050000099", isMain: false },
    ]);
  });

  it("may be complete Vestigingsprofielen, including inactive ones", () => {
    const { volledigAdres: _, ...ended } = row("000050000099", {
      adressen: [{ ...visiting, straatnaam: "Molenstraat" }],
      materieleRegistratie: { datumEinde: "20251231" },
    });
    expect(factsOf(profile, [ended]).branches?.[1]).toMatchObject({
      address: { street: "Molenstraat", houseNumber: "17M" },
      isActive: false,
    });
  });

  it.each([
    ["Laan 1940 – 1945 37", "Laan 1940 – 1945", "37"],
    ["16 april 1944 Pad 1", "16 april 1944 Pad", "1"],
    ["Plein 40-45 17", "Plein 40-45", "17"],
    ["Postbus 90.801", "Postbus", "90801"],
    ["Kade 12 t.o.", "Kade", "12"],
  ])("have street and number from one text: %s", (line, street, houseNumber) => {
    const branch = row("000050000099", { volledigAdres: `${line}      1234AB Rommeldam` });
    expect(factsOf(profile, [branch]).branches?.[1]?.address).toEqual({
      street,
      houseNumber,
      postalCode: "1234 AB",
      city: "Rommeldam",
    });
  });

  it("show at most the city when shielded, and so does the company's address", () => {
    const shielded = factsOf(profile, {
      ...list,
      vestigingen: list.vestigingen.map((one) => ({ ...one, indAdresAfgeschermd: "Ja" })),
    });
    expect(shielded.branches?.map(({ address }) => address)).toEqual([
      { city: "Rommeldam", isShielded: true },
      // The city is only part of a complete address.
      { isShielded: true },
    ]);
    expect(shielded.address).toEqual({
      city: "Rommeldam",
      country: "NL",
      isShielded: true,
      kind: "visiting",
    });
    const onlyOther = factsOf(profile, [
      row("000050000099", { indAdresAfgeschermd: "Ja", volledigAdres: "53 Rue X, 75008 Parijs" }),
    ]);
    expect(onlyOther.branches?.[1]?.address).toEqual({ isShielded: true });
    expect(onlyOther.address?.street).toBe("Korenmolenlaan");
  });

  it("of another company are ignored, and an incomplete list is reported", () => {
    expect(factsOf(profile, { ...list, kvkNummer: "50000021" })).not.toHaveProperty("branches");
    expect(leftOutOf(profile, { ...list, kvkNummer: "50000021" })).toEqual([
      "a list of branches of another company",
    ]);
    expect(factsOf(profile, { ...list, totaalAantalVestigingen: 9 }).branchCount).toBe(9);
    expect(leftOutOf(profile, { ...list, totaalAantalVestigingen: 9 })).toEqual([
      "the list of branches holds fewer than it says there are",
    ]);
  });
});
