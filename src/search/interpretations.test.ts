/** Compares digits, names with cities and misspelled words with a linear search over all companies. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distances } from "../../test/kit/distances.ts";
import { fitting } from "../../test/kit/nameMatching.ts";
import { type OpenSnapshot, snapshotForAll } from "../../test/kit/registry.ts";
import { amount } from "../../test/kit/thorough.ts";
import { generateCompanies } from "../demo/registry/generateCompanies.ts";
import { inOneGo } from "../lib/steps.ts";
import type { SearchCriteria } from "./criteria.ts";
import { cityWord } from "./facets.ts";
import { codeWord } from "./index/dictionary.ts";
import { indexedNames } from "./indexedNames.ts";
import { exactKeys, LEGAL_FORM_WORDS } from "./legalFormWords.ts";
import { normalise } from "./normalise.ts";
import { soundAlikes } from "./spellingVariants.ts";

const companies = [...generateCompanies({ companies: 1_200, seed: 7 })].map(({ facts }) => ({
  facts,
  kvkNumber: String(facts.kvkNumber),
  city: cityWord(facts.address?.city ?? ""),
  names: indexedNames({ ...facts, ...facts.address }).map(({ normal, extraWords }) => ({
    words: [...normal.split(" "), ...extraWords],
    keys: exactKeys(normal),
  })),
}));
type Known = (typeof companies)[number];
type KnownName = Known["names"][number];

const known = [...new Set(companies.flatMap(({ names }) => names.flatMap(({ words }) => words)))].toSorted();

let snapshot: OpenSnapshot;
snapshotForAll(
  () => companies.map(({ facts }) => ({ origin: "demo", asOf: "2026-01-01T00:00:00.000Z", facts })),
  (opened) => {
    snapshot = opened;
  },
);

const search = (criteria: Omit<SearchCriteria, "page" | "pageSize">) =>
  inOneGo(snapshot.search({ ...criteria, page: 1, pageSize: 1_000 }));

const numbersOf = (all: readonly { readonly kvkNumber: string }[]) => all.map((one) => one.kvkNumber).sort();

/** Finds the companies with a matching name by a linear search. */
const withName = (fits: (name: KnownName) => boolean) => companies.filter(({ names }) => names.some(fits));

const knownWords = new Set(known);
const matchesName = (q: string) => fitting(q, knownWords);

const company = fc.nat(companies.length - 1).map((at): Known => {
  const one = companies[at];
  if (one === undefined) throw new RangeError("there are fewer companies");
  return one;
});

describe("digits", () => {
  it("find companies by the start of the number or by name, with any filters", () => {
    const digits = fc.oneof(
      fc.tuple(company, fc.integer({ min: 2, max: 8 })).map(([one, end]) => one.kvkNumber.slice(0, end)),
      fc.integer({ min: 10, max: 999 }).map(String),
    );
    const filterSets = fc.record(
      { isActive: fc.boolean(), legalForm: fc.constantFrom("BV" as const, "EMZ" as const) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(digits, filterSets, (q, filters) => {
        const matchesQuery = matchesName(q);
        const expected = companies.filter(
          ({ facts, kvkNumber, names }) =>
            (kvkNumber.startsWith(q) || names.some(matchesQuery)) &&
            (filters.isActive ?? facts.isActive) === facts.isActive &&
            (filters.legalForm ?? facts.legalForm) === facts.legalForm,
        );
        const { results, total } = search({ q, fuzzy: false, ...filters });
        if (expected.length === 0) return;
        expect(total).toBe(expected.length);
        expect(numbersOf(results)).toEqual(numbersOf(expected).slice(0, 1_000));
      }),
      { numRuns: amount({ ordinary: 70, thorough: 200 }) },
    );
  });
});

describe("a name and a city", () => {
  it("find the companies with that name in that city, in either order", () => {
    let found = 0;
    const query = fc.tuple(company, company, fc.nat(), fc.boolean()).map(([named, placed, nth, isAfter]) => {
      const words = (named.names[0]?.words ?? []).filter((word) => /^[a-z]{4,}$/.test(word));
      // The company's city or that of another company.
      const city = normalise((nth % 2 === 0 ? named : placed).facts.address?.city ?? "");
      return { word: words[Math.floor(nth / 2) % Math.max(1, words.length)] ?? "", city, isAfter };
    });
    fc.assert(
      fc.property(query, ({ word, city, isAfter }) => {
        const q = isAfter ? `${word} ${city}` : `${city} ${word}`;
        fc.pre(word !== "" && city !== "" && withName(matchesName(q)).length === 0);
        // Legal forms and city names have other interpretations.
        fc.pre(!LEGAL_FORM_WORDS.has(word) && !companies.some((one) => one.city === cityWord(word)));
        const expected = withName(matchesName(word)).filter((one) => one.city === cityWord(city));
        if (expected.length === 0) return;
        found++;
        const { results, total } = search({ q });
        expect([q, numbersOf(results)]).toEqual([q, numbersOf(expected)]);
        expect(total).toBe(expected.length);
        expect(results.some(({ isFuzzy }) => isFuzzy === true)).toBe(false);
      }),
      { numRuns: amount({ ordinary: 50, thorough: 150 }), seed: 3 },
    );
    expect(found).toBeGreaterThan(20);
  });
});

describe("one misspelled word", () => {
  const minPartLength = 2;
  const misspelled = fc
    .tuple(fc.constantFrom(...known.filter((word) => /^[a-z]{5,}$/.test(word))), fc.nat(), fc.nat(3))
    .map(([word, nth, kind]) => {
      const position = nth % (word.length - 1);
      const [before, letter = "", after] = [
        word.slice(0, position),
        word[position],
        word.slice(position + 1),
      ];
      const typed = [`${before}${after}`, `${before}q${after}`, `${before}q${letter}${after}`];
      return normalise(typed[kind] ?? `${before}${after[0]}${letter}${after.slice(1)}`);
    })
    .filter((typed) => typed !== "" && withName(matchesName(typed)).length === 0);

  /** Whether a name may be intended: by a word or prefix one edit away, a sound-alike, or two words typed as one. */
  function mayBeIntended(typed: string): (name: KnownName) => boolean {
    const similar = new Set(
      known.filter(
        (word) =>
          Math.min(...distances(codeWord(typed), codeWord(word)).slice(1)) <= 1 ||
          soundAlikes(typed).includes(word),
      ),
    );
    const cuts = Array.from({ length: Math.max(0, typed.length - 2 * minPartLength + 1) }, (_, nth) => [
      typed.slice(0, minPartLength + nth),
      typed.slice(minPartLength + nth),
    ]);
    return ({ words }) =>
      words.some((word) => similar.has(word)) ||
      cuts.some(
        ([one = "", other = ""]) => words.includes(one) && words.some((word) => word.startsWith(other)),
      );
  }

  it("finds the intended companies, marks them as fuzzy, and finds none with fuzzy=false", () => {
    let found = 0;
    fc.assert(
      fc.property(misspelled, (q) => {
        const expected = withName(mayBeIntended(q));
        if (expected.length === 0) return;
        found++;
        const { results } = search({ q });
        expect([q, numbersOf(results)]).toEqual([q, numbersOf(expected)]);
        expect(results.every(({ isFuzzy }) => isFuzzy === true)).toBe(true);
        expect(search({ q, fuzzy: false })).toEqual({ results: [], total: 0 });
      }),
      { numRuns: 80, seed: 2 },
    );
    expect(found).toBeGreaterThan(50);
  });
});
