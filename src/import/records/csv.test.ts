import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CsvOptions, CUT_FAULT, ENCODING_FAULT, QUOTE_FAULT, readCsv } from "./csv.ts";

async function* pieces(text: string | Buffer, size = 7): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string | Buffer, options: Partial<CsvOptions> = {}, size?: number) {
  const file = await readCsv(pieces(text, size), { encoding: "utf8", ...options });
  const rows: (readonly string[])[] = [];
  const faults: [number, string][] = [];
  const lines: number[] = [];
  if (file !== undefined) {
    for await (const row of file.rows) {
      lines.push(row.line);
      if ("cells" in row) rows.push(row.cells);
      else faults.push([row.line, row.rejection.reason]);
    }
  }
  return { header: file?.header, rows, faults, lines };
}

const cell = fc.string({
  unit: fc.constantFrom('"', ";", ",", "\t", "\n", "\r\n", " ", "a", "é", "漢", "1"),
});

describe("reading CSV", () => {
  it("reads any table, with any delimiter, line break and chunking", async () => {
    const table = fc.array(fc.tuple(cell, cell, cell), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom(";", ",", "\t"),
        fc.constantFrom("\n", "\r\n"),
        fc.integer({ min: 1, max: 40 }),
        async (rows, delimiter, lineBreak, size) => {
          const written = [["kvk", "naam", "plaats"], ...rows].map((cells) =>
            cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter),
          );
          const found = await read(written.join(lineBreak), {}, size);
          expect(found.rows).toEqual(rows.filter((cells) => cells.some((text) => text !== "")));
          expect(found.faults).toEqual([]);
        },
      ),
    );
  });

  it("detects the delimiter in the header outside quotes", async () => {
    expect((await read('"a;b;c",kvk\n1,2')).header).toEqual(["a;b;c", "kvk"]);
    expect((await read("kvk\tnaam, plaats\n1\t2")).header).toEqual(["kvk", "naam, plaats"]);
    expect(await read("sep=;\r\nkvk;naam\r\n1;x,y\r\n")).toMatchObject({ rows: [["1", "x,y"]], lines: [3] });
  });

  it("ignores a byte order mark, empty lines and rows of delimiters only", async () => {
    const found = await read("\ufeffkvk,naam\n\n1,a\n,\n\r\n2,b");
    expect(found).toMatchObject({
      header: ["kvk", "naam"],
      rows: [
        ["1", "a"],
        ["2", "b"],
      ],
      lines: [3, 6],
    });
  });

  it("keeps a quote within a cell", async () => {
    expect((await read('kvk,naam\n1,Café "De Hoek"\n2,5" vinyl')).rows).toEqual([
      ["1", 'Café "De Hoek"'],
      ["2", '5" vinyl'],
    ]);
  });

  it.each([1, 5, 1000])("loses only one row to a bad quote (chunks of %i bytes)", async (size) => {
    const text = 'kvk,naam\n1,"open\n2,b\n3,"c" d\n4,"over\ntwo lines"\n5,e\n6,"open';
    expect(await read(text, {}, size)).toEqual({
      header: ["kvk", "naam"],
      rows: [
        ["2", "b"],
        ["4", "over\ntwo lines"],
        ["5", "e"],
      ],
      faults: [
        [2, QUOTE_FAULT],
        [4, QUOTE_FAULT],
        [8, CUT_FAULT],
      ],
      lines: [2, 3, 4, 5, 7, 8],
    });
  });

  it("loses only one row to a wrong number of cells, and ignores empty cells at the end", async () => {
    const found = await read("kvk,naam\n1,a,b\n2\n3,c,,\n4,d");
    expect(found.rows).toEqual([
      ["3", "c"],
      ["4", "d"],
    ]);
    expect(found.faults.map(([line]) => line)).toEqual([2, 3]);
  });

  it("loses only one row to invalid UTF-8, and reads Windows-1252 on request", async () => {
    const bytes = Buffer.concat([
      Buffer.from("kvk,naam\n1,Caf"),
      Buffer.from([0xe9, 0x80]),
      Buffer.from("\n2,b"),
    ]);
    expect(await read(bytes)).toMatchObject({ rows: [["2", "b"]], faults: [[2, ENCODING_FAULT]] });
    expect((await read(bytes, { encoding: "latin1" })).rows).toEqual([
      ["1", "Café€"],
      ["2", "b"],
    ]);
  });

  it("loses only one row to its excessive length", async () => {
    const text = `kvk,naam\n1,${"x".repeat(2 ** 20)}\n2,b\n3,"${`${"y".repeat(1023)}\n`.repeat(1100)}\n4,d`;
    const { rows, faults } = await read(text, {}, 65_536);
    expect(faults.slice(0, 2)).toEqual([
      [2, "is longer than 1 MiB"],
      [4, "is longer than 1 MiB"],
    ]);
    expect([rows[0], rows.at(-1)]).toEqual([
      ["2", "b"],
      ["4", "d"],
    ]);
  });

  it("yields only rows with a given text, and counts the others", async () => {
    let others = 0;
    const onOther = () => {
      others += 1;
    };
    const found = await read("kvk,naam\n1,a\n2,b\n3,a\n", { only: Buffer.from(",a"), onOther });
    expect([found.rows, others]).toEqual([
      [
        ["1", "a"],
        ["3", "a"],
      ],
      1,
    ]);
  });
});
