import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ImportRefused } from "../outcome.ts";
import { MAX_JSON_BYTES, readJsonLines, readJsonValues } from "./json.ts";

async function* pieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size = 11) {
  const found: [number, string][] = [];
  for await (const { line, bytes, fault } of readJsonValues(pieces(text, size), "file.json")) {
    found.push([line, fault ?? bytes.toString()]);
  }
  return found;
}

const records = fc.array(
  fc.record({ a: fc.jsonValue(), b: fc.string({ unit: fc.constantFrom(...'{}[]",\\\n é') }) }),
  {
    minLength: 1,
    maxLength: 6,
  },
);

describe("reading JSON", () => {
  it("finds the same records in every form, with any chunking", async () => {
    const forms: ((values: readonly object[]) => string)[] = [
      (values) => values.map((value) => JSON.stringify(value)).join("\n"),
      (values) => values.map((value) => JSON.stringify(value)).join("\r\n\r\n"),
      (values) => values.map((value) => JSON.stringify(value, null, 2)).join("\n"),
      (values) => JSON.stringify(values),
      (values) => values.map((value) => JSON.stringify([value])).join("\n"),
      (values) => values.map((value, at) => JSON.stringify(at === 0 ? [value] : value)).join("\n"),
      (values) => `\ufeff ${JSON.stringify(values, null, 2)}\n`,
    ];
    await fc.assert(
      fc.asyncProperty(
        records,
        fc.constantFrom(...forms),
        fc.integer({ min: 1, max: 60 }),
        async (values, form, size) => {
          const found = await read(form(values), size);
          expect(found.map(([, text]) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(values)));
        },
      ),
    );
  });

  it("returns the first line of each record", async () => {
    expect((await read('{"a":1}\n\n{"a":2}\n')).map(([line]) => line)).toEqual([1, 3]);
    expect((await read('[\n {\n"a":1},\n\n {"a":2}\n]')).map(([line]) => line)).toEqual([2, 5]);
  });

  it("loses only one line to a broken line, even the first", async () => {
    expect(await read('{"a":1\n{"a":2}\n{"a":\n{"a":4}')).toEqual([
      [1, '{"a":1'],
      [2, '{"a":2}'],
      [3, '{"a":'],
      [4, '{"a":4}'],
    ]);
  });

  it("yields items of an array that are not objects", async () => {
    expect((await read('[1, "a]", null, {"a":1}]')).map(([, text]) => text)).toEqual([
      "1",
      '"a]"',
      "null",
      '{"a":1}',
    ]);
  });

  it("always advances, with any input", async () => {
    for (let byte = 0; byte < 256; byte += 1) {
      const odd = Buffer.from([byte]).toString("latin1");
      for (const text of [`[${odd}{"a":1}]`, `[{"a":1}${odd}]`, `{\n"a":1}${odd}{\n"a":2}`]) {
        await read(text).catch((error: unknown) => expect(error).toBeInstanceOf(ImportRefused));
      }
    }
  });

  it.each([
    ["a file that is no JSON", "kvk,naam\n", /not JSON: it begins neither with/],
    [
      "an array cut off in a record",
      '[{"a":1},\n{"a":',
      /ends in the middle of the record that begins at about line 1/,
    ],
    ["an array cut off between records", '[{"a":1},', /ends before the \] that closes its array/],
    ["pretty-printed JSON cut off", '{\n "a": {\n', /ends in the middle/],
  ])("rejects %s", async (_what, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
    await expect(read(text)).rejects.toBeInstanceOf(ImportRefused);
  });

  it("rejects a record that is nested too deeply, in any form", async () => {
    const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    for (const text of [`${deep}\n{"a":1}`, `[${deep},{"a":1}]`]) {
      const found = await read(text, 65_536);
      expect(found.map(([, shown]) => shown)).toEqual(["is nested deeper than 64 levels", '{"a":1}']);
    }
  });

  it("rejects an array with an unclosed quote, and skips a line that is too long", async () => {
    const long = "x".repeat(MAX_JSON_BYTES + 1);
    await expect(read(`[{"a":"${long}`, 2 ** 20)).rejects.toThrow(/more than 8 MiB at about line 1/);
    const lines: (string | undefined)[] = [];
    for await (const { fault } of readJsonLines(pieces(`{"a":"${long}"}\n{"a":1}`, 2 ** 20)))
      lines.push(fault);
    expect(lines).toEqual(["is longer than 8 MiB", undefined]);
  });
});
