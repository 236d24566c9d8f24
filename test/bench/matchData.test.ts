import { existsSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { matchFacts, type RealCompany, readRealCompanies, surveyCompanies } from "../../bench/match/data.ts";
import { type QuerySet, querySets } from "../../bench/match/queries.ts";
import { HALVES, type Half, REAL_NAMES_FILE } from "../../bench/relevance/registry.ts";
import type { KvkNumber } from "../../src/contract/numbers.ts";
import { describeWith, shared, sharedPath } from "../kit/needs.ts";

const FILE = sharedPath("data/names/ind-sponsors.csv");
const COMPANIES = 200;

describeWith(shared(FILE), "a company to match", () => {
  let real: readonly RealCompany[] = [];
  let registered: ReadonlySet<KvkNumber> = new Set();
  const sets = new Map<Half, readonly QuerySet[]>();

  beforeAll(() => {
    real = readRealCompanies();
    registered = new Set(Array.from(matchFacts(real, COMPANIES), ({ facts }) => facts.kvkNumber));
    const { halves, names } = surveyCompanies(real, COMPANIES);
    for (const half of HALVES) sets.set(half, querySets(halves[half], names));
  });

  const queriesOf = (half: Half) => (sets.get(half) ?? []).flatMap(({ queries }) => queries);
  const asIs = (half: Half) => sets.get(half)?.find(({ damage }) => damage.id === "as-is")?.queries ?? [];
  const namesOf = (half: Half) => new Set(real.filter((one) => one.half === half).map(({ name }) => name));

  it("is read from the file of real names", () => {
    expect(existsSync(REAL_NAMES_FILE)).toBe(true);
    expect(real.length).toBeGreaterThan(6_000);
  });

  it.each(HALVES)("is queried in its own half only: %s", (half) => {
    const other = half === "tune" ? "measured" : "tune";
    const ofOther = new Set(real.filter((one) => one.half === other).map(({ kvkNumber }) => kvkNumber));
    const queries = queriesOf(half);
    expect(queries.length).toBeGreaterThan(20_000);
    expect(queries.filter(({ truth }) => truth !== undefined && ofOther.has(truth))).toEqual([]);
    const names = namesOf(half);
    expect(asIs(half).filter(({ query }) => !names.has(query.name ?? ""))).toEqual([]);
  });

  it("is in the registry unless it is withheld", () => {
    const withheld = real.filter(({ isWithheld }) => isWithheld);
    expect(withheld.length / real.length).toBeCloseTo(1 / 3, 1);
    expect(real.filter((one) => one.isWithheld === registered.has(one.kvkNumber))).toEqual([]);
    expect(registered.size).toBe(real.length - withheld.length + COMPANIES);
  });

  it("is the truth of a query exactly if it is in the registry", () => {
    const present = new Set(real.filter((one) => !one.isWithheld).map(({ name }) => name));
    for (const half of HALVES) {
      const truths = queriesOf(half).flatMap(({ truth }) => truth ?? []);
      expect(truths.filter((truth) => !registered.has(truth))).toEqual([]);
      const wrong = asIs(half).filter(
        ({ query, truth }) => present.has(query.name ?? "") === (truth === undefined),
      );
      expect(wrong).toEqual([]);
    }
  });

  it("gets the same queries on every run", () => {
    const { halves, names } = surveyCompanies(readRealCompanies(), COMPANIES);
    const again = querySets(halves.tune, names).flatMap(({ queries }) => queries);
    expect(JSON.stringify(again)).toBe(JSON.stringify(queriesOf("tune")));
  });
});
