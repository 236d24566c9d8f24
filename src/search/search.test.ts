import { describe, expect, it } from "vitest";
import { COMPANIES } from "../../test/kit/finder.ts";
import { type OpenSnapshot, snapshotForAll, sourcedFacts } from "../../test/kit/registry.ts";
import { inOneGo } from "../lib/steps.ts";

let snapshot: OpenSnapshot;
snapshotForAll(
  () => COMPANIES.map((company, number) => sourcedFacts(number, company)),
  (opened) => {
    snapshot = opened;
  },
);

const search = (criteria: Parameters<OpenSnapshot["search"]>[0]) => inOneGo(snapshot.search(criteria));
const found = (criteria: Omit<Parameters<OpenSnapshot["search"]>[0], "page" | "pageSize">) =>
  search({ ...criteria, page: 1, pageSize: 100 }).results.map(({ name }) => name);

describe("search", () => {
  it("returns one result per company with its known fields", () => {
    expect(search({ q: "bakkerij jansen bv", page: 1, pageSize: 10 })).toEqual({
      results: [
        {
          kvkNumber: "50000001",
          name: "Bakkerij Jansen B.V.",
          city: "Utrecht",
          postalCode: "3511 AB",
          legalForm: "BV",
          isActive: true,
        },
        {
          kvkNumber: "50000003",
          name: "Jansen Bakkerij Groothandel B.V.",
          city: "Zeist",
          postalCode: "3701 AA",
          legalForm: "BV",
          isActive: true,
        },
      ],
      total: 2,
    });
  });

  it("returns only companies that match all criteria", () => {
    expect(found({ q: "jansen", city: "Utrecht" })).toEqual([
      "Bakkerij Jansen B.V.",
      "Bakkerij Jansen en Zonen",
    ]);
    expect(found({ q: "jansen", city: "Utrecht", legalForm: "BV" })).toEqual(["Bakkerij Jansen B.V."]);
    expect(found({ q: "jansen", city: "Utrecht", legalForm: "STI" })).toEqual([]);
    expect(found({ city: "Zeist", isActive: false })).toEqual(["Jans B.V."]);
    expect(found({ q: "jans", isActive: true, sbiCode: "47" })).toEqual(["Bakkerij Jansen en Zonen"]);
    expect(found({ q: "bakkerij jansen", isActive: false })).toEqual([]);
    expect(found({ q: "bakkerij jansen bv", city: "Zeist" })).toEqual(["Jansen Bakkerij Groothandel B.V."]);
    expect(found({ q: "stichting holding", city: "Utrecht" })).toEqual([]);
  });

  it("ignores case, accents and punctuation in cities, and knows their aliases", () => {
    for (const city of ["s gravenhage", "'S-GRAVENHAGE", "Den Haag", "den haag"]) {
      expect(found({ city })).toEqual(["'t Hoekje"]);
    }
    expect(found({ city: "ijsselstein" })).toEqual(["Meijer & Zn", "Meyer en Zoon"]);
    expect(found({ city: "Utr" })).toEqual([]);
    expect(found({ city: "!" })).toEqual([]);
  });

  it("ranks a company whose name has no letters last", () => {
    expect(found({ city: "Zeist", isActive: true }).at(-1)).toBe("†");
  });

  it("accepts a complete or partial postal code, with or without space, in any case", () => {
    for (const postalCode of ["3511 AB", "3511ab", "3511", "3511 a"]) {
      expect(found({ postalCode })).toEqual(["Bakkerij Jansen B.V."]);
    }
    expect(found({ postalCode: "351" })).toHaveLength(2);
    expect(found({ postalCode: " " })).toEqual([]);
  });

  it("finds a shielded company by city but not by postal code", () => {
    expect(found({ postalCode: "1012" })).toEqual(["24/7 Security", "E-Commerce Advies"]);
    expect(found({ city: "amsterdam" })).toContain("Verborgen Zaak");
    expect(search({ q: "verborgen", page: 1, pageSize: 1 }).results[0]).not.toHaveProperty("postalCode");
  });

  it("accepts a complete or partial SBI code of any activity", () => {
    expect(found({ sbiCode: "1071" })).toEqual(["Bakkerij Jansen B.V.", "Bakkerij Jansen en Zonen"]);
    expect(found({ sbiCode: "10.71.1" })).toEqual(["Bakkerij Jansen B.V."]);
    expect(found({ sbiCode: "4724" })).toEqual(["Bakkerij Jansen en Zonen"]);
  });

  it("accepts the version of an SBI code, and finds no activity of another or unknown version", () => {
    expect(found({ sbiCode: "47", sbiVersion: "2008" })).toEqual(["Bakkerij Jansen en Zonen"]);
    expect(found({ sbiCode: "47", sbiVersion: "2025" })).toEqual(["Meijer & Zn"]);
    expect(found({ sbiCode: "472", sbiVersion: "2025" })).toEqual([]);
    expect(found({ sbiCode: "10711", sbiVersion: "2008" })).toEqual([]);
    expect(found({ sbiCode: "47" })).toEqual(["Meijer & Zn", "Bakkerij Jansen en Zonen"]);
    const page = { sbiCode: "47", sbiVersion: "2025", page: 1, pageSize: 5 } as const;
    expect(search(page).total).toBe(1);
  });

  it("pages through all hits without duplicates or gaps, with the total on every page", () => {
    const all = found({ isActive: true });
    expect(all).toHaveLength(18);
    const pages = [1, 2, 3, 4].map((page) => search({ isActive: true, page, pageSize: 5 }));
    expect(pages.flatMap(({ results }) => results.map(({ name }) => name))).toEqual(all);
    expect(pages.map(({ total }) => total)).toEqual([18, 18, 18, 18]);
    expect(search({ isActive: true, page: 9, pageSize: 5 })).toEqual({ results: [], total: 18 });
  });

  it("finds digits together with other criteria", () => {
    expect(found({ q: "5000000", city: "Zeist" })).toEqual([
      "De Gouden Korenaar",
      "Jansen Bakkerij Groothandel B.V.",
      "Jans B.V.",
    ]);
    expect(search({ q: "5000000", city: "Zeist", page: 1, pageSize: 1 }).total).toBe(3);
    expect(search({ q: "50", page: 1, pageSize: 3 }).total).toBe(21);
    expect(search({ q: "50", isActive: false, page: 1, pageSize: 2 }).total).toBe(3);
  });
});
