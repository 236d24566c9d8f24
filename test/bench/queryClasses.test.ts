import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CLASSES, type QueryClass } from "../../bench/relevance/classes.ts";
import { NameSet } from "../../bench/relevance/nameSet.ts";
import { queriesOf } from "../../bench/relevance/queries.ts";
import { halfOf, type NamedCompany } from "../../bench/relevance/registry.ts";
import { HABITS, rewrites, SOUND_ALIKE, WORDINGS } from "../../bench/relevance/rewriting.ts";
import { typedName } from "../../bench/relevance/typedName.ts";
import { makeTypo } from "../../bench/relevance/typos.ts";
import { generateCompanies } from "../../src/demo/registry/generateCompanies.ts";
import { Random } from "../../src/demo/registry/random.ts";
import { normalise } from "../../src/search/normalise.ts";

const GENERATED: readonly NamedCompany[] = Array.from(
  generateCompanies({ companies: 400, seed: 5 }),
  ({ facts }) => facts,
);
const NAMES = [
  ...GENERATED.map(({ name }) => name),
  "Stichting Hét Café aan Zee",
  "B.V. Vega Meet- en Regeltechniek",
  "'t Hoekje",
  "IJs & Co",
  "3M",
  "Ünal Söhne GmbH",
];

function classOf(id: string): QueryClass {
  const found = CLASSES.find((one) => one.id === id);
  if (found === undefined) throw new RangeError(`there is no class ${id}`);
  return found;
}

const anyName = fc.constantFrom(...NAMES);
const anySeed = fc.nat(2 ** 31);
const type = (id: string, name: string, seed = 1): string | undefined =>
  classOf(id).type(typedName(name), new Random(seed));

/** Checks the queries that a class makes for any name. */
function always(id: string, check: (query: string, name: string) => void): void {
  let made = 0;
  fc.assert(
    fc.property(anyName, anySeed, (name, seed) => {
      const query = type(id, name, seed);
      if (query === undefined) return;
      made++;
      check(query, name);
    }),
    { numRuns: 400 },
  );
  expect(made).toBeGreaterThan(0);
}

/** The words of a name as typed, without its legal form. */
const wordsOf = (text: string) => typedName(text).words;
const letters = (text: string) => text.match(/[\p{L}\p{N}]/gu) ?? [];

/** Edit distance in which a swap of two neighbours is one edit (optimal string alignment), by definition. */
function editDistance(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  const known = new Map<number, number>();
  const between = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = i * (b.length + 1) + j;
    const memoised = known.get(key);
    if (memoised !== undefined) return memoised;
    const isSame = a[i - 1] === b[j - 1];
    let distance = Math.min(
      between(i - 1, j) + 1,
      between(i, j - 1) + 1,
      between(i - 1, j - 1) + (isSame ? 0 : 1),
    );
    if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
      distance = Math.min(distance, between(i - 2, j - 2) + 1);
    }
    known.set(key, distance);
    return distance;
  };
  return between(a.length, b.length);
}

describe("a name's words", () => {
  it("do not include its legal form", () => {
    expect(typedName("Stichting Bakkerij  De Korenaar B. V.")).toMatchObject({
      before: ["Stichting"],
      words: ["Bakkerij", "De", "Korenaar"],
      after: ["B.", "V."],
    });
    expect(typedName("B.V.")).toMatchObject({ before: [], words: ["B.V."], after: [] });
  });
});

describe("a typo", () => {
  it("is one edit away from the lowercase name, and is not another spelling of the same name", () => {
    always("one-typo", (query, name) => {
      expect(editDistance(query.toLowerCase(), name.trim().replace(/\s+/g, " ").toLowerCase())).toBe(1);
      expect(normalise(query)).not.toBe(normalise(name));
    });
  });

  it("covers every kind, at every letter", () => {
    const made = new Set(Array.from({ length: 3_000 }, (_, seed) => makeTypo("abc", new Random(seed))));
    for (const typo of ["bc", "ac", "ab", "bac", "acb", "aabc", "abcc", "sbc", "avc", "abx", "zabc"]) {
      expect(made).toContain(typo);
    }
    for (const typo of made) expect(editDistance(typo ?? "", "abc")).toBeLessThanOrEqual(1);
  });

  it("occurs twice in long names only, and the second never undoes the first", () => {
    always("two-typos", (query, name) => {
      const written = name.trim().replace(/\s+/g, " ").toLowerCase();
      const distance = editDistance(query.toLowerCase(), written);
      expect(letters(wordsOf(name).join("")).length).toBeGreaterThanOrEqual(12);
      expect(distance).toBeGreaterThan(0);
      // Two edits at one place may count as three in optimal string alignment, which edits no substring twice.
      expect(distance).toBeLessThanOrEqual(3);
    });
  });
});

describe("words", () => {
  it("can be swapped: the same words in another order", () => {
    always("words-swapped", (query, name) => {
      expect(query.split(" ").sort()).toEqual(name.trim().split(/\s+/).sort());
      expect(query).not.toBe(name);
    });
  });

  it("can be dropped: one of three or more", () => {
    always("word-left-out", (query, name) => {
      const left = [...name.trim().split(/\s+/)];
      for (const word of query.split(" ")) left.splice(left.indexOf(word), 1);
      expect(left).toHaveLength(1);
      expect(wordsOf(name).length).toBeGreaterThanOrEqual(3);
    });
  });

  it("can lose or gain one space, and nothing else", () => {
    for (const [id, more] of [
      ["space-lost", -1],
      ["space-added", 1],
    ] as const) {
      always(id, (query, name) => {
        expect(query.replaceAll(" ", "")).toBe(name.replace(/\s/g, ""));
        expect(query.split(" ")).toHaveLength(name.trim().split(/\s+/).length + more);
      });
    }
  });
});

describe("a prefix", () => {
  it("has the given number of letters of a longer name", () => {
    for (const count of [3, 5, 8]) {
      always(`first-${count}`, (query, name) => {
        expect(name.startsWith(query)).toBe(true);
        expect(letters(query)).toHaveLength(count);
        expect(letters(name).length).toBeGreaterThan(count);
      });
    }
    expect(type("first-3", "'t Hoekje")).toBe("'t Ho");
    expect(type("first-3", "IJs")).toBeUndefined();
  });

  it("of 60 % is rounded up", () => {
    expect(type("first-60%", "12345678901")).toBe("1234567");
  });
});

describe("spelling", () => {
  it("loses all accents, for names that have some", () => {
    expect(type("accents-dropped", "Hét Café")).toBe("Het Cafe");
    expect(type("accents-dropped", "Het Cafe")).toBeUndefined();
  });

  it("replaces one sound in one word with its alternative spelling", () => {
    expect(rewrites("meijer", SOUND_ALIKE)).toEqual(expect.arrayContaining(["meyer", "meeier"]));
    expect(rewrites("bouwfonds", SOUND_ALIKE)).toContain("bauwfonds");
    expect(rewrites("brand", SOUND_ALIKE)).toContain("brant");
    expect(rewrites("ek", SOUND_ALIKE)).toEqual(["ec"]);
    expect(rewrites("mm", SOUND_ALIKE)).toEqual([]);
    always("spoken", (query, name) => {
      const [asTyped, asNamed] = [query.split(" "), name.trim().split(/\s+/)];
      expect(asTyped).toHaveLength(asNamed.length);
      expect(asTyped.filter((word, place) => word !== asNamed[place])).toHaveLength(1);
    });
  });
});

describe("a writing habit", () => {
  it("changes one thing in how a name is written", () => {
    expect(rewrites("Gebroeders van der Berg", HABITS)).toEqual([
      "Gebroeders v.d. Berg",
      "Gebroeders v/d Berg",
      "Gebroeders vd Berg",
      "gebr. van der Berg",
    ]);
    expect(rewrites("Jansen & Zn", HABITS)).toEqual(["Jansen en Zn", "Jansen + Zn", "Jansen and Zn"]);
    expect(rewrites("Studio 5", HABITS)).toEqual(["Studio vijf", "Studio five"]);
    expect(rewrites("Studio Vijf", HABITS)).toEqual(["Studio 5"]);
    expect(rewrites("Stichting St. Jan", HABITS)).toEqual(["st. St. Jan", "Stichting sint Jan"]);
    expect(rewrites("Endemol 99 B.V.", HABITS)).toEqual([]);
  });
});

describe("another wording", () => {
  it("replaces one thing in a name with a synonym", () => {
    expect(rewrites("Weduwe Jansen B.V.", WORDINGS)).toEqual([
      "wed. Jansen B.V.",
      "Weduwe Jansen besloten vennootschap",
      "Weduwe Jansen B V",
      "Weduwe Jansen BV",
    ]);
    expect(rewrites("A.S.R. Café", WORDINGS)).toEqual(["A S R Café", "ASR Café", "A.S.R. Caf&eacute;"]);
    expect(rewrites("A B C & Zo", WORDINGS)).toEqual(["ABC & Zo", "A B C &amp; Zo"]);
    expect(rewrites("D'Oude Jan", WORDINGS)).toEqual(["D&#39;Oude Jan"]);
    expect(rewrites("Jansen", WORDINGS)).toEqual([]);
  });
});

describe("a legal form", () => {
  it("is dropped from names that have one, and added to those that have none", () => {
    expect(type("form-dropped", "Stichting De Korenaar")).toBe("De Korenaar");
    expect(type("form-added", "Stichting De Korenaar")).toBeUndefined();
    expect(type("form-dropped", "De Korenaar")).toBeUndefined();
    always("form-added", (query, name) => expect(wordsOf(query)).toEqual(wordsOf(name)));
  });
});

describe("queries", () => {
  const names = new NameSet();
  for (const { name } of GENERATED) names.add(name);

  it("are the same in every run, and do not depend on the other companies", () => {
    const companies = GENERATED.slice(0, 100);
    for (const queryClass of CLASSES) {
      const all = queriesOf(queryClass, companies, names);
      expect(queriesOf(queryClass, companies, names)).toEqual(all);
      const some = queriesOf(queryClass, companies.slice(0, 30), names);
      expect(all).toEqual(expect.arrayContaining(some));
    }
  });

  it("never equal another name, with or without its legal form, except for prefixes", () => {
    const target = { kvkNumber: GENERATED[0]?.kvkNumber, name: "Jansen Schilderwerken" } as NamedCompany;
    const close = new NameSet();
    close.add(target.name);
    close.add("Schilderwerken Jansen B.V.");
    expect(queriesOf(classOf("words-swapped"), [target], close)).toEqual([]);
    expect(queriesOf(classOf("words-swapped"), [target], new NameSet())).toHaveLength(1);
    expect(close.isAnother("jansen schilderwerken", target.name)).toBe(false);
    expect(close.isAnother("Schilderwerken Jansen", target.name)).toBe(true);
    expect(close.isAnother("Schilderwerken Janssen", target.name)).toBe(false);
  });
});

describe("halves", () => {
  it("are about the same size, and a company is always in the same half", () => {
    const tune = GENERATED.filter(({ kvkNumber }) => halfOf(kvkNumber) === "tune");
    const measured = GENERATED.filter(({ kvkNumber }) => halfOf(kvkNumber) === "measured");
    expect(tune.length + measured.length).toBe(GENERATED.length);
    expect(tune.length).toBeGreaterThan(150);
    expect(measured.length).toBeGreaterThan(150);
    expect(tune.some((company) => measured.includes(company))).toBe(false);
  });
});
