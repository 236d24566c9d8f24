import { describe, expect, it } from "vitest";
import { Random, weighted } from "./random.ts";

function draws(seed: number, count: number): number[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => random.bits());
}

describe("Random", () => {
  it("repeats the sequence of its seed", () => {
    expect(draws(7, 100)).toEqual(draws(7, 100));
    expect(draws(7, 100)).not.toEqual(draws(8, 100));
    // Seeds may differ only above 32 bits.
    expect(draws(7, 100)).not.toEqual(draws(7 + 2 ** 40, 100));
  });

  it("returns the same numbers on every machine", () => {
    expect(draws(2026, 4)).toMatchInlineSnapshot(`
      [
        1488141057,
        2736994499,
        1930590800,
        4121196190,
      ]
    `);
  });

  it("stays within its bounds and reaches both", () => {
    const random = new Random(1);
    const seen = new Set(Array.from({ length: 2_000 }, () => random.between(3, 9)));
    expect([...seen].sort()).toEqual([3, 4, 5, 6, 7, 8, 9]);
  });

  it("is uniform: each of 100 buckets is within a fifth of its share of a million draws", () => {
    const random = new Random(3);
    const buckets = new Array<number>(100).fill(0);
    for (let draw = 0; draw < 1_000_000; draw++) {
      const bucket = random.below(100);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    expect(Math.min(...buckets)).toBeGreaterThan(8_000);
    expect(Math.max(...buckets)).toBeLessThan(12_000);
  });
});

describe("weighted", () => {
  it("fills slots in proportion, with at least one for each choice", () => {
    const list = weighted([
      ["often", 900_000],
      ["seldom", 99_999],
      ["almost never", 1],
    ]);
    expect(list.filter((choice) => choice === "often")).toHaveLength(9_000);
    expect(list.filter((choice) => choice === "almost never")).toHaveLength(1);
  });
});
