import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CLASSES } from "../../bench/relevance/classes/all.ts";
import { firstLetters, SHARE_OF_NAME } from "../../bench/relevance/classes/beginnings.ts";
import { otherHabits } from "../../bench/relevance/classes/habits.ts";
import { FORM_ADDED, FORM_DROPPED } from "../../bench/relevance/classes/legalForm.ts";
import type { QueryClass } from "../../bench/relevance/classes/queryClass.ts";
import { ACCENTS_DROPPED, SPOKEN, soundAlikes } from "../../bench/relevance/classes/spelling.ts";
import { typedName } from "../../bench/relevance/classes/typedName.ts";
import { makeTypo, ONE_TYPO, TWO_TYPOS } from "../../bench/relevance/classes/typos.ts";
import { otherWordings } from "../../bench/relevance/classes/wordings.ts";
import {
  SPACE_ADDED,
  SPACE_LOST,
  WORD_LEFT_OUT,
  WORDS_SWAPPED,
} from "../../bench/relevance/classes/words.ts";
import { NameSet } from "../../bench/relevance/nameSet.ts";
import { halfOf, type NamedCompany } from "../../bench/relevance/names.ts";
import { queriesOf } from "../../bench/relevance/queries.ts";
import { generateCompanies } from "../../src/demo/generateCompanies.ts";
import { Random } from "../../src/demo/random.ts";
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

const anyName = fc.constantFrom(...NAMES);
const anySeed = fc.nat(2 ** 31);
const type = (queryClass: QueryClass, name: string, seed = 1): string | undefined =>
  queryClass.type(typedName(name), new Random(seed));

/** Checks what a class makes of any name, where it makes something of it. */
function always(queryClass: QueryClass, check: (query: string, name: string) => void): void {
  let made = 0;
  fc.assert(
    fc.property(anyName, anySeed, (name, seed) => {
      const query = type(queryClass, name, seed);
      if (query === undefined) return;
      made++;
      check(query, name);
    }),
    { numRuns: 400 },
  );
  expect(made).toBeGreaterThan(0);
}

/** The words of a name without its legal form, as they were typed. */
const wordsOf = (text: string) => typedName(text).words;
const letters = (text: string) => text.match(/[\p{L}\p{N}]/gu) ?? [];

/** Edit distance where two neighbours that trade places are one edit (optimal string alignment), by its definition. */
function editDistance(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  const known = new Map<number, number>();
  const between = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = i * (b.length + 1) + j;
    const held = known.get(key);
    if (held !== undefined) return held;
    const isSame = a[i - 1] === b[j - 1];
    let least = Math.min(
      between(i - 1, j) + 1,
      between(i, j - 1) + 1,
      between(i - 1, j - 1) + (isSame ? 0 : 1),
    );
    if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
      least = Math.min(least, between(i - 2, j - 2) + 1);
    }
    known.set(key, least);
    return least;
  };
  return between(a.length, b.length);
}

describe("a name's words", () => {
  it("stand apart from what only says its legal form", () => {
    expect(typedName("Stichting Bakkerij  De Korenaar B. V.")).toMatchObject({
      before: ["Stichting"],
      words: ["Bakkerij", "De", "Korenaar"],
      after: ["B.", "V."],
    });
    expect(typedName("B.V.")).toMatchObject({ before: [], words: ["B.V."], after: [] });
  });
});

describe("a typo", () => {
  it("is one edit away from the name in small letters, and is no other spelling of the same", () => {
    always(ONE_TYPO, (query, name) => {
      expect(editDistance(query.toLowerCase(), name.trim().replace(/\s+/g, " ").toLowerCase())).toBe(1);
      expect(normalise(query)).not.toBe(normalise(name));
    });
  });

  it("is of every kind, at every letter", () => {
    const made = new Set(Array.from({ length: 3_000 }, (_, seed) => makeTypo("abc", new Random(seed))));
    for (const typo of ["bc", "ac", "ab", "bac", "acb", "aabc", "abcc", "sbc", "avc", "abx", "zabc"]) {
      expect(made).toContain(typo);
    }
    for (const typo of made) expect(editDistance(typo ?? "", "abc")).toBeLessThanOrEqual(1);
  });

  it("comes twice in long names only, and the second never undoes the first", () => {
    always(TWO_TYPOS, (query, name) => {
      const written = name.trim().replace(/\s+/g, " ").toLowerCase();
      const distance = editDistance(query.toLowerCase(), written);
      expect(letters(wordsOf(name).join("")).length).toBeGreaterThanOrEqual(12);
      expect(distance).toBeGreaterThan(0);
      // Two edits at one place may also be three by optimal string alignment, which edits no letter twice.
      expect(distance).toBeLessThanOrEqual(3);
    });
  });
});

describe("words", () => {
  it("that are swapped are the same words in another order", () => {
    always(WORDS_SWAPPED, (query, name) => {
      expect(query.split(" ").sort()).toEqual(name.trim().split(/\s+/).sort());
      expect(query).not.toBe(name);
    });
  });

  it("lose one of three or more", () => {
    always(WORD_LEFT_OUT, (query, name) => {
      const left = [...name.trim().split(/\s+/)];
      for (const word of query.split(" ")) left.splice(left.indexOf(word), 1);
      expect(left).toHaveLength(1);
      expect(wordsOf(name).length).toBeGreaterThanOrEqual(3);
    });
  });

  it("lose or gain one space, and nothing else", () => {
    for (const [queryClass, more] of [
      [SPACE_LOST, -1],
      [SPACE_ADDED, 1],
    ] as const) {
      always(queryClass, (query, name) => {
        expect(query.replaceAll(" ", "")).toBe(name.replace(/\s/g, ""));
        expect(query.split(" ")).toHaveLength(name.trim().split(/\s+/).length + more);
      });
    }
  });
});

describe("a beginning", () => {
  it("has so many letters of a name that goes on", () => {
    for (const count of [3, 5, 8]) {
      always(firstLetters(count), (query, name) => {
        expect(name.startsWith(query)).toBe(true);
        expect(letters(query)).toHaveLength(count);
        expect(letters(name).length).toBeGreaterThan(count);
      });
    }
    expect(type(firstLetters(3), "'t Hoekje")).toBe("'t Ho");
    expect(type(firstLetters(3), "IJs")).toBeUndefined();
  });

  it("of 60 % is rounded up", () => {
    expect(type(SHARE_OF_NAME, "12345678901")).toBe("1234567");
  });
});

describe("spelling", () => {
  it("loses all accents, of names that have some", () => {
    expect(type(ACCENTS_DROPPED, "Hét Café")).toBe("Het Cafe");
    expect(type(ACCENTS_DROPPED, "Het Cafe")).toBeUndefined();
  });

  it("puts one sound's other spelling in one word", () => {
    expect(soundAlikes("meijer")).toEqual(expect.arrayContaining(["meyer", "meeier"]));
    expect(soundAlikes("bouwfonds")).toContain("bauwfonds");
    expect(soundAlikes("brand")).toContain("brant");
    expect(soundAlikes("ek")).toEqual(["ec"]);
    expect(soundAlikes("mm")).toEqual([]);
    always(SPOKEN, (query, name) => {
      const [asTyped, asNamed] = [query.split(" "), name.trim().split(/\s+/)];
      expect(asTyped).toHaveLength(asNamed.length);
      expect(asTyped.filter((word, place) => word !== asNamed[place])).toHaveLength(1);
    });
  });
});

describe("a habit", () => {
  it("writes one thing of a name in another way", () => {
    expect(otherHabits("Gebroeders van der Berg")).toEqual([
      "Gebroeders v.d. Berg",
      "Gebroeders v/d Berg",
      "Gebroeders vd Berg",
      "gebr. van der Berg",
    ]);
    expect(otherHabits("Jansen & Zn")).toEqual(["Jansen en Zn", "Jansen + Zn", "Jansen and Zn"]);
    expect(otherHabits("Studio 5")).toEqual(["Studio vijf", "Studio five"]);
    expect(otherHabits("Studio Vijf")).toEqual(["Studio 5"]);
    expect(otherHabits("Stichting St. Jan")).toEqual(["st. St. Jan", "Stichting sint Jan"]);
    expect(otherHabits("Endemol 99 B.V.")).toEqual([]);
  });
});

describe("another wording", () => {
  it("says one thing of a name in other words", () => {
    expect(otherWordings("Weduwe Jansen B.V.")).toEqual([
      "wed. Jansen B.V.",
      "Weduwe Jansen besloten vennootschap",
      "Weduwe Jansen B V",
      "Weduwe Jansen BV",
    ]);
    expect(otherWordings("A.S.R. Café")).toEqual(["A S R Café", "ASR Café", "A.S.R. Caf&eacute;"]);
    expect(otherWordings("A B C & Zo")).toEqual(["ABC & Zo", "A B C &amp; Zo"]);
    expect(otherWordings("D'Oude Jan")).toEqual(["D&#39;Oude Jan"]);
    expect(otherWordings("Jansen")).toEqual([]);
  });
});

describe("a legal form", () => {
  it("is dropped from names that have one, and added to those that have none", () => {
    expect(type(FORM_DROPPED, "Stichting De Korenaar")).toBe("De Korenaar");
    expect(type(FORM_ADDED, "Stichting De Korenaar")).toBeUndefined();
    expect(type(FORM_DROPPED, "De Korenaar")).toBeUndefined();
    always(FORM_ADDED, (query, name) => expect(wordsOf(query)).toEqual(wordsOf(name)));
  });
});

describe("queries", () => {
  const names = new NameSet();
  for (const { name } of GENERATED) names.add(name);

  it("are the same for the same seed, others for another one, and each company's do not hang on the others", () => {
    const companies = GENERATED.slice(0, 100);
    for (const queryClass of CLASSES) {
      const all = queriesOf(queryClass, companies, { names, seed: 1 });
      expect(queriesOf(queryClass, companies, { names, seed: 1 })).toEqual(all);
      const some = queriesOf(queryClass, companies.slice(0, 30), { names, seed: 1 });
      expect(all).toEqual(expect.arrayContaining(some));
    }
    const one = queriesOf(ONE_TYPO, GENERATED, { names, seed: 1 });
    expect(queriesOf(ONE_TYPO, GENERATED, { names, seed: 2 })).not.toEqual(one);
  });

  it("are never another name, with or without its legal form, where they are no beginnings", () => {
    const wanted = { kvkNumber: GENERATED[0]?.kvkNumber, name: "Jansen Schilderwerken" } as NamedCompany;
    const close = new NameSet();
    close.add(wanted.name);
    close.add("Schilderwerken Jansen B.V.");
    expect(queriesOf(WORDS_SWAPPED, [wanted], { names: close, seed: 1 })).toEqual([]);
    expect(queriesOf(WORDS_SWAPPED, [wanted], { names: new NameSet(), seed: 1 })).toHaveLength(1);
    expect(close.isAnother("jansen schilderwerken", wanted.name)).toBe(false);
    expect(close.isAnother("Schilderwerken Jansen", wanted.name)).toBe(true);
    expect(close.isAnother("Schilderwerken Janssen", wanted.name)).toBe(false);
  });
});

describe("halves", () => {
  it("are about as large, and a company is in one of them always", () => {
    const tune = GENERATED.filter(({ kvkNumber }) => halfOf(kvkNumber) === "tune");
    const measured = GENERATED.filter(({ kvkNumber }) => halfOf(kvkNumber) === "measured");
    expect(tune.length + measured.length).toBe(GENERATED.length);
    expect(tune.length).toBeGreaterThan(150);
    expect(measured.length).toBeGreaterThan(150);
    expect(tune.some((company) => measured.includes(company))).toBe(false);
  });
});
