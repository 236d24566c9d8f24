import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWith, shared, sharedPath } from "../../test/kit/needs.ts";
import { type OpenSnapshot, snapshotOf, sourcedFacts } from "../../test/kit/registry.ts";
import { type KvkNumber, parseKvkNumber } from "../contract/numbers.ts";
import { normalise } from "./normalise.ts";

/** The public register of recognised sponsors, which contains real company names. Not part of the project. */
const FILE = sharedPath("data/names/ind-sponsors.csv");
const SAMPLES = 500;

interface Sponsor {
  readonly kvkNumber: KvkNumber;
  readonly name: string;
}

function readSponsors(): Sponsor[] {
  const rows: string[][] = parse(readFileSync(FILE), { from_line: 2 });
  return rows.flatMap(([number = "", name = ""]) => {
    const kvkNumber = parseKvkNumber(number);
    return kvkNumber === undefined ? [] : [{ kvkNumber, name }];
  });
}

describeWith(shared(FILE), "autocomplete over real names", () => {
  let snapshot: OpenSnapshot;
  let sample: Sponsor[] = [];
  /** Names with the same normalised form; any of their companies is correct. */
  const numbersByName = new Map<string, Set<string>>();
  const closers: (() => void)[] = [];

  beforeAll(async () => {
    const sponsors = readSponsors();
    for (const { kvkNumber, name } of sponsors) {
      const key = normalise(name);
      numbersByName.set(key, (numbersByName.get(key) ?? new Set()).add(kvkNumber));
    }
    snapshot = await snapshotOf(
      sponsors.map((facts) => sourcedFacts(0, facts)),
      { untilEndOf: (close) => closers.push(close) },
    );
    const step = sponsors.length / SAMPLES;
    sample = Array.from({ length: SAMPLES }, (_, index) => sponsors[Math.floor(index * step)]).filter(
      (sponsor) => sponsor !== undefined,
    );
  });
  afterAll(() => {
    for (const close of closers) close();
  });

  /** The share of the sample found among the first `limit` hits. */
  function shareFound(typed: (name: string) => string, limit: number): number {
    const found = sample.filter(({ name }) => {
      const numbers = numbersByName.get(normalise(name));
      return snapshot.autocomplete(typed(name), limit).some(({ kvkNumber }) => numbers?.has(kvkNumber));
    });
    return found.length / sample.length;
  }

  const bare = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N} ]/gu, "");

  it("covers the whole file", () => {
    expect(snapshot.info.companies).toBe(6_777);
    expect(sample).toHaveLength(SAMPLES);
  });

  it("ranks an exact name first", () => {
    expect(shareFound((name) => name, 1)).toBe(1);
  });

  it("ranks a name first in lower case without punctuation", () => {
    expect(shareFound(bare, 1)).toBeGreaterThanOrEqual(0.99);
  });

  it("ranks a name first without accents", () => {
    expect(shareFound((name) => name.normalize("NFD").replace(/\p{M}/gu, ""), 1)).toBe(1);
  });

  it("finds a name with its words reversed", () => {
    expect(shareFound((name) => name.split(" ").reverse().join(" "), 8)).toBeGreaterThanOrEqual(0.99);
  });

  it("finds a name after 60 % of its letters", () => {
    expect(shareFound((name) => name.slice(0, Math.ceil(name.length * 0.6)), 8)).toBeGreaterThanOrEqual(0.99);
    expect(
      shareFound((name) => bare(name).slice(0, Math.ceil(bare(name).length * 0.6)), 8),
    ).toBeGreaterThanOrEqual(0.99);
  });
});
