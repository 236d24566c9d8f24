import { describe, expect, it } from "vitest";
import { containsLegalForm, exactKey, withoutLegalForm } from "./legalFormWords.ts";
import { normalise } from "./normalise.ts";

describe("withoutLegalForm", () => {
  it.each([
    ["Bakkerij Jansen B.V.", "bakkerij jansen"],
    ["Coöperatieve Rabobank U.A.", "rabobank"],
    ["Patagonia Europe Coöperatief U.A.", "patagonia europe"],
    ["N.V. Elektriciteit", "elektriciteit"],
    ["Stichting Jansen", "jansen"],
    ["Vereniging van Eigenaars Kerkstraat 12", "kerkstraat 12"],
    ["VvE Kerkstraat 12", "kerkstraat 12"],
    ["Voorbeeld B.V. i.o.", "voorbeeld"],
    ["Voorbeeld GmbH", "voorbeeld"],
    ...["BVBA", "SPRL", "ApS", "AB", "Oy", "Oyj"].map((form) => [`Voorbeeld ${form}`, "voorbeeld"]),
    ["Voorbeeld besloten vennootschap", "voorbeeld"],
    ["Naamloze Vennootschap Voorbeeld", "voorbeeld"],
    ["Vennootschap onder Firma Voorbeeld", "voorbeeld"],
    ["Bvlgari Stichtingen", "bvlgari stichtingen"],
  ])("leaves of %s what is no legal form", (name, bare) => {
    expect(withoutLegalForm(normalise(name))).toBe(bare);
  });

  it("leaves something of a name that is nothing but legal forms", () => {
    for (const name of ["B.V.", "Stichting", "Stichting B.V.", "Vereniging Coöperatie U.A."]) {
      expect(withoutLegalForm(normalise(name))).not.toBe("");
    }
  });
});

describe("namesLegalForm", () => {
  it("tells whether somebody typed a legal form", () => {
    expect(["jansen bv", "stichting jansen"].map(containsLegalForm)).toEqual([true, true]);
    expect(["jansen", "bv jansen holding", "bv"].map(containsLegalForm)).toEqual([false, true, false]);
  });
});

describe("exactKey", () => {
  it("is one for names that differ by legal form, spaces or `en` alone", () => {
    const names = ["Hill & Knowlton B.V.", "hill knowlton", "HillKnowlton", "Stichting Hill en Knowlton"];
    expect(new Set(names.map((name) => exactKey(normalise(name)))).size).toBe(1);
  });

  it("is not one for names that differ otherwise", () => {
    const names = ["Jansen", "Jansens", "Jansen 2", "Jansen Holding"];
    expect(new Set(names.map((name) => exactKey(normalise(name)))).size).toBe(4);
  });
});
