import { describe, expect, it } from "vitest";
import { fitted, lowestOfEach, type Point, rises } from "../../bench/failures/slope.ts";

describe("a fitted line", () => {
  it("has the slope and the mean of points on one", () => {
    const { slope, mean } = fitted([0, 1, 2, 3].map((x) => [x, 5 + 2 * x] as const));
    expect(slope).toBeCloseTo(2);
    expect(mean).toBeCloseTo(8);
  });

  it("is flat for what goes up and down alike, and for too few points", () => {
    expect(fitted([0, 1, 2, 3, 4].map((x) => [x, x % 2] as const)).slope).toBeCloseTo(0);
    expect(fitted([[3, 9]])).toMatchObject({ slope: 0, mean: 9 });
    expect(fitted([])).toMatchObject({ slope: 0, mean: 0 });
  });
});

describe("a line that rises", () => {
  it("has a standard error as by hand", () => {
    const noise = [1, -1, -1, 1];
    const { slope, slopeError } = fitted(noise.map((y, x): Point => [x, 2 * x + y]));
    expect(slope).toBeCloseTo(2);
    // 4 of squares left over, 2 degrees of freedom, 5 of spread.
    expect(slopeError).toBeCloseTo(Math.sqrt(4 / 2 / 5));
  });

  it("does so by more than is allowed and by more than three standard errors", () => {
    const leak = (noise: number) => fitted([0, 1, 2, 3, 4, 5].map((x): Point => [x, x + noise * (x % 2)]));
    expect([rises(leak(0.1), 0.5), rises(leak(0.1), 2)]).toEqual([true, false]);
    // Steeper than is allowed, and no more than points that wander come to.
    expect(leak(9).slope).toBeGreaterThan(0.5);
    expect(rises(leak(9), 0.5)).toBe(false);
    expect(
      rises(
        fitted([
          [0, 1],
          [1, 9],
        ]),
        0.5,
      ),
    ).toBe(false);
  });
});

describe("the lowest of each stretch", () => {
  it("leaves out what is given back within one", () => {
    const saw = Array.from({ length: 60 }, (_, x): Point => [x, 100 + (x % 10) * 8]);
    const lowest = lowestOfEach(saw, 10);
    expect(lowest.map(([, y]) => y)).toEqual([100, 100, 100, 100, 100, 100]);
    expect(fitted(lowest).slope).toBeCloseTo(0);
  });

  it("shows what is never given back", () => {
    const leaking = Array.from({ length: 60 }, (_, x): Point => [x, 100 + x + (x % 10) * 8]);
    expect(fitted(lowestOfEach(leaking, 10)).slope).toBeCloseTo(1);
  });

  it("needs no point in every stretch", () => {
    expect(
      lowestOfEach(
        [
          [0, 4],
          [1, 3],
          [25, 5],
        ],
        10,
      ),
    ).toEqual([
      [1, 3],
      [25, 5],
    ]);
    expect(lowestOfEach([], 10)).toEqual([]);
  });
});
