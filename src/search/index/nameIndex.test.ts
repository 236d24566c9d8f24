import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { amount } from "../../../test/kit/thorough.ts";
import { generateCompanies } from "../../demo/registry/generateCompanies.ts";
import { namesWithKeys } from "../exactNames.ts";
import { cityWord, postalCodeWord, sbiWord } from "../facets.ts";
import { indexedNames } from "../indexedNames.ts";
import { exactKeys } from "../legalFormWords.ts";
import { normalise, withoutSpaces } from "../normalise.ts";
import { IndexBuilder, type IndexedCompany } from "./builder.ts";
import { codeWord } from "./dictionary.ts";
import { readIndexFile, verifyIndexFile, writeIdentity, writeIndexFile } from "./indexFile.ts";
import { NameIndex } from "./nameIndex.ts";
import { HEADER_BYTES, indexInMemory, type SectionList, UnusableIndex } from "./sections.ts";

const companies: IndexedCompany[] = [...generateCompanies({ companies: 2_000, seed: 11 })].map(
  ({ facts }) => {
    const { address, ...others } = facts;
    return { ...others, ...address };
  },
);
const byNumber = new Map(companies.map((company) => [Number(company.kvkNumber), company]));

let sections: SectionList;
let index: NameIndex;
/** The data of each name for linear searches, by rank. */
let namesByRank: readonly {
  readonly words: readonly string[];
  readonly keys: readonly string[];
  readonly letters: string;
}[];
beforeAll(() => {
  const builder = new IndexBuilder();
  for (const company of companies) builder.add(company);
  sections = [...builder.sections()];
  index = new NameIndex(indexInMemory(sections));
  namesByRank = all().map((rank) => {
    const normal = normalise(index.records.text(rank));
    return {
      words: normal.split(" ").map(codeWord),
      keys: exactKeys(normal),
      letters: withoutSpaces(normal),
    };
  });
});

const all = () => Array.from({ length: index.names }, (_, rank) => rank);
const companyOf = (rank: number) => byNumber.get(index.records.kvk(rank));
const rank = fc.nat().map((number) => number % index.names);

describe("a name index", () => {
  it("contains every name of every company, with the facts of a hit", () => {
    const held = all().map((rank) => `${index.records.kvk(rank)} ${index.records.text(rank)}`);
    const expected = companies.flatMap((company) =>
      indexedNames(company).map(({ text }) => `${Number(company.kvkNumber)} ${text ?? company.name}`),
    );
    expect(held.sort()).toEqual(expected.sort());
    for (const rank of all()) {
      const company = companyOf(rank);
      expect(index.records.cities.text(rank)).toBe(company?.city);
      expect(index.records.postalCodes.text(rank)).toBe(company?.postalCode);
      expect(index.records.legalForm(rank)).toBe(company?.legalForm);
      expect(index.records.isActive(rank)).toBe(company?.isActive);
      expect(index.records.text(index.mainRank(rank))).toBe(company?.name);
      expect(index.records.isMainName(rank)).toBe(index.mainRank(rank) === rank);
    }
  });

  it("ranks active companies before inactive ones, then by class, then by KVK number", () => {
    expect(all().filter((rank) => index.records.isActive(rank))).toHaveLength(index.activeNames);
    for (const rank of all().slice(1)) {
      const [before, own] = [index.records.classes.classOf(rank - 1), index.records.classes.classOf(rank)];
      expect(before).toBeLessThanOrEqual(own);
      if (before === own) expect(index.records.kvk(rank - 1)).toBeLessThanOrEqual(index.records.kvk(rank));
    }
  });

  it("stores the words of each name in order", () => {
    for (const rank of all()) {
      const words = [...index.nameWords.words(rank)].map((number) => index.dictionary.word(number));
      expect(words).toEqual(normalise(index.records.text(rank)).split(" ").map(codeWord));
    }
  });

  it("returns the names that begin with some words and a prefix, sorted by rank", () => {
    fc.assert(
      fc.property(
        rank,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 6 }),
        (name, count, letters) => {
          const words = normalise(index.records.text(name)).split(" ").slice(0, count);
          const [last = "", ...before] = words.reverse();
          const whole = before.reverse();
          const begun = codeWord(last).slice(0, letters);
          const range = index.trie.rangeWithPrefix(begun);
          if (range === undefined) throw new Error("the name's own word is unknown");
          const found = [
            ...index.order.withPrefix(
              whole.map((word) => index.wordNumber(word) ?? -1),
              range,
            ),
          ];
          const coded = whole.map(codeWord);
          const expected = all().filter((rank) => {
            const own = namesByRank[rank]?.words ?? [];
            return (
              coded.every((word, nth) => own[nth] === word) && own[coded.length]?.startsWith(begun) === true
            );
          });
          expect(found).toEqual(expected);
        },
      ),
      { numRuns: amount({ ordinary: 66, thorough: 200 }) },
    );
  });

  it("finds names by exact key, and checks whether a name begins with some letters", () => {
    fc.assert(
      fc.property(rank, fc.nat(12), (name, count) => {
        const normal = normalise(index.records.text(name));
        const keys = exactKeys(normal);
        const expected = all().filter((rank) => namesByRank[rank]?.keys.some((key) => keys.includes(key)));
        expect([...namesWithKeys(index, keys)].map(([rank]) => rank).sort((a, b) => a - b)).toEqual(expected);
        const letters = withoutSpaces(normal).slice(0, count);
        const bytes = Buffer.from(letters);
        for (const rank of all()) {
          const isBegun = namesByRank[rank]?.letters.startsWith(letters);
          if (index.nameWords.beginsWith(rank, bytes) !== isBegun) {
            expect.fail(`${index.records.text(rank)} and ${letters}`);
          }
        }
      }),
      { numRuns: amount({ ordinary: 13, thorough: 40 }) },
    );
  });

  it("checks facets of a name with the same result as the postings", () => {
    fc.assert(
      fc.property(rank, fc.integer({ min: 1, max: 6 }), (name, length) => {
        const company = companyOf(name);
        const { city, postalCode, legalForm, activities } = company ?? {};
        const postal = postalCodeWord(postalCode ?? "1000")?.slice(0, 1 + length) ?? "";
        const sbi = sbiWord(activities?.[0]?.sbiCode ?? "10")?.slice(0, 1 + length) ?? "";
        const terms = [index.postalCodeTerm(postal), index.activityTerm(sbi)];
        if (city !== undefined) terms.push(index.cityTerm([cityWord(city) ?? ""]));
        if (legalForm !== undefined) terms.push(index.legalFormTerm(legalForm));
        for (const term of terms) {
          const found = [];
          const ranks = index.matching([term]);
          for (let rank = ranks.next(); rank !== -1; rank = ranks.next()) found.push(rank);
          expect(found).toEqual(all().filter((rank) => term.matches(rank)));
        }
      }),
      { numRuns: amount({ ordinary: 20, thorough: 60 }) },
    );
  });

  it("finds companies by number and by prefix", () => {
    fc.assert(
      fc.property(rank, fc.integer({ min: 2, max: 8 }), fc.boolean(), (name, length, isActive) => {
        const number = String(index.records.kvk(name)).padStart(8, "0");
        expect(index.numbers.rankOf(Number(number))).toBe(index.mainRank(name));
        const digits = number.slice(0, length);
        const range = [Number(digits.padEnd(8, "0")), Number(digits.padEnd(8, "9"))] as const;
        const expected = companies.filter(
          (one) => one.kvkNumber.startsWith(digits) && one.isActive === isActive,
        );
        expect([...index.numbers.inRange(range, isActive)].map((rank) => companyOf(rank))).toEqual(expected);
      }),
      { numRuns: amount({ ordinary: 33, thorough: 100 }) },
    );
  });

  it("is independent of the order of companies, and keeps the last version of a duplicate", () => {
    const ordered = new IndexBuilder();
    for (const company of companies.slice(0, 300)) ordered.add(company);
    const one = new NameIndex(indexInMemory(ordered.sections()));
    const hitsOf = (index: NameIndex) =>
      Array.from({ length: index.names }, (_, rank) => [
        index.records.kvk(rank),
        index.records.text(rank),
        index.mainRank(rank),
        index.records.house(rank),
        [...index.nameWords.words(rank)].map((word) => index.dictionary.word(word)),
      ]);
    const expected = hitsOf(one);
    const keysOfAll = companies.slice(0, 300).map(({ name }) => exactKeys(normalise(name)));
    const exactIn = (index: NameIndex) =>
      keysOfAll.map((keys) =>
        [...namesWithKeys(index, keys)].map(([rank, nth, { normal }]) => [rank, nth, normal]),
      );
    const expectedExact = exactIn(one);
    fc.assert(
      fc.property(fc.shuffledSubarray(companies.slice(0, 300), { minLength: 300 }), (shuffled) => {
        const mixed = new IndexBuilder();
        for (const company of shuffled.slice(0, 50))
          mixed.add({ ...company, name: company.name.slice(0, 4) });
        for (const company of shuffled) mixed.add(company);
        const other = new NameIndex(indexInMemory(mixed.sections()));
        expect(hitsOf(other)).toEqual(expected);
        expect(exactIn(other)).toEqual(expectedExact);
      }),
      { numRuns: amount({ ordinary: 10, thorough: 20 }) },
    );
  });

  it("can be empty, or contain only a name without letters", () => {
    const none = new NameIndex(indexInMemory(new IndexBuilder().sections()));
    expect([none.names, none.companies, none.withPrefix("a")]).toEqual([0, 0, []]);
    const builder = new IndexBuilder();
    const [company] = companies;
    if (company === undefined) throw new Error("there are companies");
    builder.add({ kvkNumber: company.kvkNumber, name: "†", isActive: true });
    const one = new NameIndex(indexInMemory(builder.sections()));
    expect([one.names, one.records.text(0), one.nameWords.words(0).length]).toEqual([1, "†", 0]);
  });
});

describe("an index file", () => {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "some.names");
  const identity = "ab".repeat(32);
  const write = () => {
    writeIndexFile(path, sections);
    writeIdentity(path, identity);
  };
  const changed = (change: (bytes: Buffer) => Buffer) => {
    write();
    writeFileSync(path, change(readFileSync(path)));
  };

  it("can be read back", () => {
    write();
    const read = new NameIndex(readIndexFile(path, identity));
    expect([...new Uint8Array(read.buffer)].length).toBe(readFileSync(path).length);
    expect(all().map((rank) => read.records.text(rank))).toEqual(
      all().map((rank) => index.records.text(rank)),
    );
  });

  it.each<[string, () => void, string]>([
    ["is not there", () => rmSync(path, { force: true }), "it is missing"],
    ["is empty", () => writeFileSync(path, ""), "it is not a name index"],
    ["is something else", () => writeFileSync(path, "x".repeat(1_000)), "it is not a name index"],
    ["was truncated", () => changed((bytes) => bytes.subarray(0, bytes.length - 8)), "bytes instead of"],
    ["is longer", () => changed((bytes) => Buffer.concat([bytes, Buffer.alloc(8)])), "bytes instead of"],
    ["has another version", () => changed((bytes) => bytes.fill(99, 8, 12)), "but this program reads"],
    ["has a section beyond its end", () => changed((bytes) => bytes.fill(255, 124, 128)), "is incomplete"],
    [
      "has an incomplete table",
      () => changed((bytes) => bytes.fill(255, 12, 16)),
      "table of sections is incomplete",
    ],
    ["has another identity", () => writeIndexFile(path, sections), "built from another source"],
  ])("is rejected when it %s", (_what, damage, reason) => {
    damage();
    expect(() => new NameIndex(readIndexFile(path, identity))).toThrow(UnusableIndex);
    damage();
    expect(() => new NameIndex(readIndexFile(path, identity))).toThrow(reason);
  });

  it("is rejected by its checksum when any byte after the header differs", async () => {
    write();
    const { length } = readFileSync(path);
    await verifyIndexFile(path, identity);
    for (const place of [HEADER_BYTES + 30, Math.floor(length / 2), length - 1]) {
      changed((bytes) => {
        bytes[place] = (bytes[place] ?? 0) ^ 1;
        return bytes;
      });
      const reason = "its checksum does not match";
      expect(() => readIndexFile(path, identity, { verifies: true })).toThrow(reason);
      await expect(verifyIndexFile(path, identity)).rejects.toThrow(reason);
    }
    await expect(verifyIndexFile(path, "cd".repeat(32))).rejects.toThrow("built from another source");
  });
});
