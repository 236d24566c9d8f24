/** Lists of names: the columns that are recognised, the queries of the rows, and the file with its results. */
import { describe, expect, it } from "vitest";
import { addedColumns } from "../../dashboard/src/pages/try/list/job/addedColumns.ts";
import { type Answer, answerIn, countOf } from "../../dashboard/src/pages/try/list/job/answers.ts";
import { findIn, itemsOf, linesOf } from "../../dashboard/src/pages/try/list/job/kinds.ts";
import { readText } from "../../dashboard/src/pages/try/list/job/readText.ts";
import { defaultReading, hasColumns, readingAs } from "../../dashboard/src/pages/try/list/job/source.ts";
import { rowReader } from "../../src/match/rowQueries.ts";

/** Reads a text as the page does. */
function read(text: string, kind?: "match") {
  const { rows } = readText(text);
  const found = findIn(rows);
  const reading = kind === undefined ? defaultReading(found) : readingAs(kind, found);
  const items = itemsOf(rows, reading);
  const sent = linesOf(rows, reading, items.keys).map((line) => JSON.parse(line) as unknown);
  return { rows, reading, items, sent };
}

describe("the columns of a list of names", () => {
  it.each([
    [
      "Dutch titles, separated by semicolons",
      "Bedrijfsnaam;Straat;Huisnummer;Toevoeging;Postcode;Plaats\nVeer B.V.;Kade;17;M;1234AB;Rijdam",
      { name: "Veer B.V.", street: "Kade", houseNumber: "17-M", postalCode: "1234 AB", city: "Rijdam" },
    ],
    [
      "English titles, separated by commas",
      'Company name,Address line 1,Zip code,City,VAT ID,Website\n"Veer, Inc.",Kade 17,1234 AB,Rijdam,NL123456782B01,veer.example',
      {
        ...{ name: "Veer, Inc.", street: "Kade", houseNumber: "17", postalCode: "1234 AB", city: "Rijdam" },
        ...{ vatNumber: "NL123456782B01", website: "veer.example" },
      },
    ],
    [
      "titles below other rows",
      "Debiteuren 2026\n\nNr;Debiteurnaam;RSIN\n1;Veer;123456782",
      { name: "Veer", rsin: "123456782" },
    ],
    [
      "one column with the whole address",
      "Naam\tBezoekadres\nVeer\tKade 17, 1234 AB Rijdam",
      { name: "Veer", street: "Kade", houseNumber: "17", postalCode: "1234 AB", city: "Rijdam" },
    ],
    [
      "a street column that includes the number",
      "Relatienaam;Straat en huisnummer;Woonplaats\nVeer;Kade 17;Rijdam",
      { name: "Veer", street: "Kade", houseNumber: "17", city: "Rijdam" },
    ],
    [
      "no titles: name, postal code and city by their values",
      "K1;Veer B.V.;1234 AB;Rijdam\nK2;Stichting Brug;2345 BC;Zwolle",
      { name: "Veer B.V.", postalCode: "1234 AB", city: "Rijdam" },
    ],
    [
      "no titles: the whole address by its values",
      "Veer B.V.;Kade 17, 1234 AB Rijdam\nBrug N.V.;Kaai 2, 2345 BC Zwolle",
      { name: "Veer B.V.", street: "Kade", houseNumber: "17", postalCode: "1234 AB", city: "Rijdam" },
    ],
    ["no titles and one column", "Veer B.V.\nBrug\nStichting Molen", { name: "Veer B.V." }],
    ["only a statutory name", "Statutaire naam;Land\nVeer;NL", { name: "Veer" }],
    [
      "cells of a spreadsheet and HTML entities",
      'Naam;RSIN\n"Veer &amp; Brug";="123456782"',
      { name: "Veer & Brug", rsin: "123456782" },
    ],
  ])("are recognised: %s", (_what, text, query) => {
    const { reading, items, sent } = read(text);
    expect(reading.kind).toBe("list");
    expect(items.previewQueries[0]?.query).toEqual(query);
    expect(sent[0]).toEqual(query);
  });

  it("are used in the rows without a KVK number, which other rows are looked up by", () => {
    const text = "Naam;KvK;Plaats\nVeer;50000001;Rijdam\nBrug;geen;Zwolle\n";
    expect(read(text).reading).toMatchObject({ kind: "list", columns: { kvkNumber: 1, name: 0, city: 2 } });
    expect(read(text).sent).toEqual(["50000001", { name: "Brug", city: "Zwolle" }]);
    // As an earlier version of the page did.
    expect(read(text, "match").sent).toEqual([
      { name: "Veer", city: "Rijdam", kvkNumber: "50000001" },
      { name: "Brug", city: "Zwolle", kvkNumber: "geen" },
    ]);
  });

  it("of a list with neither numbers nor names are missing, which is reported", () => {
    for (const text of ["1;2\n3;4", "0612345678\n0201234567"]) {
      const { reading, items } = read(text);
      expect(hasColumns(reading)).toBe(false);
      expect(items.keys).toEqual([]);
    }
  });
});

describe("the rows of a list of names", () => {
  const text =
    "Naam;Plaats;Btw;Postcode;Huisnr\nVeer;Rijdam;DE136695976;;\nVeer;Rijdam;;;\n;Zwolle;;;\n;;NL123;;\n;;;1234 AB;17\n\n";

  it("are never merged, and those without a query are skipped", () => {
    const { items, sent } = read(text);
    expect(items.rows.map(({ text, key, why }) => [text, key, why])).toEqual([
      ["Veer, Rijdam", "1", undefined],
      ["Veer, Rijdam", "2", undefined],
      ["Zwolle", undefined, "invalid"],
      ["NL123", undefined, "invalid"],
      ["17 1234 AB", "5", undefined],
    ]);
    expect(items).toMatchObject({ keys: ["1", "2", "5"], numbers: 0, skipped: 2, isTooLarge: false });
    // The service leaves a foreign VAT number out, with a note.
    expect(sent).toEqual([
      { name: "Veer", city: "Rijdam", vatNumber: "DE136695976" },
      { name: "Veer", city: "Rijdam" },
      { postalCode: "1234 AB", houseNumber: "17" },
    ]);
  });

  it.each([
    ["n.v.t.;n.v.t.", "invalid"],
    ["-;zie dossier", "invalid"],
    [";06-12345678", "phone"],
    [";12", "length"],
    ["Totaal;", "total"],
    ["Veer;0612345678", undefined],
    [`${"V".repeat(701)};`, "tooLong"],
  ] as const)("with a number or a name are skipped with the reason: %s", (row, why) => {
    const { items } = read(`Naam;KvK\nVeer;50000001\n${row}`);
    expect(items.rows[1]).toMatchObject({ why });
    expect(items.skipped).toBe(why === undefined ? 0 : 1);
  });

  it("are read again by the service as the same queries", () => {
    const lines = read(
      "Naam;Adres\nVeer & Zn.;Plein 1940 12 a, 1234 AB 's-Gravenhage\nBrug;Postbus 200, 2345 BC Zwolle",
    ).sent as Record<string, string>[];
    for (const line of lines) expect(rowReader(Object.keys(line))?.(Object.values(line)).sent).toEqual(line);
  });

  it("are too large together when the service would refuse them", () => {
    const rows = Array.from({ length: 100_000 }, () => ["V".repeat(680)]);
    const reading = { kind: "match", columns: { name: 0 }, headRow: undefined, completes: true } as const;
    expect(itemsOf(rows.slice(0, 1_000), reading).isTooLarge).toBe(false);
    expect(itemsOf(rows, reading).isTooLarge).toBe(true);
  });

  it("of a preview are ten without a number, spread over the list, the hardest of each part", () => {
    const rowOf = (index: number) =>
      index % 10 === 7
        ? `T.a.v. Veer ${index};;`
        : `Veer B.V.;${index % 2 === 0 ? 50_000_000 + index : ""};Rijdam`;
    const many = ["Naam;KvK;Plaats", ...Array.from({ length: 100 }, (_, index) => rowOf(index))].join("\n");
    const { items } = read(many);
    expect(items.numbers).toBe(50);
    expect(items.previewQueries.map(({ key }) => key)).toEqual(
      Array.from({ length: 10 }, (_, part) => String(10 * part + 8)),
    );
  });

  it.each([
    ["a number and a name", "Veer;50000001;Rijdam", "50000001", undefined, false],
    ["a number in another notation", "Veer;KVK 5000.0001;", "50000001", undefined, false],
    ["a number that lost its zero", "Veer;1234567;", "01234567", undefined, false],
    ["a malformed number next to a name", "Veer;123;Rijdam", "1", undefined, true],
    ["no number but a word", "Veer;n.v.t.;Rijdam", "1", undefined, false],
    ["a number in place of the name", "50000001;;Rijdam", "50000001", undefined, false],
    ["a malformed number alone", ";123;", undefined, "length", true],
    ["a phone number alone", ";0612345678;", undefined, "phone", true],
    ["only a city", ";;Rijdam", undefined, "invalid", false],
    ["a name that is too long", `${"Veer ".repeat(150)};;Rijdam`, undefined, "tooLong", false],
    ["a total", "Totaal;;", undefined, "total", false],
    ["a total in another column", ";;Subtotaal:", undefined, "total", false],
    ["a company whose name begins like a total", "Totaal Techniek B.V.;;", "1", undefined, false],
    ["a company named like a total, in a city", "Totaal;;Rijdam", "1", undefined, false],
  ] as const)(
    "with %s are sent as they can be, and otherwise say why not",
    (_what, line, key, why, hasUnusable) => {
      // A second row decides about the columns.
      const { items } = read(`Naam;KvK;Plaats\n${line}\nBrug;50000009;Zwolle\nKade;50000008;Zwolle`);
      expect(items.rows[0]).toMatchObject({ key, why, hasUnusable });
    },
  );

  it("keep lost zeros away without consent, and then match such a row by its name", () => {
    const { rows, reading } = read("Naam;KvK\nVeer;1234567\nBrug;50000001");
    expect(reading.completes).toBe(true);
    expect(itemsOf(rows, reading)).toMatchObject({ keys: ["01234567", "50000001"], short: 1 });
    expect(itemsOf(rows, { ...reading, completes: false })).toMatchObject({
      keys: ["50000001", "1"],
      numbers: 1,
    });
  });

  it.each([
    ["mostly names", "50000001\nVeer\nBrug\nKade\n50000002", ["Veer", "Brug", "Kade"]],
    ["one per line", "Veer B.V.\n50000001\nBrug\n50000002", ["Veer B.V.", "Brug"]],
    [
      "names with a city",
      "Veer B.V., Rijdam\n50000001\nBrug, Zwolle\n50000002",
      ["Veer B.V., Rijdam", "Brug, Zwolle"],
    ],
  ])("may be pasted among numbers: %s", (_what, text, names) => {
    const { items } = read(text);
    expect(items.keys.slice(0, items.numbers)).toEqual(["50000001", "50000002"]);
    expect(items.rows.filter(({ key = "" }) => key.length < 8).map((row) => row.text)).toEqual(names);
  });
});

const candidate = (kvkNumber: string, score: number, match = false) => ({
  ...{ kvkNumber, name: `Veer ${score}`, city: "Rijdam", isActive: true, score, match },
  features: { name: 1 },
});
const lineOf = (row: number, result: object) => JSON.stringify({ row, id: "K1", ...result });
const KEYS = ["4", "7", "9", "12"];
const ANSWERS: readonly Answer[] = [
  lineOf(1, { result: { decision: "matched", candidates: [candidate("50000001", 99.1, true)] } }),
  lineOf(2, {
    result: { decision: "ambiguous", candidates: [candidate("50000002", 50), candidate("50000003", 48)] },
  }),
  lineOf(3, { result: { decision: "none", candidates: [] } }),
  lineOf(4, { error: { code: "INTERNAL_ERROR", message: "" } }),
].map((line) => answerIn(line, KEYS));

describe("the results of a list of names", () => {
  it("belong to the rows that were sent, without the features", () => {
    expect(ANSWERS.map(({ key }) => key)).toEqual(KEYS);
    expect(JSON.stringify(ANSWERS)).not.toContain("features");
    expect(ANSWERS[0]).toMatchObject({ result: { candidates: [{ kvkNumber: "50000001" }] } });
  });

  it("are counted by decision, and as chosen when a person decided", () => {
    const answers = new Map(ANSWERS.map((answer) => [answer.key, answer]));
    expect(countOf(answers)).toMatchObject({
      matched: 1,
      ambiguous: 1,
      none: 1,
      noAnswer: 1,
      chosen: 0,
      done: 4,
    });
    const choices = new Map([["7", "50000003"]]);
    expect(countOf(answers, choices)).toMatchObject({ matched: 1, ambiguous: 0, chosen: 1, done: 4 });
  });

  it.each([
    [0, undefined, ["Gekoppeld", "50000001", "Veer 99.1", "Rijdam", 99.1, "", ""]],
    [1, undefined, ["Te beoordelen", "", "", "", "", "", expect.stringContaining("Kies zelf")]],
    [1, "50000003", ["Gekoppeld", "50000003", "Veer 48", "Rijdam", 48, "ja", ""]],
    [1, null, ["Geen match", "", "", "", "", "ja", ""]],
    [2, undefined, ["Geen match", "", "", "", "", "", expect.stringContaining("waarschijnlijk niet")]],
    [
      3,
      undefined,
      ["Geen antwoord", "", "", "", "", "", expect.stringContaining("zegt niets over het bedrijf")],
    ],
  ] as const)("fill the added columns: answer %i, choice %s", (index, choice, cells) => {
    const columns = addedColumns("match", "nl", ["naam"], true);
    expect(columns.titles).toEqual([
      "Koppeling",
      "KVK-nummer",
      "Naam (Opzoek)",
      "Plaats",
      "Score",
      "Zelf gekozen",
      "Toelichting",
    ]);
    const answer = ANSWERS[index];
    const row = { at: 4, text: "Veer", key: answer?.key, why: undefined };
    expect(columns.cells(row, answer, choice)).toEqual(cells);
  });

  it.each([
    [false, false, []],
    [false, true, ["Zelf gekozen"]],
    [true, false, ["Score"]],
    [true, true, ["Score", "Zelf gekozen"]],
  ])(
    "have only the columns that a list with numbers needs: rows %s, choices %s",
    (hasRows, hasChoices, more) => {
      const { titles } = addedColumns("basic", "nl", [], hasChoices, hasRows);
      const usual = ["KVK-nummer", "Naam", "Postcode", "Plaats", "Actief", "Resultaat"];
      expect(titles).toEqual([...usual, ...more, "Toelichting"]);
    },
  );

  it("have a column for the choices of a person only if there are any, and no title twice", () => {
    const titlesWith = (taken: readonly string[]) => addedColumns("match", "nl", taken, false).titles;
    expect(titlesWith(["naam"])).not.toContain("Zelf gekozen");
    const twice = titlesWith(["Naam", ...titlesWith(["Naam"])]);
    expect(twice).toContain("Naam (Opzoek) (Opzoek)");
    expect(twice).toContain("Score (Opzoek)");
  });
});
