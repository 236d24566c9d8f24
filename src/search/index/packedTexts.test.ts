import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Offsets, offsetSections } from "./offsets.ts";
import { PackedTexts, packedTextsSections } from "./packedTexts.ts";
import { joinPieces, layOut, type SectionList, Sections } from "./sections.ts";
import { lowerBoundU24, packU24, u24At } from "./u24.ts";

const opened = (sections: SectionList) => new Sections(joinPieces(layOut(sections)));

function packed(texts: readonly string[]): PackedTexts {
  const bytes = Buffer.from(texts.join(""));
  const starts = new Uint32Array(texts.length + 1);
  for (const [at, text] of texts.entries()) starts[at + 1] = (starts[at] ?? 0) + Buffer.byteLength(text);
  return new PackedTexts(opened(packedTextsSections("texts", { bytes, starts })), "texts");
}

describe("packed texts", () => {
  it("are what they were, whatever they hold", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc.constantFrom("Stichting Beheer", "Holding B.V.", "Café ’t IJ", "†", ""),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 60 }), (texts) => {
        const all = packed(texts);
        expect(texts.map((_, at) => all.text(at))).toEqual(texts);
      }),
      { numRuns: 60 },
    );
  });

  it("take less than half of what names take that share their words, and bear a text longer than any buffer", () => {
    const texts = Array.from(
      { length: 5_000 },
      (_, nth) => `Stichting Administratiekantoor ${nth} Holding B.V.`,
    );
    const long = "lang".repeat(20_000);
    const all = opened(
      packedTextsSections("texts", {
        bytes: Buffer.from(texts.join("")),
        starts: Uint32Array.from([0, Buffer.byteLength(texts.join(""))]),
      }),
    );
    expect(all.u8("texts.packed").length).toBeLessThan(texts.join("").length / 2);
    expect(packed([...texts, long]).text(texts.length)).toBe(long);
  });
});

it("offsets are what they were, also where things are too long for a block", () => {
  const lengths = fc.array(fc.oneof(fc.integer({ min: 0, max: 50 }), fc.constantFrom(60_000, 70_000)), {
    maxLength: 300,
  });
  fc.assert(
    fc.property(lengths, (all) => {
      const starts = new Uint32Array(all.length + 1);
      for (const [at, length] of all.entries()) starts[at + 1] = (starts[at] ?? 0) + length;
      const offsets = new Offsets(opened(offsetSections("some", starts)), "some");
      expect(Array.from(starts, (_, at) => offsets.at(at))).toEqual([...starts]);
    }),
  );
});

it("numbers of three bytes are what they were, are found by halving, and are refused where they do not fit", () => {
  const number = fc.integer({ min: 0, max: 2 ** 24 - 1 });
  fc.assert(
    fc.property(fc.array(number), number, (numbers, wanted) => {
      const sorted = Uint32Array.from(numbers).sort();
      const all = packU24(sorted);
      expect(Array.from(sorted, (_, at) => u24At(all, at))).toEqual([...sorted]);
      const before = sorted.filter((one) => one < wanted).length;
      expect(lowerBoundU24(all, 0, sorted.length, wanted)).toBe(before);
    }),
  );
  expect(() => packU24(Uint32Array.of(2 ** 24))).toThrow(RangeError);
});
