import { describe, expect, it } from "vitest";
import { companyFacts } from "../../test/kit/registry.ts";
import { ShieldedCities } from "./shieldedCities.ts";

const shielded = (city: string, name = "Zwaan Onderhoud") =>
  companyFacts(12, { name, address: { city, country: "NL", isShielded: true, kind: "visiting" } });
const open = (city: string) => companyFacts(12, { address: { city, kind: "visiting" } });
const shownOf = (cities: ShieldedCities, city: string, name?: string) =>
  cities.cleaned(shielded(city, name)).address?.city;

describe("the city of a shielded address", () => {
  it("is shown where an open address of the registry or of the import is in it", () => {
    const cities = new ShieldedCities(() => ["Ter Kwak", "Oevel"]);
    cities.cleaned(open("Het Zwet"));
    for (const city of ["Ter Kwak", "OEVEL", "Het Zwet"]) expect(shownOf(cities, city)).toBe(city);
    for (const text of ["Zwaan", "Jan Zwaan", "Zwaan Oevel", "Huisje Oevel"])
      expect(shownOf(cities, text), text).toBeUndefined();
  });

  it("is not learned from shielded addresses", () => {
    const cities = new ShieldedCities(() => ["Oevel"]);
    expect([shownOf(cities, "Kwak"), shownOf(cities, "Kwak")]).toEqual([undefined, undefined]);
  });

  it("is a single word that is not of the company's name, where no open address is known", () => {
    const cities = new ShieldedCities(() => []);
    expect(shownOf(cities, "Kwak")).toBe("Kwak");
    expect(shownOf(cities, "Kwak", "Jan Kwak")).toBeUndefined();
    expect(shownOf(cities, "Jan Kwak")).toBeUndefined();
  });

  it("is hidden in branches too, and leaves open addresses alone", () => {
    const branch = (city: string, isShielded?: true) => ({
      ...{ branchNumber: "000050000012", isMain: false, isActive: true },
      address: { city, ...(isShielded && { isShielded }) },
    });
    const facts = { ...open("Oevel"), branches: [branch("Jan Kwak", true), branch("Jan Kwak")] };
    expect(new ShieldedCities(() => []).cleaned(facts)).toMatchObject({
      address: { city: "Oevel" },
      branches: [{ address: { isShielded: true } }, { address: { city: "Jan Kwak" } }],
    });
    const [hidden] = new ShieldedCities(() => []).cleaned(facts).branches ?? [];
    expect(hidden?.address).toEqual({ isShielded: true });
  });
});
