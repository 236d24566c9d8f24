import fc from "fast-check";
import { expect, it } from "vitest";
import { ByteTable } from "./byteTable.ts";

it("a table numbers texts as a map does, whatever they are", () => {
  // More texts than a new table has room for.
  const many = fc
    .tuple(fc.nat(), fc.nat({ max: 3_000 }))
    .map(([from, count]) => Array.from({ length: count }, (_, nth) => `${from + (nth % 2_500)}`));
  const texts = fc.tuple(fc.array(fc.string({ unit: "binary", maxLength: 12 }), { maxLength: 50 }), many);
  fc.assert(
    fc.property(texts, (lists) => {
      const table = new ByteTable();
      const given = lists.flat().map((text) => Buffer.from(`<${text}>`));
      const numbers = new Map<string, number>();
      const expected = given.map((bytes) => {
        const text = bytes.toString("hex");
        const number = numbers.get(text) ?? numbers.size;
        numbers.set(text, number);
        return number;
      });
      expect(given.map((bytes) => table.numberOf(bytes, 1, bytes.length - 1))).toEqual(expected);
      const held = Array.from({ length: table.count }, (_, number) =>
        Buffer.from(table.bytes.subarray(table.starts[number], table.starts[number + 1])).toString("hex"),
      );
      expect(held.map((hex) => `3c${hex}3e`)).toEqual([...numbers.keys()]);
    }),
    { numRuns: 8 },
  );
});
