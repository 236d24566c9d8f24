import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { factsOf, leftOutOf } from "../../test/kit/kvkProfile.ts";
import { describeWith, shared, sharedPath } from "../../test/kit/needs.ts";
import { mapBasisprofiel } from "./map.ts";

const RECORDED = sharedPath("data/kvk/recorded");

describeWith(shared(RECORDED), "every recorded profile", () => {
  const body = (file: string): unknown => {
    const parsed: unknown = JSON.parse(readFileSync(`${RECORDED}/${file}`, "utf8"));
    return typeof parsed === "object" && parsed !== null && "body" in parsed ? parsed.body : parsed;
  };
  const files = readdirSync(RECORDED).filter((file) => file.endsWith(".json"));
  const profiles = files.filter(
    (file) => /basisprofiel/.test(file) && !/hoofdvestiging|_(404|500)__/.test(file),
  );

  it.each(profiles)("%s is mapped completely", (file) => {
    const facts = factsOf(body(file));
    expect(facts.kvkNumber).toMatch(/^[0-9]{8}$/);
    expect(facts.legalForm).toBeDefined();
    expect(facts.registrationDate).toMatch(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/);
    expect(facts.address?.postalCode).toMatch(/^[0-9]{4} [A-Z]{2}$/);
    expect(facts.address?.houseNumber).toBeDefined();
    expect(facts.activities?.filter(({ isMain }) => isMain)).toHaveLength(1);
    const known992340594 = "an RSIN that fails the elfproef (kept all the same)";
    expect(leftOutOf(body(file)).filter((reason) => reason !== known992340594)).toEqual([]);
  });

  it("include at least eight profiles", () => {
    expect(profiles.length).toBeGreaterThanOrEqual(8);
  });

  it("keep a letter that volledigAdres lacks, and the names added in 2025", () => {
    expect(factsOf(body("basisprofiel-90006623-geoData.json"))).toMatchObject({
      address: { street: "Sint Jacobsstraat", houseNumber: "300a", postalCode: "3511 BT", city: "Utrecht" },
      websites: ["www.domeinnaam1.nl", "www.domeinnaam2.nl", "www.domeinnaam3.nl"],
      legalForm: "STI",
    });
    expect(factsOf(body("test_api_v1_basisprofielen_69599084__200__5924a1.json"))).toMatchObject({
      tradingNames: { length: 8 },
      activities: [{ sbiCode: "10110" }, { sbiCode: "10120" }, { sbiCode: "10130" }],
      legalForm: "EMZ",
    });
    expect(factsOf(body("test_api_v1_basisprofielen_90000749__200__7da582.json"))).toMatchObject({
      address: { street: "Blaauwweg", houseNumber: "163" },
      branches: [],
      legalForm: "VVE",
      rsin: "992340597",
    });
  });

  it("say where an address is, where they were asked for geoData", () => {
    const place = {
      location: { latitude: 52.096163, longitude: 5.113226 },
      bagId: "0344010000041835",
    };
    const profile = body("basisprofiel-90006623-geoData.json");
    expect(factsOf(profile).address).toMatchObject({ street: "Sint Jacobsstraat", geo: place });
    const branch = body("vestigingsprofiel-990064773193-geoData.json");
    const withMain = factsOf(profile, { vestigingen: [branch] });
    expect(withMain.branches).toMatchObject([{ branchNumber: "990064773193", address: { geo: place } }]);
    const listed = factsOf({ ...Object(profile), _embedded: {} }, { vestigingen: [branch] });
    expect(listed.branches).toMatchObject([{ branchNumber: "990064773193", address: { geo: place } }]);
  });

  it("include a list of five branches and a branch profile, which are mapped completely", () => {
    const company = body("minbzk_test_input_basisprofiel.json");
    expect(factsOf(company, body("minbzk_test_input_vestigingen.json"))).toMatchObject({
      branchCount: 5,
      branches: [1, 2, 3, 4, 5].map((number) => ({
        branchNumber: `00000000000${number}`,
        isMain: number === 1,
        address: { street: "Straatnaam", houseNumber: String(number), city: "Amsterdam" },
      })),
    });
    const bv = { kvkNummer: "68750110", naam: "Test BV Donald" };
    const branch = body("test_api_v1_vestigingsprofielen_000037178598__200__72c499.json");
    expect(factsOf(bv, [branch]).branches).toEqual([
      {
        branchNumber: "000037178598",
        name: "Test BV Donald",
        isMain: true,
        address: { street: "Hizzaarderlaan", houseNumber: "3-A", postalCode: "8823 SJ", city: "Lollum" },
        isActive: true,
      },
    ]);
  });

  it("of errors, searches and old products are rejected", () => {
    for (const file of files) {
      const mapped = mapBasisprofiel(body(file));
      if (/_(400|404|500)__/.test(file)) expect(mapped, file).toHaveProperty("reason");
      if (/zoeken|companies/.test(file)) expect(mapped, file).toHaveProperty("reason");
    }
  });
});
