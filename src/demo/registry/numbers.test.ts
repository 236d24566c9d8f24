import { describe, expect, it } from "vitest";
import { type KvkNumber, passesElfproef, passesKvkCheck } from "../../contract/numbers.ts";
import {
  BranchNumbers,
  DEMO_AS_OF,
  dateOf,
  kvkNumberAt,
  laterDay,
  MAX_COMPANIES,
  registrationDay,
  rsinAt,
} from "./numbers.ts";
import { Random } from "./random.ts";

/** Runs of neighbouring companies at the start, in the middle and at the end of registries of several sizes. */
const SAMPLES = [1, 2, 1_000, 25_000, 4_000_000, MAX_COMPANIES].flatMap((companies) =>
  [0, Math.floor(companies / 2), companies - 2_000].map((start) => ({
    companies,
    from: Math.max(0, start),
    to: Math.min(companies, Math.max(0, start) + 2_000),
  })),
);

function numbersOf<T>(make: (index: number, companies: number, random: Random) => T): T[][] {
  return SAMPLES.map(({ companies, from, to }) => {
    const random = new Random(companies);
    return Array.from({ length: to - from }, (_, offset) => make(from + offset, companies, random));
  });
}

/** Returns the numbers that are not greater than their predecessor. */
function thoseThatDoNotRise(numbers: readonly string[]): string[] {
  return numbers.filter((number, index) => index > 0 && number <= (numbers[index - 1] ?? ""));
}

describe("kvkNumberAt", () => {
  it("returns unique, increasing numbers that no real company can have, for every size", () => {
    for (const numbers of numbersOf(kvkNumberAt)) {
      expect(numbers.filter((number) => !/^[5-9][0-9]{7}$/.test(number))).toEqual([]);
      expect(numbers.filter(passesKvkCheck)).toEqual([]);
      expect(thoseThatDoNotRise(["49999999", ...numbers])).toEqual([]);
    }
  });

  it("can skip every number that passes the check: no two from 50000000 to 50200000 are adjacent", () => {
    const passes = (number: number) => passesKvkCheck(String(number) as KvkNumber);
    const followed: number[] = [];
    for (let number = 50_000_000; number < 50_200_000; number++) {
      if (passes(number) && passes(number + 1)) followed.push(number);
    }
    expect(followed).toEqual([]);
  });
});

describe("rsinAt", () => {
  it("returns unique, increasing numbers that pass the elfproef, for every size", () => {
    for (const numbers of numbersOf(rsinAt)) {
      expect(numbers.filter((rsin) => !passesElfproef(rsin))).toEqual([]);
      expect(thoseThatDoNotRise(["899999999", ...numbers])).toEqual([]);
    }
  });
});

describe("BranchNumbers", () => {
  it("returns unique numbers of twelve digits that no real branch has", () => {
    const numbers = new BranchNumbers();
    const random = new Random(1);
    const given = Array.from({ length: 10_000 }, () => numbers.next(random));
    expect(new Set(given).size).toBe(given.length);
    expect(given.every((number) => /^99[0-9]{10}$/.test(number))).toBe(true);
  });
});

describe("dates", () => {
  it("lie in the seven decades before the date of the data, and end after they began", () => {
    const random = new Random(5);
    const decades = new Set<string>();
    const wrong: string[] = [];
    for (let draw = 0; draw < 20_000; draw++) {
      const registered = registrationDay(random);
      const from = dateOf(registered);
      const to = dateOf(laterDay(registered, random));
      decades.add(from.slice(0, 3));
      if (!(from <= to && to < DEMO_AS_OF)) wrong.push(`${from} to ${to}`);
    }
    expect(wrong).toEqual([]);
    expect([...decades].sort()).toEqual(["195", "196", "197", "198", "199", "200", "201", "202"]);
  });
});
