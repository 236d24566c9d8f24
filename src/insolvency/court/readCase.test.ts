import { describe, expect, it } from "vitest";
import { caseRead, published, readOverTheWire } from "../../../test/kit/courtSimulator.ts";
import { publication, type SimulatedCase, tag } from "../../demo/court/register.ts";

type Changes = Partial<SimulatedCase>;
type Row = readonly [title: string, changes: Changes, expected: object];

const addressOf = (type: string, postalCode = "3511BT") =>
  "<straat>Winkelstraat</straat><huisnummer>3</huisnummer><huisnummerToevoeging1>a</huisnummerToevoeging1>" +
  `<huisnummerToevoeging2>bis</huisnummerToevoeging2><postcode>${postalCode}</postcode>` +
  `<adresType>${type}</adresType>`;
const SHOP = addressOf("VEST");
const atShop = `<handelsadressen><handelsadres>${SHOP}</handelsadres></handelsadressen>`;
const withNumber = "<KvKNummer>90001003</KvKNummer>";
const tradeName = (name: string, more = "", isFormer = false) =>
  `<handelendOnderDeNaam voorheen="${isFormer}">${tag("handelsnaam", name)}${more}</handelendOnderDeNaam>`;
const formerly = (name: string, more = "") => tradeName(name, more, true);
const TRADER: Changes = {
  ...{ caseNumber: "R.16/26/7", isLegalPerson: false, name: "Achternaam" },
  ...{ kvkNumber: "90001002", address: addressOf("WOON", "3512CD") },
  tradeNames: tradeName("Klusbedrijf Fabel", atShop),
  publications: [publication("2301", "2026-11-05")],
};

describe("a case", () => {
  it("of a legal person has its name, business address, court, references and present curators", async () => {
    const found = await caseRead({
      address: SHOP,
      visibleUntil: "2027-05-05",
      previousCaseNumber: "S.16/26/9",
      tradeNames: tradeName("Fabel Montage"),
      curators:
        "<cbv><titulatuur>mr.</titulatuur><voorletters>A.</voorletters><voorvoegsel>van der</voorvoegsel>" +
        "<achternaam>Fabel</achternaam><adres><plaats>Rommeldam</plaats>" +
        "<telefoonnummer>010-0000000</telefoonnummer></adres></cbv>" +
        "<cbv><datumEind>2026-11-06</datumEind><voorletters>B.</voorletters><achternaam>Vroeger</achternaam></cbv>",
      publications: [publication("1300", "2026-11-05", "2026-11-03"), publication("1307", "2026-11-06")],
    });
    expect(found).toEqual({
      id: "F.16/26/100 42",
      caseNumber: "F.16/26/100",
      publication: "16.mne.26.100.F.1307.1.26",
      publications: ["16.mne.26.100.F.1300.1.26", "16.mne.26.100.F.1307.1.26"],
      type: "bankruptcy",
      since: "2026-11-03",
      court: "Rechtbank Midden-Nederland",
      isLegalPerson: true,
      kvkNumbers: ["90001001"],
      names: ["Fabel Bouw B.V."],
      addresses: [{ postalCode: "3511BT", houseNumber: "3a-bis" }],
      previousCaseNumber: "S.16/26/9",
      curators: [{ name: "mr. A. van der Fabel", city: "Rommeldam", phone: "010-0000000" }],
      visibleUntil: "2027-05-05",
    });
  });

  it("of a sole trader has nothing of the person", async () => {
    const found = await caseRead(TRADER);
    expect(found).toMatchObject({
      type: "debt_restructuring",
      isLegalPerson: false,
      kvkNumbers: ["90001002"],
      names: ["Klusbedrijf Fabel"],
      addresses: [{ postalCode: "3511BT", houseNumber: "3a-bis" }],
    });
    expect(JSON.stringify(found)).not.toMatch(/Achternaam|V\.L\.|1970|3512CD|Commissaris/);
  });

  it.each<Row>([
    ["without a business", { kvkNumber: "", tradeNames: "" }, {}],
    ["with a former trade name alone", { kvkNumber: "", tradeNames: formerly("Fabel") }, {}],
    ["with an unreadable number alone", { kvkNumber: "12345", tradeNames: "" }, {}],
  ])("of a person %s is private", async (_, changes) => {
    expect((await readOverTheWire({ ...TRADER, ...changes })).answer).toEqual({
      kind: "found",
      value: "private",
    });
  });

  it.each<Row>([
    ["a secret address", { address: SHOP, isAddressSecret: true }, { addresses: [] }],
    ["a former address", { address: addressOf("VRHN") }, { addresses: [] }],
    ["a postal address", { address: addressOf("CORR") }, { addresses: [] }],
    ["a former trade name", { ...TRADER, tradeNames: formerly("Oud", atShop) }, { names: [], addresses: [] }],
    [
      "no name of its own",
      { kvkNumber: "", name: "", tradeNames: tradeName("Fabel Montage") },
      { kvkNumbers: [], names: ["Fabel Montage"] },
    ],
    ["a lost zero", { kvkNumber: "9001001" }, { kvkNumbers: ["09001001"] }],
    ["blanks", { kvkNumber: " 9000 1001 " }, { kvkNumbers: ["90001001"] }],
    ["the placeholder", { kvkNumber: "00000000" }, { kvkNumbers: [] }],
    ["five digits", { kvkNumber: "12345" }, { kvkNumbers: [] }],
    ["twelve digits", { kvkNumber: "900010010000" }, { kvkNumbers: [] }],
    ["words", { kvkNumber: "onbekend" }, { kvkNumbers: [] }],
    [
      "the number of a trade name alone",
      { kvkNumber: "", tradeNames: tradeName("F", withNumber) },
      { kvkNumbers: ["90001003"] },
    ],
    [
      "numbers of its own and of a trade name",
      { tradeNames: tradeName("F", withNumber) },
      { kvkNumbers: ["90001001"] },
    ],
    [
      "the number of a former trade name",
      { kvkNumber: "", tradeNames: formerly("F", withNumber) },
      { kvkNumbers: [] },
    ],
  ])("with %s is read without guesses", async (_, changes, expected) => {
    expect(await caseRead(changes)).toMatchObject(expected);
  });

  it("reports unknown codes, without their text", async () => {
    const strange = published(
      ["1300", "2026-01-01"],
      ["1399", "2026-02-01"],
      ["<x>", "2026-02-01"],
      ["1307", "2026-03-01"],
    );
    expect(await readOverTheWire(strange)).toMatchObject({
      codes: ["1399", "other"],
    });
  });

  it.each<Row>([
    ["kind", { caseNumber: "W.16/26/100" }, {}],
    ["date of publication", published(["1317", "2026-03-01"], ["1300", "2026-02-31", "x"]), {}],
    ["code", published(["1300", "2026-02-01"], ["", "2026-01-01", "x"]), {}],
    ["end of visibility", { visibleUntil: "soon" }, {}],
    ["court", { court: { code: "42", letters: "mne", name: "" } }, {}],
    [
      "owner among several companies",
      {
        kvkNumber: "",
        tradeNames: ["90001003", "90001004"]
          .map((number) => tradeName("F", tag("KvKNummer", number)))
          .join(""),
      },
      { kvkNumbers: ["90001003", "90001004"] },
    ],
  ])("without a readable %s says nothing, and stops no other case", async (_, changes, expected) => {
    const found = await caseRead(changes);
    expect(found).toMatchObject({ kvkNumbers: ["90001001"], names: ["Fabel Bouw B.V."], ...expected });
    expect(found).not.toHaveProperty("since");
    expect(found).not.toHaveProperty("endedOn");
  });
});
