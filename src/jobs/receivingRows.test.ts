import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { unpackRow } from "./matchRow.ts";
import { type ListForm, receiveList } from "./receiving.ts";

async function received(body: string | Buffer, form: ListForm = "csv") {
  const { numbers, ...counts } = await receiveList(Readable.from([Buffer.from(body)]), form, "match");
  return { rows: numbers.map(unpackRow), ...counts };
}

const message = (body: string | Buffer, form?: ListForm) =>
  received(body, form).then(
    () => "accepted",
    (error: unknown) => (error instanceof Error ? error.message : ""),
  );

it("recognises columns by their Dutch or English headings, and keeps equal rows", async () => {
  const csv = [
    "Klantnummer;Bedrijfsnaam;Straat;Postcode;Plaats;KvK-nummer",
    "17;Bakkerij Korenaar;Korenstraat 12a;1234 ab;Tiel;",
    "18;Bakkerij Korenaar;Korenstraat 12a;1234 ab;Tiel;",
    "19;Veer;;;;KvK 50.000.012",
  ].join("\r\n");
  const query = {
    name: "Bakkerij Korenaar",
    city: "Tiel",
    postalCode: "1234 AB",
    street: "Korenstraat",
    houseNumber: "12a",
  };
  expect(await received(csv)).toEqual({
    rows: [
      { row: 1, id: "17", query: { ...query, houseNumber: expect.stringMatching(/^12-?A$/i) } },
      { row: 2, id: "18", query: { ...query, houseNumber: expect.stringMatching(/^12-?A$/i) } },
      { row: 3, id: "19", query: { name: "Veer", kvkNumber: "50000012" } },
    ],
    sent: 3,
    payable: 3,
    columns: {
      used: [
        { column: "Klantnummer", field: "id" },
        { column: "Bedrijfsnaam", field: "name" },
        { column: "Straat", field: "street" },
        { column: "Postcode", field: "postalCode" },
        { column: "Plaats", field: "city" },
        { column: "KvK-nummer", field: "kvkNumber" },
      ],
      unused: [],
    },
  });
});

it("reads JSON lines of objects and of names", async () => {
  const lines = [
    '{"id":7,"name":"Veer","city":"Tiel","isCustomer":true,"phone":null}',
    '"Bakkerij Korenaar"',
    '{"vatNumber":"nl 1234.56.782.b90"}',
  ].join("\n");
  expect((await received(lines, "jsonl")).rows).toEqual([
    { row: 1, id: "7", query: { name: "Veer", city: "Tiel" } },
    { row: 2, query: { name: "Bakkerij Korenaar" } },
    { row: 3, query: { vatNumber: "NL123456782B90" } },
  ]);
});

it("gives each invalid row an error of its own, which is free", async () => {
  const csv = "id,name,kvkNumber,rsin\na,Veer,,\nb,,123,\nc,,,12\nd,,,\n";
  const { rows, sent, payable } = await received(csv);
  expect({ sent, payable }).toEqual({ sent: 4, payable: 1 });
  expect(rows).toMatchObject([
    { row: 1, id: "a", query: { name: "Veer" } },
    { row: 2, id: "b", error: { code: "INVALID_KVK_NUMBER" } },
    { row: 3, id: "c", error: { code: "INVALID_REQUEST", message: "rsin must be exactly 9 digits" } },
    { row: 4, id: "d", error: { code: "INVALID_REQUEST" } },
  ]);
  const nested = await received('{"name":"Veer"}\n{"name":{"first":"Veer"}}\n{"colour":"red"}', "jsonl");
  expect(nested.rows[1]).toMatchObject({ row: 2, error: { message: 'the field "name" must be a text' } });
  expect(nested.rows[2]).toMatchObject({ row: 3, error: { code: "INVALID_REQUEST" } });
});

it("accepts a postal code with a house number, without a street", async () => {
  const { rows } = await received("postcode;huisnummer\n1234ab;12\n");
  expect(rows).toEqual([{ row: 1, query: { postalCode: "1234 AB", houseNumber: "12" } }]);
});

it("keeps a line break in a name apart from its words", async () => {
  const { rows } = await received('name\n"Bakkerij Korenaar\nAfdeling Inkoop"\n');
  expect(rows).toEqual([{ row: 1, query: { name: "Bakkerij Korenaar, Afdeling Inkoop" } }]);
});

it("refuses a file without a column that it recognises, and says what it found and what to do", async () => {
  expect(await message("kleur,maat\nrood,3\n")).toBe(
    'the first row has no column with a name, a number or an address; it has "kleur", "maat". Name the columns, for example name, city, postalCode, street, houseNumber, kvkNumber, rsin, vatNumber, lei, euid, website',
  );
  expect(await message('{"kleur":"rood"}', "jsonl")).toContain("line 1 has no field with a name");
  expect(await message("[1]", "jsonl")).toContain("line 1 must be a JSON object");
});

it("refuses text in another encoding, which would damage names", async () => {
  const latin1 = Buffer.from("name\nCafé Zeezicht\n", "latin1");
  expect(await message(latin1)).toContain('save it as "CSV UTF-8"');
  expect(await message(Buffer.from("Naam\nZwam\n", "utf16le"))).toContain("must be in UTF-8");
  expect(await message(Buffer.from('"Café"\n', "latin1"), "jsonl")).toContain("must be in UTF-8");
  expect((await received(`name\n${"x".repeat(4_090)}é\nCafé\n`)).rows.at(-1)).toMatchObject({
    query: { name: "Café" },
  });
});

it("refuses an empty file, and more than 100,000 rows", async () => {
  expect(await message("name\n")).toBe("the list is empty: send at least one row");
  expect(await message("")).toBe("the list is empty: send at least one row");
  expect(await message(`name\n${"a\n".repeat(100_001)}`)).toContain("at most 100000 rows");
});

it.each([
  ["70000049", "line 2 must be a JSON object"],
  ["null", "line 2 must be a JSON object"],
  ['["Veer","Tiel"]', "line 2 must be a JSON object"],
  ['{"name":"Veer"', "line 2 must be a JSON object"],
  ['{"colour":"red"}', "line 2 has no field with a name"],
  [
    `{${Array.from({ length: 1_001 }, (_, nth) => `"name${nth}":"x"`).join(",")}}`,
    "line 2 must be a JSON object of at most 1000 fields",
  ],
  [`{"name":"${"x".repeat(70_000)}"}`, "line 2 is longer than 65536 bytes"],
])("fails the row %.40s alone, and refuses a list of nothing else", async (line, said) => {
  const { rows, payable } = await received(`{"name":"Fabel"}\n${line}\n"Veer"`, "jsonl");
  expect(payable).toBe(2);
  expect(rows).toMatchObject([
    { query: { name: "Fabel" } },
    { row: 2, error: { code: "INVALID_REQUEST", message: expect.stringContaining(said) } },
    { query: { name: "Veer" } },
  ]);
  const first = await received(`${line}\n{"name":"Fabel"}`, "jsonl");
  expect(first.rows).toMatchObject([
    { row: 1, error: {} },
    { row: 2, query: {} },
  ]);
  expect(await message(`${line}\n${line}`, "jsonl")).toContain(said.replace("2", "1"));
});
