/** Finding the column of KVK numbers and reading its cells: by example, and for any content of a spreadsheet. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findIn, itemsOf } from "../../dashboard/src/pages/try/list/job/kinds.ts";
import { findColumn } from "../../dashboard/src/pages/try/list/job/kvkColumn.ts";
import { readNumber } from "../../dashboard/src/pages/try/list/job/lookupKind.ts";
import { readText } from "../../dashboard/src/pages/try/list/job/readText.ts";
import { defaultReading } from "../../dashboard/src/pages/try/list/job/source.ts";

const digits = (count: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: count, maxLength: count }).map((all) => all.join(""));
/** Eight digits that cannot be read as a date. */
const kvkNumbers = fc.integer({ min: 40_000_000, max: 99_999_999 }).map(String);
const shortNumbers = fc.integer({ min: 1_000_000, max: 9_999_999 }).map(String);
const written = (number: string) =>
  fc.constantFrom(
    number,
    ` ${number} `,
    `'${number}`,
    `\u00a0${number}\u200b`,
    `KVK ${number}`,
    `KvK-nummer: ${number}`,
    `${number}.0`,
    `${number},00`,
    `${number.slice(0, 4)} ${number.slice(4)}`,
    `${number.slice(0, 2)} ${number.slice(2, 5)} ${number.slice(5)}`,
    `${number.slice(0, 2)}.${number.slice(2, 5)}.${number.slice(5)}`,
    `${number.slice(0, 4)}-${number.slice(4)}`,
    `${number[0]}.${number.slice(1)}E7`,
  );
const AREAS: readonly (readonly [string, number])[] = [
  ["06", 8],
  ["020", 7],
  ["0183", 6],
  ["+31 6", 8],
  ["+31 (0)20", 7],
  ["(020)", 7],
  ["0031", 9],
];
const phones = fc
  .constantFrom(...AREAS)
  .chain(([area, rest]) => fc.tuple(fc.constant(area), fc.constantFrom("", " ", "-"), digits(rest)))
  .map((parts) => parts.join(""));
/** Texts of the characters of numbers, dates, phone numbers and amounts, in any order. */
const signs = fc
  .array(fc.constantFrom(..."0123456789 .,-+/()eEkv:'\u00a0\u200b"), { maxLength: 16 })
  .map((all) => all.join(""));
const days = fc.date({ min: new Date("1950-01-01"), max: new Date("2049-12-31"), noInvalidDate: true });

describe("a cell", () => {
  it("is read as the number that it shows, in any notation", () => {
    fc.assert(
      fc.property(
        kvkNumbers.chain((number) => fc.tuple(fc.constant(number), written(number))),
        ([number, text]) => {
          expect(readNumber(text)).toEqual({ kind: "number", number });
          expect(readNumber(Number(number))).toEqual({ kind: "number", number });
        },
      ),
    );
  });

  it("with seven digits has lost its leading zero, which is reported and restored", () => {
    fc.assert(
      fc.property(shortNumbers, (short) => {
        expect(readNumber(short)).toEqual({ kind: "short", number: `0${short}` });
        expect(readNumber(Number(short))).toEqual({ kind: "short", number: `0${short}` });
      }),
    );
  });

  it("with a phone number or a date is never read as a KVK number", () => {
    fc.assert(
      fc.property(phones, (phone) => {
        expect(readNumber(phone).kind, phone).toBe("other");
      }),
    );
    fc.assert(
      fc.property(days, fc.constantFrom("-", "/", "."), (day, sign) => {
        const [year = "", month = "", date = ""] = day.toISOString().slice(0, 10).split("-");
        expect(readNumber([date, month, year].join(sign)).kind).toBe("other");
        expect(readNumber([year, month, date].join(sign)).kind).toBe("other");
        expect(readNumber(day)).toEqual({ kind: "other", why: "date" });
      }),
    );
  });

  it("is read as eight digits or as no number, whatever it holds", () => {
    const anything = fc.oneof(
      fc.string(),
      signs,
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      digits(9),
      digits(12),
    );
    fc.assert(
      fc.property(anything, (cell) => {
        const read = readNumber(cell);
        if (read.kind === "number" || read.kind === "short") expect(read.number).toMatch(/^\d{8}$/);
      }),
    );
  });

  it.each([
    ["5,00E+07", "rounded"],
    ["0612345678", "phone"],
    ["000050000001", "length"],
    ["123456", "length"],
    ["0123456", "length"],
    ["12345678,9", "text"],
    ["NL123456782B01", "text"],
    ["onbekend", "text"],
    [true, "text"],
  ] as const)("%s is not a KVK number: %s", (cell, why) => {
    expect(readNumber(cell)).toEqual({ kind: "other", why });
  });

  it("that is empty or looks empty is read as empty", () => {
    for (const cell of [null, "", "  ", "\u00a0\u200b", "'"])
      expect(readNumber(cell)).toEqual({ kind: "empty" });
  });
});

const NAMES = [
  "kvk",
  "KVK-nummer",
  "KvK nr.",
  "kvkNumber",
  "Nummer Kamer van Koophandel",
  "coc",
  "CoC number",
  "cocNumber",
  "Dossiernummer",
  "Handelsregisternummer",
];

describe("the column of the numbers", () => {
  it.each(NAMES)("is the one named %s, at any position and below any rows", (name) => {
    const rows = [
      ["Overzicht 2026"],
      [],
      ["klantnummer", "naam", name, "telefoon"],
      ["10000001", "Veer", "50000001", "12345678"],
      ["10000002", "Brug", "1234567", "23456789"],
    ];
    expect(findColumn(rows)).toEqual({ column: 2, headRow: 2, by: "name" });
  });

  it("is found by its values among other kinds of columns", () => {
    const row = fc.record({
      number: kvkNumbers,
      phone: phones,
      day: days,
      amount: fc.double({ noNaN: true }),
      name: fc.lorem({ maxCount: 2 }),
    });
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 2, maxLength: 20 }),
        fc.integer({ min: 0, max: 4 }),
        (made, place) => {
          const rows = made.map(({ number, phone, day, amount, name }) => {
            const others: (string | number | Date)[] = [name, phone, day, amount];
            return [...others.slice(0, place), number, ...others.slice(place)];
          });
          expect(findColumn(rows)).toEqual({ column: place, headRow: undefined, by: "values" });
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([
    [
      "phone numbers",
      [
        ["naam", "nummer"],
        ["A", "0612345678"],
        ["B", "0201234567"],
      ],
    ],
    [
      "days without signs",
      [
        ["A", "20260131"],
        ["B", "19991231"],
        ["C", "31122020"],
      ],
    ],
    [
      "branch numbers",
      [
        ["vestigingsnummer", "x"],
        ["000050000001", "A"],
        ["000050000002", "B"],
      ],
    ],
    [
      "customer numbers",
      [
        ["Klantnummer", "x"],
        ["50000001", "A"],
        ["50000002", "B"],
      ],
    ],
    [
      "a column KVK with yes and no",
      [
        ["kvk", "naam"],
        ["ja", "A"],
        ["nee", "B"],
      ],
    ],
    [
      "unnamed seven-digit numbers",
      [
        ["nr", "naam"],
        ["1234567", "A"],
        ["7654321", "B"],
      ],
    ],
  ] as const)("is not guessed from %s", (_what, rows) => {
    expect(findColumn(rows).column).toBeUndefined();
  });

  it("yields each number once, and a reason for every row without one", () => {
    const rows = [["kvk"], ["50000001"], [1234567], [null], ["0612345678"], [50000001], ["KVK 50000002"]];
    const found = { kind: "list", columns: { kvkNumber: 0 }, headRow: 0 } as const;
    expect(itemsOf(rows, { ...found, completes: true })).toMatchObject({
      keys: ["50000001", "01234567", "50000002"],
      numbers: 3,
      skipped: 1,
      short: 1,
      other: 1,
      examples: ["0612345678"],
    });
    const asIs = itemsOf(rows, { ...found, completes: false });
    expect(asIs.keys).toEqual(["50000001", "50000002"]);
    expect(asIs.rows.map(({ at, why }) => [at, why])).toContainEqual([2, "length"]);
  });
});

describe("pasted text", () => {
  const numbersIn = (text: string) => {
    const { rows } = readText(text);
    const { keys, numbers } = itemsOf(rows, defaultReading(findIn(rows)));
    return keys.slice(0, numbers);
  };

  it.each([
    ["one per line", "50000001\n50000002\n"],
    ["between commas and spaces", "50000001, 50000002"],
    ["between spaces", "50000001 50000002"],
    ["in one line of cells", "50000001;50000002"],
    ["in lines of any length", "50000001, 50000002, 0612345678\n50000002"],
    ["next to similar customer numbers", "klant;kvk\n10000001;50000001\n10000002;50000002"],
    ["with a header row", "kvkNumber\r\n50000001\r\n50000002"],
    ["in the column with that name", "naam,KVK-nummer,jaar\nA,50000001,20200101\nB,50000002,20210101\n"],
    ["in the column with such values", "Bakkerij;50000001;Utrecht\nVeer;50000002;Zwolle"],
    ["in quoted cells", '"naam","kvk"\n"Korst, de","50000001"\n"Veer ""het""\nover","50000002"'],
    ["twice", "50000001\n50000002\n50000001"],
    ["separated by tabs, as copied from a spreadsheet", "naam\tkvk\nA\t50000001\nB\t50000002"],
    ["below Excel's separator line", "sep=|\r\nnaam|kvk\r\nA;B|50000001\r\nC|50000002"],
    ["after a byte order mark", "\uFEFFkvk;naam\r\n50000001;A\r\n50000002;B"],
  ])("is read: %s", (_how, text) => {
    expect(numbersIn(text)).toEqual(["50000001", "50000002"]);
  });

  it.each(["sep=;", '"sep=;"', "sep=;;", '"sep=;";'])("drops the separator line %s", (line) => {
    expect(readText(`${line}\r\nnaam;kvk\r\nA;50000001\r\n`).rows[0]).toEqual(["naam", "kvk"]);
  });

  it("with several numbers on a line keeps each of them, and keeps other texts unchanged", () => {
    const { rows } = readText("50000001 59999998\n06 12345678\n1234567");
    expect(rows).toEqual([["50000001"], ["59999998"], ["06 12345678"], ["1234567"]]);
  });

  it("with phone numbers yields no KVK numbers", () => {
    expect(numbersIn("06 12345678\n020 1234567\n0183-123456\n0612345678")).toEqual([]);
    expect(numbersIn("bel 06 12345678\nof 020 1234567")).toEqual([]);
  });
});
