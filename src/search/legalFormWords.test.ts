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
  ])("removes the legal form of %s", (name, bare) => {
    expect(withoutLegalForm(normalise(name))).toBe(bare);
  });

  it("keeps a word of a name that consists only of legal forms", () => {
    for (const name of ["B.V.", "Stichting", "Stichting B.V.", "Vereniging Coöperatie U.A."]) {
      expect(withoutLegalForm(normalise(name))).not.toBe("");
    }
  });
});

describe("containsLegalForm", () => {
  it("detects a legal form before or after a name", () => {
    expect(["jansen bv", "stichting jansen"].map(containsLegalForm)).toEqual([true, true]);
    expect(["jansen", "bv jansen holding", "bv"].map(containsLegalForm)).toEqual([false, true, false]);
  });
});

describe("exactKey", () => {
  it("is equal for names that differ only by legal form, spaces or `en`", () => {
    const names = ["Hill & Knowlton B.V.", "hill knowlton", "HillKnowlton", "Stichting Hill en Knowlton"];
    expect(new Set(names.map((name) => exactKey(normalise(name)))).size).toBe(1);
  });

  it("differs for all other names", () => {
    const names = ["Jansen", "Jansens", "Jansen 2", "Jansen Holding"];
    expect(new Set(names.map((name) => exactKey(normalise(name)))).size).toBe(4);
  });
});
