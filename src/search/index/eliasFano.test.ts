import fc from "fast-check";
import { expect, it } from "vitest";
import { PackedNumbers, pack, packedWords } from "./eliasFano.ts";
import { GrowingU32 } from "./growing.ts";

/** Ascending, each once: spread over all upper bytes, or over few of them. */
const numbers = fc
  .tuple(
    fc.constantFrom(0xffff, 0x3ff, 0xff),
    fc.integer({ min: 0, max: 0xffff }),
    fc.array(fc.nat(0xffff), { minLength: 1, maxLength: 4096 }),
  )
  .map(([mask, from, some]) =>
    Uint16Array.from(new Set(some.map((one) => (from + (one & mask)) & 0xffff))).sort(),
  );

it("gives back what was packed, and knows what is in it, wherever it begins", () => {
  fc.assert(
    fc.property(
      fc.array(numbers, { minLength: 1, maxLength: 3 }),
      fc.array(fc.nat(0xffff)),
      (lists, others) => {
        const packed = new GrowingU32();
        const starts = lists.map((list) => {
          const start = packed.length;
          pack(list, packed);
          expect(packed.length - start).toBe(packedWords(list.length));
          return start;
        });
        const words = packed.view();
        const sets = new PackedNumbers(
          words,
          new Uint8Array(words.buffer, words.byteOffset, words.byteLength),
        );
        for (const [nth, list] of lists.entries()) {
          const start = starts[nth] ?? 0;
          const room = new Uint16Array(list.length + 1).fill(0xabcd);
          sets.unpack(start, list.length, room);
          expect(room).toEqual(Uint16Array.of(...list, 0xabcd));
          const [bits, marks] = [new Uint32Array(2_048), new Uint8Array(65_536)];
          sets.addTo(bits, start, list.length);
          sets.markIn(marks, 7, start, list.length);
          const isSet = (one: number) => (((bits[one >>> 5] ?? 0) >>> (one & 31)) & 1) === 1;
          const all = Array.from(marks, (_, one) => one);
          expect(all.filter(isSet)).toEqual([...list]);
          expect(all.filter((one) => marks[one] === 7)).toEqual([...list]);
          const held = new Set(list);
          const asked = Uint16Array.from(
            new Set([...others, ...list.filter((_, at) => at % 3 === 0)]),
          ).sort();
          const into = new Uint16Array(asked.length);
          const kept = sets.keep(asked, 0, asked.length, start, list.length, into);
          expect([...into.subarray(0, kept)]).toEqual([...asked].filter((one) => held.has(one)));
          for (const one of [...list.slice(0, 50), ...list.slice(-50), ...others, 0, 0xff, 0x100, 0xffff])
            expect(sets.has(start, list.length, one)).toBe(held.has(one));
        }
      },
    ),
  );
});

it("holds all numbers of one upper byte, and the first and the last of all", () => {
  for (const from of [0, 0x7f00, 0xff00]) {
    const list = Uint16Array.from({ length: 256 }, (_, lower) => from + lower);
    const packed = new GrowingU32();
    pack(list, packed);
    const words = packed.view();
    const set = new PackedNumbers(words, new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
    for (let one = 0; one <= 0xffff; one++)
      if (set.has(0, 256, one) !== (one >= from && one < from + 256)) throw new Error(`of ${from}: ${one}`);
    const room = new Uint16Array(256);
    set.unpack(0, 256, room);
    expect(room).toEqual(list);
  }
});
