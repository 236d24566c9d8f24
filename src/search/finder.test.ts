import { describe, expect, it } from "vitest";
import { COMPANIES } from "../../test/kit/finder.ts";
import { type OpenSnapshot, snapshotForAll, sourcedFacts } from "../../test/kit/registry.ts";

let snapshot: OpenSnapshot;
snapshotForAll(
  () => COMPANIES.map((company, number) => sourcedFacts(number, company)),
  (opened) => {
    snapshot = opened;
  },
);

const names = (q: string, limit = 8) => snapshot.autocomplete(q, limit).map(({ name }) => name);

describe("autocomplete", () => {
  it("returns number, name and city, and omits unknown fields", () => {
    expect(snapshot.autocomplete("hoekje", 8)).toEqual([
      { kvkNumber: "50000006", name: "'t Hoekje", city: "'s-Gravenhage" },
    ]);
    expect(snapshot.autocomplete("niemand", 8)).toEqual([{ kvkNumber: "50000000", name: "Niemand" }]);
  });

  it("returns an empty list when a word is unknown or the query has no words", () => {
    for (const q of ["bakkerij pietersen", "xyz", "", "  ", "!?", "\u0000"]) expect(names(q)).toEqual([]);
  });

  it("matches the last word as a prefix", () => {
    expect(names("bakkerij jan")).toEqual([
      "Bakkerij Jansen B.V.",
      "Bakkerij Jansen en Zonen",
      "Jansen Bakkerij Groothandel B.V.",
    ]);
  });

  it("matches earlier words as prefixes too, after names that contain them exactly", () => {
    expect(names("bak jan")).toEqual([
      "Bakkerij Jansen B.V.",
      "Bakkerij Jansen en Zonen",
      "Jansen Bakkerij Groothandel B.V.",
    ]);
  });

  it("ignores the order of words", () => {
    expect(names("jansen bakkerij groothandel")).toEqual(names("groothandel bakkerij jansen"));
    expect(names("jansen bakkerij")[0]).toBe("Jansen Bakkerij Groothandel B.V.");
  });

  it("ranks the exact name first, with or without its legal form", () => {
    expect(names("Bakkerij Jansen B.V.")[0]).toBe("Bakkerij Jansen B.V.");
    expect(names("bakkerij jansen")[0]).toBe("Bakkerij Jansen B.V.");
    expect(names("bakkerijjansen")[0]).toBe("Bakkerij Jansen B.V.");
    expect(names("statutair anders")[0]).toBe("Voorbeeld One");
  });

  it("ranks active companies first, even among exact names", () => {
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

  it("ranks names that begin with the query before those that only contain its words", () => {
    expect(names("holding b")).toEqual([
      "Holding Berg B.V.",
      "Holding Boom B.V.",
      "Holding Bomen en Bergen B.V.",
      "Oud Holding Berg B.V.",
    ]);
  });

  it("ranks the larger of two companies with equally long names first", () => {
    expect(names("holding bo")[0]).toBe("Holding Boom B.V.");
    expect(names("holding").indexOf("Holding Berg B.V.")).toBeLessThan(
      names("holding").indexOf("Holding Boom B.V."),
    );
  });

  it("finds a company by a trading name and returns it if the main name does not match", () => {
    expect(snapshot.autocomplete("banket exp", 8)).toEqual([
      { kvkNumber: "50000005", name: "De Gouden Korenaar", city: "Zeist", matchedName: "Banket Express" },
    ]);
    expect(snapshot.autocomplete("korenaar", 8)).toEqual([
      { kvkNumber: "50000005", name: "De Gouden Korenaar", city: "Zeist" },
    ]);
  });

  it("never combines words of two names", () => {
    expect(names("banket catering")).toEqual([]);
  });

  it("returns a company once even if several of its names match", () => {
    expect(names("dubbel voorbeeld")).toEqual(["Dubbel Voorbeeld"]);
  });

  it("treats ij and y as equal but prefers the typed spelling", () => {
    expect(names("meijer zn")).toEqual(["Meijer & Zn", "Meyer en Zoon"]);
    expect(names("meyer")).toEqual(["Meyer en Zoon", "Meijer & Zn"]);
    expect(names("meyer en zoon")).toEqual(["Meyer en Zoon", "Meijer & Zn"]);
  });

  it("finds hyphenated words typed as one word or as several", () => {
    for (const q of ["e-commerce", "ecommerce", "e commerce adv", "ecommerce adv"]) {
      expect(names(q)).toEqual(["E-Commerce Advies"]);
    }
  });

  it("finds a name without a legal form when the query has one", () => {
    expect(names("meijer & zn bv")).toEqual(["Meijer & Zn", "Meyer en Zoon"]);
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

  it("does not interpret query syntax", () => {
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

  it("handles queries with many words and letters", () => {
    expect(names("holding ".repeat(25)).sort()).toEqual(names("holding").sort());
    expect(names("x".repeat(5_000))).toEqual([]);
    expect(names("holding bomen en bergen bv a b c d e f g")).toEqual([]);
    expect(names("een twee drie vier vijf zes zeven acht negen tien holding")).toEqual([]);
  });

  it("corrects a typo in each of two words, even if both are prefixes, and swapped ij", () => {
    const bakers = ["Bakkerij Jansen B.V.", "Bakkerij Jansen en Zonen", "Jansen Bakkerij Groothandel B.V."];
    for (const q of ["bakkre jnasen", "bakkre jansen", "bakkre jnase", "bakkerji jnasen"]) {
      expect(names(q)).toEqual(bakers);
    }
    expect(names("jnasen bakkre").sort()).toEqual(bakers);
  });

  it("returns at most the requested number of companies", () => {
    expect(names("holding", 2)).toEqual(["Stichting Holding", "Holding"]);
  });
});
