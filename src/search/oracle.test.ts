import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { distances } from "../../test/kit/distances.ts";
import { fitting, hasOtherWords } from "../../test/kit/nameMatching.ts";
import { type OpenSnapshot, snapshotForAll } from "../../test/kit/registry.ts";
import { amount } from "../../test/kit/thorough.ts";
import type { CompanyFacts } from "../company/facts.ts";
import { generateCompanies } from "../demo/registry/generateCompanies.ts";
import { inOneGo } from "../lib/steps.ts";
import { codeWord } from "./index/dictionary.ts";
import { Postings } from "./index/postings.ts";
import { type IndexedName, indexedNames } from "./indexedNames.ts";
import { exactKeys } from "./legalFormWords.ts";
import { normalise, withoutSpaces } from "./normalise.ts";
import { soundAlikes } from "./spellingVariants.ts";

/** A name with precomputed words and keys. */
interface KnownName extends IndexedName {
  readonly words: readonly string[];
  readonly keys: readonly string[];
}

interface Known {
  readonly facts: CompanyFacts;
  readonly names: readonly KnownName[];
  readonly cityKey: string;
}

/** The same companies, which the tests search linearly. */
const companies: Known[] = [...generateCompanies({ companies: 1_200, seed: 7 })].map(({ facts }) => ({
  facts,
  names: indexedNames({ ...facts, ...facts.address }).map((name) => ({
    ...name,
    words: [...name.normal.split(" "), ...name.extraWords],
    keys: exactKeys(name.normal),
  })),
  cityKey: cityKey(facts.address?.city ?? ""),
}));

const vocabulary = new Set(companies.flatMap(({ names }) => names.flatMap(({ words }) => words)));

const byNumber = new Map(companies.map((company) => [String(company.facts.kvkNumber), company]));

let snapshot: OpenSnapshot;
snapshotForAll(
  () => companies.map(({ facts }) => ({ origin: "demo", asOf: "2026-01-01T00:00:00.000Z", facts })),
  (opened) => {
    snapshot = opened;
  },
);

function matches(name: KnownName, words: readonly string[]): boolean {
  return words.every((word) => name.words.some((one) => one.startsWith(word)));
}

const isSame = (name: KnownName, criteria: readonly string[]) =>
  name.keys.some((key) => criteria.includes(key));

/** A name, or some of its words in any order with the last one truncated. */
const query = fc
  .tuple(fc.nat(companies.length - 1), fc.nat(), fc.infiniteStream(fc.nat()))
  .map(([at, nth, numbers]) => {
    const random = () => numbers.next().value ?? 0;
    const names = companies[at]?.names ?? [];
    const words = (names[nth % names.length]?.normal ?? "").split(" ");
    if (random() % 4 === 0) return words.join(" ");
    const chosen = words.filter(() => random() % 3 > 0).sort(() => (random() % 2) - 0.5);
    const last = chosen.pop() ?? words[0] ?? "";
    return [...chosen, last.slice(0, 1 + (random() % last.length))].join(" ");
  })
  .filter((q) => !/^[0-9 ]*$/.test(q));

const filters = fc.record(
  {
    city: fc.constantFrom("Utrecht", "amsterdam", "ROTTERDAM", "Den Haag"),
    legalForm: fc.constantFrom("BV" as const, "EMZ" as const, "STI" as const),
    isActive: fc.boolean(),
    sbiCode: fc.constantFrom("4", "62", "701"),
    postalCode: fc.constantFrom("3", "10", "25"),
  },
  { requiredKeys: [] },
);

function cityKey(city: string): string {
  return withoutSpaces(normalise(city)).replace(/^denhaag$/, "sgravenhage");
}

function matcherOf(
  criteria: typeof filters extends fc.Arbitrary<infer T> ? T : never,
): (company: Known) => boolean {
  const { city, legalForm, isActive, sbiCode, postalCode } = criteria;
  const requiredCity = city === undefined ? undefined : cityKey(city);
  return ({ facts, cityKey: own }) =>
    (requiredCity === undefined || own === requiredCity) &&
    (legalForm === undefined || facts.legalForm === legalForm) &&
    (isActive === undefined || facts.isActive === isActive) &&
    (sbiCode === undefined || (facts.activities ?? []).some((one) => one.sbiCode.startsWith(sbiCode))) &&
    (postalCode === undefined ||
      (facts.address?.isShielded !== true && (facts.address?.postalCode ?? "").startsWith(postalCode)));
}

describe("search", () => {
  it("finds and counts exactly the companies that a linear search finds", () => {
    fc.assert(
      fc.property(query, filters, (q, criteria) => {
        const matchesCriteria = matcherOf(criteria);
        const expected = companies.filter(
          (company) => matchesCriteria(company) && company.names.some(fitting(q, vocabulary)),
        );
        const { results, total } = inOneGo(snapshot.search({ q, ...criteria, page: 1, pageSize: 1_000 }));
        if (expected.length === 0) {
          // If nothing matches as typed, another interpretation may; the filters still apply.
          const others = results.map(({ kvkNumber }) => byNumber.get(kvkNumber));
          expect(others.every((other) => other !== undefined && matchesCriteria(other))).toBe(true);
          return;
        }
        const numbers = results.map(({ kvkNumber }) => kvkNumber);
        expect([...numbers].sort()).toEqual(expected.map(({ facts }) => facts.kvkNumber).sort());
        expect(total).toBe(expected.length);
        expect(inOneGo(snapshot.search({ q, ...criteria, page: 1, pageSize: 1 })).total).toBe(
          expected.length,
        );
      }),
      { numRuns: amount({ ordinary: 133, thorough: 400 }) },
    );
  });

  it("finds and counts the companies whose number begins with some digits, with any filters", () => {
    const digits = fc
      .tuple(fc.nat(companies.length - 1), fc.integer({ min: 2, max: 6 }))
      .map(([at, length]) => String(companies[at]?.facts.kvkNumber).slice(0, length));
    fc.assert(
      fc.property(digits, filters, (q, criteria) => {
        const matchesCriteria = matcherOf(criteria);
        const expected = companies.filter(
          (company) =>
            matchesCriteria(company) &&
            (company.facts.kvkNumber.startsWith(q) || company.names.some(fitting(q, vocabulary))),
        );
        const { results, total } = inOneGo(snapshot.search({ q, ...criteria, page: 1, pageSize: 1_000 }));
        const numbers = results.map(({ kvkNumber }) => kvkNumber);
        // If nothing matches as typed, another interpretation may.
        if (expected.length === 0) return;
        // Longer results are compared by their number only.
        if (expected.length <= 1_000) {
          expect([...numbers].sort()).toEqual(expected.map(({ facts }) => facts.kvkNumber).sort());
        }
        expect(numbers).toHaveLength(Math.min(1_000, expected.length));
        expect(total).toBe(expected.length);
        expect(inOneGo(snapshot.search({ q, ...criteria, page: 1, pageSize: 1 })).total).toBe(
          expected.length,
        );
      }),
      { numRuns: amount({ ordinary: 100, thorough: 300 }) },
    );
  });

  it("does not look up the activities of each company when many numbers match", () => {
    const asked = vi.spyOn(Postings.prototype, "has");
    onTestFinished(() => asked.mockRestore());
    const [q, sbiCode] = ["59", "4"] as const;
    const beginning = companies.filter(({ facts }) => facts.kvkNumber.startsWith(q));
    expect(beginning.length).toBeGreaterThan(10);
    const expected = beginning.filter(matcherOf({ sbiCode }));
    const { total } = inOneGo(snapshot.search({ q, sbiCode, page: 1, pageSize: 10 }));
    expect(total).toBeGreaterThanOrEqual(expected.length);
    expect(asked.mock.calls.length).toBeLessThan(10);
  });

  it("finds and counts by filters alone", () => {
    fc.assert(
      fc.property(filters, (criteria) => {
        const expected = companies.filter(matcherOf(criteria));
        const { results } = inOneGo(snapshot.search({ ...criteria, page: 1, pageSize: 1_000 }));
        expect(results.length).toBe(Math.min(1_000, expected.length));
        expect(inOneGo(snapshot.search({ ...criteria, page: 1, pageSize: 1 })).total).toBe(expected.length);
      }),
      { numRuns: amount({ ordinary: 33, thorough: 100 }) },
    );
  });
});

describe("autocomplete", () => {
  it("ranks exact names first, then active companies, and among them names that begin with the query", () => {
    const beginning = (company: Known | undefined, q: string) =>
      company?.names.some((name) => withoutSpaces(name.normal).startsWith(withoutSpaces(normalise(q)))) ===
      true;
    fc.assert(
      fc.property(query, (q) => {
        fc.pre(!hasOtherWords(q, vocabulary));
        const hits = snapshot.autocomplete(q, 20).map(({ kvkNumber }) => byNumber.get(kvkNumber));
        const keys = exactKeys(normalise(q));
        const kinds = hits.map((company) => {
          if (company?.names.some((name) => isSame(name, keys))) return 0;
          // Last come companies in a city that the query contains.
          if (company?.names.every((name) => !matches(name, normalise(q).split(" ")))) return 5;
          return (company?.facts.isActive ? 1 : 3) + (beginning(company, q) ? 0 : 1);
        });
        expect(kinds).toEqual([...kinds].sort());
      }),
      { numRuns: amount({ ordinary: 100, thorough: 300 }) },
    );
  });
});

describe("a search with a typo in each of two words", () => {
  const wordsOf = ({ normal, extraWords }: IndexedName) => [...normal.split(" "), ...extraWords];
  const known = [...new Set(companies.flatMap(({ names }) => names.flatMap(wordsOf)))];
  const minPrefixLength = 5;

  /**
   * Two words of a name in any order, possibly truncated, each with two letters swapped, one omitted or one replaced.
   */
  const misspelled = fc
    .tuple(fc.nat(companies.length - 1), fc.infiniteStream(fc.nat()))
    .map(([at, numbers]) => {
      const random = (below: number) => (numbers.next().value ?? 0) % below;
      const own = (companies[at]?.names[0]?.normal ?? "")
        .split(" ")
        .filter((word) => /^[a-z]{6,}$/.test(word));
      const chosen = own.sort(() => random(2) - 0.5).slice(0, 2);
      return chosen.map((word) => {
        const cut = random(2) === 0 ? word : word.slice(0, 6 + random(word.length - 5));
        const position = random(cut.length - 1);
        const [before, after] = [cut.slice(0, position), cut.slice(position + 1)];
        const swapped = `${before}${after[0]}${cut[position]}${after.slice(1)}`;
        return normalise([`${before}${after}`, `${before}q${after}`, swapped][random(3)] ?? "");
      });
    })
    .filter(
      ([one = "", other = ""]) =>
        other !== "" &&
        !known.some((word) => [one, other, one + other].some((typed) => word.startsWith(typed))),
    );

  /** Finds the words that a typed word may stand for by a linear search. */
  function intended(typed: string, isPrefix: boolean): Set<string> {
    return new Set(
      known.filter((word) => {
        const each = distances(codeWord(typed), codeWord(word));
        const least = isPrefix ? Math.min(...each.slice(1)) : (each.at(-1) ?? 0);
        return least <= 1 || soundAlikes(typed).includes(word);
      }),
    );
  }

  it("finds exactly the companies with both words, and treats the first as a prefix only if no complete word matches", () => {
    let prefixMatches = 0;
    fc.assert(
      fc.property(misspelled, ([one = "", other = ""]) => {
        const last = intended(other, true);
        const withWords = (first: ReadonlySet<string>) =>
          companies
            .filter(({ names }) =>
              names.some((name) => {
                const own = wordsOf(name);
                return own.some((word) => first.has(word)) && own.some((word) => last.has(word));
              }),
            )
            .map(({ facts }) => String(facts.kvkNumber));
        const complete = withWords(intended(one, false));
        const isPrefix = complete.length === 0 && codeWord(one).length >= minPrefixLength;
        const expected = isPrefix ? withWords(intended(one, true)) : complete;
        if (isPrefix && expected.length > 0) prefixMatches++;
        const q = `${one} ${other}`;
        const { results } = inOneGo(snapshot.search({ q, page: 1, pageSize: 1_000 }));
        expect(results.map(({ kvkNumber }) => kvkNumber).sort(), q).toEqual(expected.sort());
        expect(results.every(({ isFuzzy }) => isFuzzy === true)).toBe(true);
      }),
      { numRuns: amount({ ordinary: 13, thorough: 40 }), seed: 1 },
    );
    expect(prefixMatches).toBeGreaterThan(0);
  });
});
