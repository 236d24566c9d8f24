import { describe, expect, it } from "vitest";
import { factsOf, leftOutOf, profile, visiting, withAddress } from "../../test/kit/kvkProfile.ts";

describe("the address of a Basisprofiel", () => {
  it.each([
    [{ huisnummer: 3, huisletter: undefined, huisnummerToevoeging: "A" }, "3-A"],
    [{ huisletter: "a", huisnummerToevoeging: "2" }, "17a-2"],
    [{ huisletter: "", huisnummerToevoeging: "" }, "17"],
    [{ huisletter: "  ", huisnummerToevoeging: "-bis" }, "17-bis"],
    [{ huisnummer: "17", toevoegingAdres: "t.o. de molen" }, "17M"],
    [{ huisnummer: 0 }, undefined],
  ])("writes the house number of %j as %s", (part, houseNumber) => {
    expect(factsOf(withAddress({ ...visiting, ...part })).address?.houseNumber).toBe(houseNumber);
  });

  it("writes a PO box as street and number, with or without the word", () => {
    const box = profile._embedded.hoofdvestiging.adressen[0];
    for (const straatnaam of ["Postbus", undefined]) {
      expect(factsOf(withAddress({ ...box, straatnaam })).address).toEqual({
        street: "Postbus",
        houseNumber: "200",
        postalCode: "1000 AE",
        city: "Rommeldam",
        country: "NL",
        kind: "correspondence",
      });
    }
  });

  it.each([90801, "90801", "90.801", "90 801", "90\u00a0801", " 90801 ", "Postbus 90.801"])(
    "reads the number of a PO box in any form: %j",
    (postbusnummer) => {
      const box = profile._embedded.hoofdvestiging.adressen[0];
      const given = withAddress({ ...box, postbusnummer });
      expect(factsOf(given).address).toMatchObject({ street: "Postbus", houseNumber: "90801" });
      expect(leftOutOf(given)).toEqual([]);
      const freepost = withAddress({ ...box, straatnaam: "Antwoordnummer", postbusnummer });
      const isNamed = postbusnummer === "Postbus 90.801";
      expect(factsOf(freepost).address).toMatchObject({
        street: isNamed ? "Postbus" : "Antwoordnummer",
        houseNumber: "90801",
      });
    },
  );

  it.each(["geen", "90801234", 1.5, {}])("reports an invalid PO box number: %j", (postbusnummer) => {
    const box = profile._embedded.hoofdvestiging.adressen[0];
    const given = withAddress({ ...box, postbusnummer });
    expect(factsOf(given).address?.houseNumber).toBeUndefined();
    expect(leftOutOf(given)).toEqual([expect.stringContaining("postbusnummer has an unexpected form")]);
  });

  it.each([
    [{ huisletter: "bis", huisnummerToevoeging: undefined }, "17-bis"],
    [{ huisletter: undefined, huisnummerToevoeging: "+19" }, "17-19"],
    [{ huisletter: undefined, huisnummerToevoeging: "– 19" }, "17-19"],
    [{ huisletter: undefined, huisnummerToevoeging: 2 }, "17-2"],
    [{ postbusnummer: 200 }, "17M"],
  ])("has the number of %j", (fields, houseNumber) => {
    expect(factsOf(withAddress({ ...visiting, ...fields })).address).toMatchObject({
      street: "Korenmolenlaan",
      houseNumber,
    });
  });

  it.each([
    { straatnaam: "Korenmolenlaan 17" },
    { straatnaam: "Korenmolenlaan 17 M", huisnummer: 0, huisletter: undefined },
    { huisnummer: "17.0" },
    { plaats: "1034WL Rommeldam" },
    { plaats: "1034 WL Rommeldam (NL)", postcode: undefined },
    { postcode: "1034-WL" },
  ])("contains each part once, wherever it is given: %j", (fields) => {
    expect(factsOf(withAddress({ ...visiting, ...fields })).address).toEqual(factsOf(profile).address);
  });

  it.each(["Postbus", "Antwoordnummer"])(
    "is a correspondence address at a %s, whatever its type",
    (straatnaam) => {
      const box = { ...visiting, straatnaam, huisnummer: 12, huisletter: undefined };
      expect(factsOf(withAddress(box)).address).toMatchObject({ street: straatnaam, kind: "correspondence" });
      expect(factsOf(withAddress(box, visiting ?? {})).address).toEqual(factsOf(profile).address);
    },
  );

  it("parses volledigAdres if nothing else is given", () => {
    const text = { type: "bezoekadres", volledigAdres: visiting?.volledigAdres };
    expect(factsOf(withAddress(text)).address).toEqual(factsOf(profile).address);
  });

  it("keeps a foreign address as given", () => {
    const foreign = {
      type: "bezoekadres",
      indAfgeschermd: "Nee",
      straatHuisnummer: "53 Rue de Tilsitt",
      postcodeWoonplaats: "X-13501 Parijs",
      land: "Frankrijk",
    };
    expect(factsOf(withAddress(foreign)).address).toEqual({
      street: "53 Rue de Tilsitt",
      city: "X-13501 Parijs",
      country: "FR",
      kind: "visiting",
    });
    expect(factsOf(withAddress({ ...foreign, indAfgeschermd: "Ja" })).address).toEqual({
      country: "FR",
      isShielded: true,
      kind: "visiting",
    });
    expect(leftOutOf(withAddress({ ...visiting, postcode: "1034" }))).toEqual([
      "a Dutch postal code of another form",
    ]);
    expect(leftOutOf(withAddress({ ...foreign, land: "Utopia" }))).toEqual(["a country that no rule maps"]);
  });

  it("is Dutch by its postal code if the country is unknown, which is reported, also for branches", () => {
    const address = { ...visiting, land: "Onbekend land" };
    expect(factsOf(withAddress(address)).address).toEqual(factsOf(withAddress(visiting ?? {})).address);
    expect(leftOutOf(withAddress(address))).toEqual(["a country that no rule maps"]);
    const branch = { vestigingsnummer: "000050000099", adressen: [{ ...address, land: "Utopia" }] };
    expect(leftOutOf(profile, [branch])).toEqual(["a country that no rule maps"]);
    const inLines = {
      type: "bezoekadres",
      straatHuisnummer: "Kade 12",
      postcodeWoonplaats: "1234 AB Rommeldam",
    };
    for (const land of [undefined, "Nederland", "Utopia"]) {
      expect(factsOf(withAddress({ ...inLines, ...(land && { land }) })).address).toEqual({
        street: "Kade",
        houseNumber: "12",
        postalCode: "1234 AB",
        city: "Rommeldam",
        country: "NL",
        kind: "visiting",
      });
    }
  });

  it.each(["Rommeldam (NL)", "Rommeldam, Nederland", "Rommeldam NL"])(
    "has no country in its city, shielded or not: %s",
    (plaats) => {
      const address = { ...visiting, plaats };
      expect(factsOf(withAddress(address)).address).toEqual(factsOf(profile).address);
      expect(factsOf(withAddress({ ...address, indAfgeschermd: "Ja" })).address).toMatchObject({
        city: "Rommeldam",
        country: "NL",
      });
    },
  );

  it.each(["Ja", "ja", true, "J", "onbekend", {}])(
    "has at most city and country if indAfgeschermd is %j",
    (flag) => {
      const facts = factsOf(withAddress({ ...visiting, indAfgeschermd: flag }));
      expect(facts.address).toEqual({ city: "Rommeldam", country: "NL", isShielded: true, kind: "visiting" });
      expect(JSON.stringify(facts)).not.toMatch(/Korenmolenlaan|1034/);
    },
  );

  it.each([
    { plaats: "Korenmolenlaan 17, 1034WL Rommeldam" },
    { plaats: "1034WL Rommeldam" },
    { plaats: "Rommeldam, Korenmolenlaan" },
    { plaats: "Jan Zwaan Rommeldam" },
    { plaats: "Huisje Zwaan, Rommeldam" },
    { plaats: "Rommeldam p/a Zwaan" },
    { plaats: "Rommeldam (Zwaan)" },
    { plaats: undefined, volledigAdres: "Rommeldam 1034WL Korenmolenlaan 17" },
    { plaats: undefined, volledigAdres: "1034WL Rommeldam, Korenmolenlaan 17" },
    { plaats: undefined, postcodeWoonplaats: "1034WL Rommeldam" },
  ])("hides the city of a shielded address if it may contain more: %j", (fields) => {
    const facts = factsOf(withAddress({ ...visiting, ...fields, indAfgeschermd: "Ja" }));
    expect(facts.address).toMatchObject({ isShielded: true, kind: "visiting" });
    expect(JSON.stringify(facts.address)).not.toMatch(/Korenmolenlaan|1034|Rommeldam/);
  });
});
