import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeWith, shared, sharedPath } from "../../test/kit/needs.ts";
import { isLegalForm, LEGAL_FORM_CODES, LEGAL_FORMS } from "../contract/legalForms.ts";
import { ELF_CODES, parseLegalForm } from "./legalForm.ts";

const LISTS = sharedPath("data/kvk/codelists");

/** The rows of a code list, without its header. The columns used here have no quoted delimiters. */
function rows(file: string): string[][] {
  const lines = readFileSync(`${LISTS}/${file}`, "utf8").trim().split(/\r?\n/).slice(1);
  return lines.map((line) =>
    line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((cell) => cell.replace(/^"|"$/g, "")),
  );
}

describe("legal forms by text", () => {
  it.each([
    ["Besloten vennootschap met gewone structuur", "BV"],
    ["BeslotenVennootschap", "BV"],
    ["besloten  VENNOOTSCHAP met beperkte aansprakelijkheid", "BV"],
    ["B.V.", "BV"],
    ["b v", "BV"],
    ["Naamloze Vennootschap", "NV"],
    ["Eenmanszaak met meer dan één eigenaar", "EMZ"],
    ["V.O.F.", "VOF"],
    ["Commanditaire vennootschap met één beherende vennoot", "CV"],
    ["Maatschap", "MTS"],
    ["Vereniging van Eigenaars", "VVE"],
    ["Vereniging van Eigenaren", "VVE"],
    ["Vereniging met volledige rechtsbevoegdheid", "VER"],
    ["Coöperatie U.A. met gewone structuur", "COOP"],
    ["Cooperatieve vereniging", "COOP"],
    ["Onderlinge Waarborg Maatschappij", "OWM"],
    ["Europees Economisch Samenwerkingsverband", "EESV"],
    ["Europese naamloze vennootschap (SE) met gewone structuur", "SE"],
    ["Buitenlandse EG-vennootschap met onderneming in Nederland", "BUI"],
    ["Kapitaalvennootschap buiten EER", "BUI"],
    ["Privaatrechtelijke rechtspersoon", "OPR"],
    ["Rechtspersoon in oprichting", "none"],
    ["B.V. i.o.", "none"],
    ["41", "BV"],
    ["Foundation", "STI"],
  ])("%s is %s", (text, form) => {
    expect(parseLegalForm(text)).toBe(form);
  });

  it.each(["", "Maatschappij", "GmbH", "99", "Openbare vennootschap", "onbekend"])(
    "does not map %j",
    (text) => {
      expect(parseLegalForm(text)).toBeUndefined();
    },
  );

  it("understands every code and every description of the contract", () => {
    for (const code of LEGAL_FORM_CODES) {
      expect(parseLegalForm(code)).toBe(code);
      expect(parseLegalForm(LEGAL_FORMS[code])).toBe(code);
    }
  });
});

describeWith(shared(LISTS), "legal forms of the code lists", () => {
  it("maps every Dutch ELF code, by code and by name alike", () => {
    const list = rows("elf-codes-NL-gleif-v1.5.csv");
    expect(Object.keys(ELF_CODES).toSorted()).toEqual(list.map(([code]) => code).toSorted());
    for (const [code = "", , , , , name = ""] of list)
      expect(parseLegalForm(name), name).toBe(ELF_CODES[code]);
  });

  it("maps every two-digit KVK code like its description, except for the form that was never introduced", () => {
    for (const [code = "", name = ""] of rows("rechtsvormen-kvk-2digit.csv")) {
      expect(parseLegalForm(code), `${code} ${name}`).toBe(parseLegalForm(name));
      if (!name.startsWith("Openbare")) expect(parseLegalForm(name), name).toBeDefined();
    }
  });

  it("maps every text seen in responses of the API", () => {
    for (const [short = "", long = ""] of rows("rechtsvorm-strings-observed-in-kvk-api.csv")) {
      expect(isLegalForm(parseLegalForm(short) ?? "")).toBe(true);
      expect(parseLegalForm(long)).toBe(parseLegalForm(short));
    }
  });
});
