import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fitting, hasOtherWords } from "../../test/kit/asked.ts";
import { distances } from "../../test/kit/distances.ts";
import { type OpenSnapshot, snapshotForAll } from "../../test/kit/registry.ts";
import type { CompanyFacts } from "../company/facts.ts";
import { generateCompanies } from "../demo/generateCompanies.ts";
import { inOneGo } from "../lib/steps.ts";
import { codeWord } from "./index/dictionary.ts";
import { Postings } from "./index/postings.ts";
import { type IndexedName, indexedNames } from "./indexedNames.ts";
import { exactKeys } from "./legalFormWords.ts";
import { normalise, withoutSpaces } from "./normalise.ts";
import { soundAlikes } from "./spellingVariants.ts";

/** A name with what every run reads of it. */
interface KnownName extends IndexedName {
  readonly words: readonly string[];
  readonly keys: readonly string[];
}

interface Known {
  readonly facts: CompanyFacts;
  readonly names: readonly KnownName[];
  readonly cityKey: string;
}

/** The same companies, searched one by one. */
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

function fits(name: KnownName, words: readonly string[]): boolean {
  return words.every((word) => name.words.some((one) => one.startsWith(word)));
}

const isSame = (name: KnownName, wanted: readonly string[]) => name.keys.some((key) => wanted.includes(key));

/** A name of some company, whole or some of its words in any order with the last one cut off somewhere. */
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

/** Whether a company passes the filters. */
function passing(
  wanted: typeof filters extends fc.Arbitrary<infer T> ? T : never,
): (company: Known) => boolean {
  const { city, legalForm, isActive, sbiCode, postalCode } = wanted;
  const wantedCity = city === undefined ? undefined : cityKey(city);
  return ({ facts, cityKey: own }) =>
    (wantedCity === undefined || own === wantedCity) &&
    (legalForm === undefined || facts.legalForm === legalForm) &&
    (isActive === undefined || facts.isActive === isActive) &&
    (sbiCode === undefined || (facts.activities ?? []).some((one) => one.sbiCode.startsWith(sbiCode))) &&
    (postalCode === undefined ||
      (facts.address?.isShielded !== true && (facts.address?.postalCode ?? "").startsWith(postalCode)));
}

describe("search", () => {
  it("finds exactly the companies that fit when all are looked at one by one, and counts them", () => {
    fc.assert(
      fc.property(query, filters, (q, wanted) => {
        const passes = passing(wanted);
        const expected = companies.filter(
          (company) => passes(company) && company.names.some(fitting(q, vocabulary)),
        );
        const { results, total } = inOneGo(snapshot.search({ q, ...wanted, page: 1, pageSize: 1_000 }));
        if (expected.length === 0) {
          // Where nothing fits as typed, a reading without legal form may; the criteria hold all the same.
          const others = results.map(({ kvkNumber }) => byNumber.get(kvkNumber));
          expect(others.every((other) => other !== undefined && passes(other))).toBe(true);
          return;
        }
        const numbers = results.map(({ kvkNumber }) => kvkNumber);
        expect([...numbers].sort()).toEqual(expected.map(({ facts }) => facts.kvkNumber).sort());
        expect(total).toBe(expected.length);
        expect(inOneGo(snapshot.search({ q, ...wanted, page: 1, pageSize: 1 })).total).toBe(expected.length);
      }),
      { numRuns: 400 },
    );
  });

  it("finds and counts the companies whose numbers begin with some digits, by criteria beside them", () => {
    const digits = fc
      .tuple(fc.nat(companies.length - 1), fc.integer({ min: 2, max: 6 }))
      .map(([at, length]) => String(companies[at]?.facts.kvkNumber).slice(0, length));
    fc.assert(
      fc.property(digits, filters, (q, wanted) => {
        const passes = passing(wanted);
        const expected = companies.filter(
          (company) =>
            passes(company) &&
            (company.facts.kvkNumber.startsWith(q) || company.names.some(fitting(q, vocabulary))),
        );
        const { results, total } = inOneGo(snapshot.search({ q, ...wanted, page: 1, pageSize: 1_000 }));
        const numbers = results.map(({ kvkNumber }) => kvkNumber);
        // What fits in no way as it is typed may be read otherwise.
        if (expected.length === 0) return;
        // More than a page holds are compared by how many they are.
        if (expected.length <= 1_000) {
          expect([...numbers].sort()).toEqual(expected.map(({ facts }) => facts.kvkNumber).sort());
        }
        expect(numbers).toHaveLength(Math.min(1_000, expected.length));
        expect(total).toBe(expected.length);
        expect(inOneGo(snapshot.search({ q, ...wanted, page: 1, pageSize: 1 })).total).toBe(expected.length);
      }),
      { numRuns: 300 },
    );
  });

  it("asks no company by itself for its activities, where thousands have numbers that begin so", () => {
    const asked = vi.spyOn(Postings.prototype, "has");
    onTestFinished(() => asked.mockRestore());
    const [q, sbiCode] = ["59", "4"] as const;
    const beginning = companies.filter(({ facts }) => facts.kvkNumber.startsWith(q));
    expect(beginning.length).toBeGreaterThan(10);
    const expected = beginning.filter(passing({ sbiCode }));
    const { total } = inOneGo(snapshot.search({ q, sbiCode, page: 1, pageSize: 10 }));
    expect(total).toBeGreaterThanOrEqual(expected.length);
    expect(asked.mock.calls.length).toBeLessThan(10);
  });

  it("finds and counts by criteria alone", () => {
    fc.assert(
      fc.property(filters, (wanted) => {
        const expected = companies.filter(passing(wanted));
        const { results } = inOneGo(snapshot.search({ ...wanted, page: 1, pageSize: 1_000 }));
        expect(results.length).toBe(Math.min(1_000, expected.length));
        expect(inOneGo(snapshot.search({ ...wanted, page: 1, pageSize: 1 })).total).toBe(expected.length);
      }),
      { numRuns: 100 },
    );
  });
});

describe("autocomplete", () => {
  it("puts exact names first, then active companies, and among those names that begin with the query", () => {
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
          // Behind all of them: those in a city that is one of the words.
          if (company?.names.every((name) => !fits(name, normalise(q).split(" ")))) return 5;
          return (company?.facts.isActive ? 1 : 3) + (beginning(company, q) ? 0 : 1);
        });
        expect(kinds).toEqual([...kinds].sort());
      }),
      { numRuns: 300 },
    );
  });
});

describe("a slip in each of two words", () => {
  const wordsOf = ({ normal, extraWords }: IndexedName) => [...normal.split(" "), ...extraWords];
  const known = [...new Set(companies.flatMap(({ names }) => names.flatMap(wordsOf)))];
  /** From so many letters on a word that is not the last may be begun, too. */
  const shortestBeginning = 5;

  /** Two words of a name in any order, cut off behind their first letters or not, with two letters swapped, one left out or another in its place. */
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
        const place = random(cut.length - 1);
        const [before, behind] = [cut.slice(0, place), cut.slice(place + 1)];
        const swapped = `${before}${behind[0]}${cut[place]}${behind.slice(1)}`;
        return normalise([`${before}${behind}`, `${before}q${behind}`, swapped][random(3)] ?? "");
      });
    })
    .filter(
      ([one = "", other = ""]) =>
        other !== "" &&
        !known.some((word) => [one, other, one + other].some((typed) => word.startsWith(typed))),
    );

  /** The words that one may be meant as, all of them looked at. */
  function meant(typed: string, isBegun: boolean): Set<string> {
    return new Set(
      known.filter((word) => {
        const each = distances(codeWord(typed), codeWord(word));
        const least = isBegun ? Math.min(...each.slice(1)) : (each.at(-1) ?? 0);
        return least <= 1 || soundAlikes(typed).includes(word);
      }),
    );
  }

  it("finds exactly the companies that have both words, the first one begun only where no company has it as a whole", () => {
    let begun = 0;
    fc.assert(
      fc.property(misspelled, ([one = "", other = ""]) => {
        const last = meant(other, true);
        const having = (first: ReadonlySet<string>) =>
          companies
            .filter(({ names }) =>
              names.some((name) => {
                const own = wordsOf(name);
                return own.some((word) => first.has(word)) && own.some((word) => last.has(word));
              }),
            )
            .map(({ facts }) => String(facts.kvkNumber));
        const whole = having(meant(one, false));
        const isBegun = whole.length === 0 && codeWord(one).length >= shortestBeginning;
        const expected = isBegun ? having(meant(one, true)) : whole;
        if (isBegun && expected.length > 0) begun++;
        const q = `${one} ${other}`;
        const { results } = inOneGo(snapshot.search({ q, page: 1, pageSize: 1_000 }));
        expect(results.map(({ kvkNumber }) => kvkNumber).sort(), q).toEqual(expected.sort());
        expect(results.every(({ isFuzzy }) => isFuzzy === true)).toBe(true);
      }),
      { numRuns: 40, seed: 1 },
    );
    expect(begun).toBeGreaterThan(0);
  });
});
