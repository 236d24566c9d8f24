import { once } from "node:events";
import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { JobKind } from "../contract/jobs.ts";
import type { ReceivedList } from "./listCollector.ts";
import { type ListForm, receiveList } from "./receiving.ts";

function received(text: string | Buffer, form: ListForm, kind: JobKind = "lookup"): Promise<ReceivedList> {
  const bytes = Buffer.from(text);
  const parts = Array.from({ length: Math.ceil(bytes.length / 3) }, (_, index) =>
    bytes.subarray(index * 3, index * 3 + 3),
  );
  return receiveList(Readable.from(parts, { objectMode: false }), form, kind);
}

const message = (list: Promise<unknown>) =>
  list.then(
    () => "taken",
    (error: unknown) => (error instanceof Error ? error.message : ""),
  );

it("names the missing column or field in its usual spelling", async () => {
  expect(await message(received("foo\n1", "csv"))).toBe(
    "the first row must contain the column names, with a column kvkNumber",
  );
  expect(await message(received("foo\n1", "csv", "vat"))).toContain("vatNumber");
  expect(await message(received("{}", "jsonl", "vat"))).toContain("the field vatNumber");
});

describe("JSON lines", () => {
  it("are texts or objects; each number counts once, in order", async () => {
    const text = '"51234567"\n\n{"kvkNumber":"00000002","x":1}\r\n"51234567"\n{"KvK nummer": "12"}';
    expect(await received(text, "jsonl")).toEqual({
      numbers: ["51234567", "00000002", "12"],
      sent: 4,
      payable: 2,
      columns: { used: [{ column: "kvkNumber", field: "kvkNumber" }], unused: ["x"] },
    });
  });

  it("of VAT numbers recognise two notations of one number", async () => {
    const text = '"NL123456782B90"\n"nl 1234.56.782.b90"\n"GB1"\n{"vatNumber":"DE 123456788"}\n';
    expect(await received(text, "jsonl", "vat")).toMatchObject({ sent: 4, payable: 2 });
    const odd = ["DE+136+695+976", "DE 136,695 976", "DE\u200b136695976", "de: 136695976"];
    for (const [list, form] of [
      [odd.map((number) => JSON.stringify(number)).join("\n"), "jsonl"],
      [`vat\n${odd.map((number) => `"${number}"`).join("\n")}`, "csv"],
    ] as const) {
      expect(await received(list, form, "vat")).toMatchObject({ numbers: [odd[0]], sent: 4, payable: 1 });
    }
  });

  it.each([
    ["51234567\n", /line 1: kvkNumber must be a string/],
    ['{"kvkNumber":51234567}', /line 1: kvkNumber must be a string/],
    ['{"KvK-nummer":["51234567"]}\n{"kvk":{"number":"51234567"}}', /line 1: kvkNumber must be a string/],
    ['{"name":"x"}\n{"kvk":true}', /line 1 is not JSON with kvkNumber/],
    ["null", /line 1: kvkNumber must be a string/],
    ["\n{", /line 2 is not JSON with kvkNumber/],
    ['"1\\u0000"', /number 1 has a control character/],
    ["", /the list is empty/],
    ["\n \n", /the list is empty/],
    [`"${"1".repeat(70_000)}"`, /line 1 is longer than 65536 bytes/],
    [
      `{${Array.from({ length: 1_001 }, (_, nth) => `"${nth}":1`).join(",")}}`,
      /line 1 is not JSON with kvkNumber/,
    ],
  ])("that are invalid are refused with their line: %#", async (text, said) => {
    expect(await message(received(text, "jsonl"))).toMatch(said);
  });

  it.each<readonly [string, "kvk" | "vat", string]>([
    ["51234567", "kvk", "line 2: kvkNumber must be a string"],
    ['{"btw-nummer":123456782}', "vat", "line 2: vatNumber must be a string"],
    ['{"kvkNumber":["51234567"]}', "kvk", "line 2: kvkNumber must be a string"],
    ['{"kvkNumber":{"value":"51234567"}}', "kvk", "line 2: kvkNumber must be a string"],
    ["true", "kvk", "line 2: kvkNumber must be a string"],
    ['{"city":"Tiel"}', "vat", "line 2 is not JSON with vatNumber"],
    ['"51234567', "kvk", "line 2 is not JSON with kvkNumber"],
    [`"${"x".repeat(70_000)}"`, "kvk", "line 2 is longer than 65536 bytes"],
    ['"5123\\u00004567"', "kvk", "number 2 has a control character"],
    [
      `{${Array.from({ length: 1_001 }, (_, nth) => `"${nth}":1`).join(",")}}`,
      "vat",
      "line 2 is not JSON with vatNumber",
    ],
    ['{"kvkNumber":null}', "kvk", ""],
  ])("fails the line %.40s of a list alone", async (line, kind, said) => {
    const first = kind === "kvk" ? "50000012" : "NL123456782B01";
    const list = await received(`"${first}"\n${line}\n"x"\n`, "jsonl", kind === "kvk" ? "lookup" : "vat");
    expect(list).toMatchObject({ numbers: [first, said, "x"], sent: 3, payable: 1 });
  });

  it("in another encoding are refused", async () => {
    expect(await message(received(Buffer.from([0x22, 0xff, 0xfe, 0x22]), "jsonl"))).toMatch(/UTF-8/);
  });

  it("of any content are accepted or refused without a crash", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom("jsonl", "csv"),
        async (bytes, form) => {
          expect(await message(received(Buffer.from(bytes), form))).toMatch(/taken|line|UTF-8|number|row/);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("CSV", () => {
  it.each([
    "kvkNumber,name\n51234567,x\n00000002,y\n",
    "\ufeffnaam;KVK-nummer\r\nx;51234567\r\ny;00000002",
    'name\tkvk\n"a\nb"\t51234567\nc\t"00000002"\n',
  ])("uses the column in its first row: %s", async (text) => {
    expect((await received(text, "csv")).numbers).toEqual(["51234567", "00000002"]);
  });

  it.each([
    ["51234567\n00000002", /first row/],
    ["", /the list is empty/],
    ["kvkNumber\n", /the list is empty/],
    [`kvkNumber${"x".repeat(70_000)}\n1`, /line 1 is longer than 65536 bytes/],
    [`kvkNumber${",x".repeat(1_000)}\n1`, /line 1 has more than 1000 columns: send only/],
  ])("that is invalid is refused, with its line: %#", async (text, said) => {
    expect(await message(received(text, "csv"))).toMatch(said);
  });
});

it.each<[string, string, readonly string[]]>([
  ["a quote that is not closed", 'kvk,name\n51234567,"x\n00000002,y', ["51234567", "00000002"]],
  ["text behind a closing quote", 'name,kvk\n"A" B.V.,51234567\n"C, D",2', ["51234567", "2"]],
  ["a quote within a cell", 'kvk,name\n="51234567",5" vinyl\n', ['="51234567"']],
  ["a quoted line break", 'name,kvk\n"a\n""b""\n",51234567\n', ["51234567"]],
  ["a long cell", `name,kvk\n${"x".repeat(60_000)},51234567`, ["51234567"]],
  ["999 other columns", `kvk${",x".repeat(999)}\n51234567${",y".repeat(999)}`, ["51234567"]],
  ["more cells than columns", `kvk,name\n51234567${",".repeat(60_000)}`, ["51234567"]],
  [
    "the line breaks of old spreadsheets",
    "name\rkvk\r".replace("\r", ",").concat("a,51234567\rb,2"),
    ["51234567", "2"],
  ],
  ["a line with the delimiter", "sep=;\r\nkvk;name\r\n51234567;a,b\r\n", ["51234567"]],
])("CSV with %s loses no row", async (_what, text, numbers) => {
  expect((await received(text, "csv")).numbers).toEqual(numbers);
});

it.each<[string, string, ListForm, readonly string[]]>([
  ["the clearest heading", "Nummer;Naam;KvK-nummer\n60000024;x;60000012", "csv", ["60000012"]],
  ["the clearest field", '{"nummer":"60000024","kvkNumber":"60000012"}', "jsonl", ["60000012"]],
  ["a field that is null", '"1"\n{"kvkNumber":null}\n"2"', "jsonl", ["1", "", "2"]],
  ["a vertical bar between columns", "naam|kvk\nx; y, z|60000012", "csv", ["60000012"]],
  [
    "a long cell behind the number",
    `kvk;note\n60000012;${"x".repeat(200_000)}\n60000024;y`,
    "csv",
    ["60000012", "60000024"],
  ],
  [
    "a long cell before the number",
    `note;kvk\r\na;1\r\n\r\n${"x".repeat(140_000)}${'";"'.repeat(9)};60000012\r\ny;60000024`,
    "csv",
    ["1", "line 4 is longer than 65536 bytes", "60000024"],
  ],
  [
    "a long line of JSON",
    `"1"\n"${"1".repeat(70_000)}"\n"2"`,
    "jsonl",
    ["1", "line 2 is longer than 65536 bytes", "2"],
  ],
])("a list with %s has the right numbers, and none is lost", async (_what, text, form, numbers) => {
  expect((await received(text, form)).numbers).toEqual(numbers);
});

describe("a list", () => {
  it("has at most 100,000 numbers, each counted once", async () => {
    const lines = (count: number) =>
      Buffer.from(
        Array.from({ length: count }, (_, index) => `"${String(index).padStart(8, "0")}"\n`).join(""),
      );
    const of = (bytes: Buffer) => receiveList(Readable.from([bytes, bytes]), "jsonl", "lookup");
    expect(await of(lines(100_000))).toMatchObject({ sent: 200_000, payable: 100_000 });
    expect(await message(of(lines(100_001)))).toMatch(/100000 numbers/);
  });

  it("of any length yields the event loop after every few hundred numbers, and leaves no listeners", async () => {
    const warnings: string[] = [];
    const warned = ({ name }: Error) => warnings.push(name);
    process.on("warning", warned);
    onTestFinished(() => void process.off("warning", warned));
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);
    const bytes = Buffer.from(`vat\n${"NL123456782B90\n".repeat(40_000)}`);
    const list = await receiveList(Readable.from([bytes], { objectMode: false }), "csv", "vat");
    clearInterval(counting);
    expect(list).toMatchObject({ sent: 40_000, payable: 1 });
    expect([warnings, turns > 5]).toEqual([[], true]);
  });

  it("of CSV that is refused for its first row is discarded to its end", async () => {
    const parts = Array<Buffer>(100).fill(Buffer.from("a,b\n".repeat(15_000)));
    const stream = Readable.from(parts, { objectMode: false });
    const hasEnded = once(stream, "end");
    expect(await message(receiveList(stream, "csv", "lookup"))).toMatch(/first row/);
    await hasEnded;
  });

  it("has at most 8 MB, of which an excess is discarded, and must be complete", async () => {
    const part = Buffer.from(`"51234567"\n${"\n".repeat(60_000)}`);
    const large = Readable.from(Array<Buffer>(200).fill(part), { objectMode: false });
    const hasEnded = once(large, "end");
    expect(await message(receiveList(large, "jsonl", "lookup"))).toMatch(/bytes/);
    await hasEnded;
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('"51234567"\n');
        throw new Error("aborted");
      })(),
      { objectMode: false },
    );
    expect(await message(receiveList(broken, "jsonl", "lookup"))).toMatch(/was cut off/);
  });
});
