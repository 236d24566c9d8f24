import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CompanyFacts, FactsAddress } from "../facts.ts";
import type { SnapshotFile } from "../snapshot/snapshotFile.ts";
import { snapshotOf, sourcedFacts } from "../testRegistry.ts";

const at = (city: string, postalCode: string, more: Partial<FactsAddress> = {}): Partial<CompanyFacts> => ({
  address: {
    kind: "visiting",
    street: "Dorpsstraat",
    houseNumber: "1",
    postalCode,
    city,
    country: "NL",
    ...more,
  },
});
const activity = (sbiCode: string) => ({ sbiCode, isMain: true });

/** The companies of every test below, by number. */
const COMPANIES: readonly Partial<CompanyFacts>[] = [
  { name: "Niemand" },
  {
    name: "Bakkerij Jansen B.V.",
    legalForm: "BV",
    ...at("Utrecht", "3511 AB"),
    activities: [activity("10711")],
  },
  {
    name: "Bakkerij Jansen en Zonen",
    ...at("Utrecht", "3512 AB"),
    activities: [activity("10712"), activity("4724")],
  },
  { name: "Jansen Bakkerij Groothandel B.V.", legalForm: "BV", ...at("Zeist", "3701 AA") },
  { name: "Jans B.V.", isActive: false, ...at("Zeist", "3701 AA") },
  {
    name: "De Gouden Korenaar",
    tradingNames: ["Korenaar Catering", "Banket Express"],
    ...at("Zeist", "3702 ZZ"),
  },
  { name: "'t Hoekje", ...at("'s-Gravenhage", "2511 CV") },
  { name: "Meijer & Zn", ...at("IJsselstein", "3401 AA") },
  { name: "Meyer en Zoon", ...at("Ijsselstein", "3401 AB") },
  { name: "E-Commerce Advies", ...at("Amsterdam", "1012 AB") },
  { name: "24/7 Security", ...at("Amsterdam", "1012 AC") },
  { name: "Verborgen Zaak", ...at("Amsterdam", "1012 AD", { isShielded: true }) },
  { name: "Holding Berg B.V.", employees: 500 },
  { name: "Holding Boom B.V.", employees: 1 },
  { name: "Holding Bomen en Bergen B.V." },
  { name: "Oud Holding Berg B.V.", isActive: false },
  { name: "Stichting Holding", legalForm: "STI" },
  { name: "Holding", isActive: false },
  { name: "Voorbeeld One", statutoryName: "Statutair Anders B.V." },
  { name: "Dubbel Voorbeeld", tradingNames: ["Dubbel Voorbeeld B.V.", "Dubbel Voorbeeld Winkel"] },
  { name: "†", ...at("Zeist", "3701 AB") },
];

let snapshot: SnapshotFile;
const closers: (() => void)[] = [];
beforeAll(async () => {
  const facts = COMPANIES.map((company, number) => sourcedFacts(number, company));
  snapshot = await snapshotOf(facts, { untilEndOf: (close) => closers.push(close) });
});
afterAll(() => {
  for (const close of closers) close();
});

const names = (q: string, limit = 8) => snapshot.autocomplete(q, limit).map(({ name }) => name);
const search = (criteria: Parameters<SnapshotFile["search"]>[0]) => snapshot.search(criteria);
const found = (criteria: Omit<Parameters<SnapshotFile["search"]>[0], "page" | "pageSize">) =>
  search({ ...criteria, page: 1, pageSize: 100 }).results.map(({ name }) => name);

describe("autocomplete", () => {
  it("gives number, name and city, and nothing that is unknown", () => {
    expect(snapshot.autocomplete("hoekje", 8)).toEqual([
      { kvkNumber: "50000006", name: "'t Hoekje", city: "'s-Gravenhage" },
    ]);
    expect(snapshot.autocomplete("niemand", 8)).toEqual([{ kvkNumber: "50000000", name: "Niemand" }]);
  });

  it("gives an empty list when a word is in no name, or when there is no word", () => {
    for (const q of ["bakkerij pietersen", "xyz", "", "  ", "!?", "\u0000"]) expect(names(q)).toEqual([]);
  });

  it("matches the last word as the beginning of one, as somebody is typing it", () => {
    expect(names("bakkerij jan")).toEqual([
      "Bakkerij Jansen B.V.",
      "Bakkerij Jansen en Zonen",
      "Jansen Bakkerij Groothandel B.V.",
    ]);
  });

  it("matches beginnings of earlier words too, after names that have the words as typed", () => {
    expect(names("bak jan")).toEqual([
      "Bakkerij Jansen B.V.",
      "Bakkerij Jansen en Zonen",
      "Jansen Bakkerij Groothandel B.V.",
    ]);
  });

  it("does not mind the order of words", () => {
    expect(names("jansen bakkerij groothandel")).toEqual(names("groothandel bakkerij jansen"));
    expect(names("jansen bakkerij")[0]).toBe("Jansen Bakkerij Groothandel B.V.");
  });

  it("puts the name that was typed in full first, with or without its legal form", () => {
    expect(names("Bakkerij Jansen B.V.")[0]).toBe("Bakkerij Jansen B.V.");
    expect(names("bakkerij jansen")[0]).toBe("Bakkerij Jansen B.V.");
    expect(names("bakkerijjansen")[0]).toBe("Bakkerij Jansen B.V.");
    expect(names("statutair anders")[0]).toBe("Voorbeeld One");
  });

  it("puts active companies before others, also where both have the very name", () => {
    expect(names("holding")).toEqual([
      "Stichting Holding",
      "Holding",
      "Holding Berg B.V.",
      "Holding Boom B.V.",
      "Holding Bomen en Bergen B.V.",
      "Oud Holding Berg B.V.",
    ]);
    expect(names("jans")).toEqual([
      "Jans B.V.",
      "Jansen Bakkerij Groothandel B.V.",
      "Bakkerij Jansen B.V.",
      "Bakkerij Jansen en Zonen",
    ]);
  });

  it("puts names that begin with the query before those that only have its words", () => {
    expect(names("holding b")).toEqual([
      "Holding Berg B.V.",
      "Holding Boom B.V.",
      "Holding Bomen en Bergen B.V.",
      "Oud Holding Berg B.V.",
    ]);
  });

  it("puts the larger of two companies with names of one length first", () => {
    expect(names("holding bo")[0]).toBe("Holding Boom B.V.");
    expect(names("holding").indexOf("Holding Berg B.V.")).toBeLessThan(
      names("holding").indexOf("Holding Boom B.V."),
    );
  });

  it("finds a company by a trading name and says which one, but only when its own name does not fit", () => {
    expect(snapshot.autocomplete("banket exp", 8)).toEqual([
      { kvkNumber: "50000005", name: "De Gouden Korenaar", city: "Zeist", matchedName: "Banket Express" },
    ]);
    expect(snapshot.autocomplete("korenaar", 8)).toEqual([
      { kvkNumber: "50000005", name: "De Gouden Korenaar", city: "Zeist" },
    ]);
  });

  it("never matches words of two names together", () => {
    expect(names("banket catering")).toEqual([]);
  });

  it("gives a company once, however many of its names fit", () => {
    expect(names("dubbel voorbeeld")).toEqual(["Dubbel Voorbeeld"]);
  });

  it("takes ij and y for one, and prefers the letters that were typed", () => {
    expect(names("meijer zn")).toEqual(["Meijer & Zn"]);
    expect(names("meyer")).toEqual(["Meijer & Zn", "Meyer en Zoon"]);
    expect(names("meyer en zoon")).toEqual(["Meyer en Zoon"]);
  });

  it("finds words that punctuation holds together, written as one or apart", () => {
    for (const q of ["e-commerce", "ecommerce", "e commerce adv", "ecommerce adv"]) {
      expect(names(q)).toEqual(["E-Commerce Advies"]);
    }
  });

  it("finds a name without legal form when one was typed", () => {
    expect(names("meijer & zn bv")).toEqual(["Meijer & Zn"]);
    expect(names("stichting gouden korenaar")).toEqual(["De Gouden Korenaar"]);
  });

  it("finds digits in names and at the start of KVK numbers", () => {
    expect(names("247")).toEqual(["24/7 Security"]);
    expect(names("24")).toEqual(["24/7 Security"]);
    expect(names("50000006")).toEqual(["'t Hoekje"]);
    expect(names("5000 0006")).toEqual(["'t Hoekje"]);
    expect(snapshot.autocomplete("500000", 20)).toHaveLength(20);
    expect(names("5000001", 20).at(-1)).toBe("Holding");
    expect(names("999")).toEqual([]);
  });

  it("never reads a query as a language", () => {
    for (const q of [
      '"',
      '" OR "holding',
      "holding*",
      "^holding",
      "NEAR(holding berg)",
      "words:holding",
      "holding NOT berg",
      "!",
      "~",
      "@utrecht",
      "#3511",
      "$bv",
      "-holding",
      "(holding",
      "holding\u0000berg",
    ]) {
      expect(() => snapshot.autocomplete(q, 8)).not.toThrow();
    }
    expect(names("@utrecht")).toEqual([]);
    expect(names("holding NOT berg")).toEqual([]);
    expect(names("holding* ^berg")).toEqual(names("holding berg"));
  });

  it("answers queries of many words and letters", () => {
    expect(names("holding ".repeat(25)).sort()).toEqual(names("holding").sort());
    expect(names("x".repeat(5_000))).toEqual([]);
    expect(names("holding bomen en bergen bv a b c d e f g")).toEqual([]);
    expect(names("een twee drie vier vijf zes zeven acht negen tien holding")).toEqual([]);
  });

  it("gives no more than the limit", () => {
    expect(names("holding", 2)).toEqual(["Stichting Holding", "Holding"]);
  });
});

describe("search", () => {
  it("gives one row a company with what is known of it", () => {
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

  it("wants every criterion to hold", () => {
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

  it("compares cities without minding case, accents and punctuation, and knows their second names", () => {
    for (const city of ["s gravenhage", "'S-GRAVENHAGE", "Den Haag", "den haag"]) {
      expect(found({ city })).toEqual(["'t Hoekje"]);
    }
    expect(found({ city: "ijsselstein" })).toEqual(["Meijer & Zn", "Meyer en Zoon"]);
    expect(found({ city: "Utr" })).toEqual([]);
    expect(found({ city: "!" })).toEqual([]);
  });

  it("shows a company whose name has no letters, behind the others", () => {
    expect(found({ city: "Zeist", isActive: true }).at(-1)).toBe("†");
  });

  it("takes a postal code whole or its beginning, with or without space, in any case", () => {
    for (const postalCode of ["3511 AB", "3511ab", "3511", "3511 a"]) {
      expect(found({ postalCode })).toEqual(["Bakkerij Jansen B.V."]);
    }
    expect(found({ postalCode: "351" })).toHaveLength(2);
    expect(found({ postalCode: " " })).toEqual([]);
  });

  it("finds a shielded company by no postal code, but by its city", () => {
    expect(found({ postalCode: "1012" })).toEqual(["24/7 Security", "E-Commerce Advies"]);
    expect(found({ city: "amsterdam" })).toContain("Verborgen Zaak");
    expect(search({ q: "verborgen", page: 1, pageSize: 1 }).results[0]).not.toHaveProperty("postalCode");
  });

  it("takes an SBI code whole or its beginning, of any activity", () => {
    expect(found({ sbiCode: "1071" })).toEqual(["Bakkerij Jansen B.V.", "Bakkerij Jansen en Zonen"]);
    expect(found({ sbiCode: "10.71.1" })).toEqual(["Bakkerij Jansen B.V."]);
    expect(found({ sbiCode: "4724" })).toEqual(["Bakkerij Jansen en Zonen"]);
  });

  it("pages through all hits without repeating or losing one, and counts them on every page", () => {
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
