import fc from "fast-check";
import { expect, it } from "vitest";
import { tableOf } from "../../../test/kit/dictionary.ts";
import { kvkNumberOf } from "../../contract/numbers.ts";
import { exactKeys } from "../legalWords.ts";
import { facetWords, hashOfKey, indexedNames } from "../names.ts";
import type { IndexedCompany } from "./companySpans.ts";
import { codeWord } from "./dictionary.ts";
import { type NameBatch, NameSplitter } from "./nameBatch.ts";
import { BESIDE } from "./nameWords.ts";
import { rankClass } from "./rankClasses.ts";
import { formNumber, NAME_FLAGS } from "./records.ts";
import { sortedTexts } from "./sortedTexts.ts";
import type { TextList } from "./textList.ts";

const textsOf = ({ bytes, starts, hashes }: TextList) =>
  Array.from(hashes, (_, place) => Buffer.from(bytes.subarray(starts[place], starts[place + 1])).toString());

/** What a batch says of each company. */
function told({ companies, words, cities, cityWords, postalCodes, postalWords, texts, numbers }: NameBatch) {
  const wordTexts = textsOf(words);
  const [cityTexts, postalTexts] = [textsOf(cities), textsOf(postalCodes)];
  const wordAt = (place: number | undefined) => (place === 0 ? undefined : wordTexts[(place ?? 0) - 1]);
  let [at, textAt] = [0, 0];
  const next = () => numbers[at++] ?? 0;
  const some = <One>(one: () => One) => Array.from({ length: next() }, one);
  return Array.from({ length: companies }, () => {
    const end = at + next() + 1;
    const textEnd = textAt + next();
    const kvk = next();
    const [city, postal] = [next(), next()];
    const form = next();
    const facets = some(() => wordTexts[next()]);
    const names = some(() => {
      const length = next();
      const text = Buffer.from(texts.subarray(textAt, textAt + length)).toString();
      textAt += length;
      const [rank, flags] = [next(), next()];
      const own = some(next);
      return {
        text,
        rank,
        flags,
        words: own.filter((word) => word < BESIDE).map((word) => wordTexts[word]),
        beside: own.filter((word) => word >= BESIDE).map((word) => wordTexts[word - BESIDE]),
        hashes: some(next),
      };
    });
    expect([at, textAt]).toEqual([end, textEnd]);
    const places = [
      [cityTexts[city - 1], city === 0 ? undefined : wordAt(cityWords[city - 1])],
      [postalTexts[postal - 1], postal === 0 ? undefined : wordAt(postalWords[postal - 1])],
    ];
    return { kvk, form, facets, names, places };
  });
}

/** The same by the names as they are read letter by letter. */
function expected(company: IndexedCompany) {
  const names = indexedNames(company);
  const facets = facetWords(company).map(codeWord);
  const signed = (sign: string) => facets.find((word) => word.startsWith(sign));
  return {
    kvk: Number(company.kvkNumber),
    form: formNumber(company.legalForm),
    facets,
    names: names.map(({ text, normal, words, key, beside, score }) => ({
      text: text ?? company.name,
      rank: rankClass(company.isActive, score, text === undefined),
      flags: (text === undefined ? NAME_FLAGS.own : 0) | (names.length === 1 ? NAME_FLAGS.only : 0),
      words: words.map(codeWord),
      beside: [...beside].map(codeWord),
      hashes: exactKeys(normal, key).map(hashOfKey),
    })),
    places: [
      [company.city, signed("@")],
      [company.postalCode, signed("#")],
    ],
  };
}

const PARTS =
  "Stichting,Vereniging,van,Eigenaars,B.V.,BV,b,v,s a,V.O.F.,Jansen,jansen,JANSEN,ij,IJ,y,ÿ,Ĳ,iij,ijy,en,En,EN,&,+,Café,E-Commerce," +
  "'t,Xiao’s,in,oprichting,liquidatie,i.o.,coöperatie,Oy,™,日本,☃,\u{1f600},-,.,a.s.r,Canal+,C++,ﬁ,ß,\u00a0,\t,O'Neil,771,1e,de,x," +
  "and,AND,d'Oude,'tHoekje,C#,A,B,3,G.4.S,Rock-and-Roll,besloten,vennootschap,naamloze,onder,firma";
const part = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...PARTS.split(",")) },
  fc.string({ maxLength: 3 }),
);
const glue = fc.constantFrom(" ", " ", " ", "  ", "", "-");
const name = fc
  .array(fc.tuple(part, glue), { minLength: 1, maxLength: 7 })
  .map((parts) => parts.flat().join("") || "x");
/** Many names of a company are one of its others with something behind or before it. */
const names = fc
  .tuple(
    name,
    fc.array(fc.tuple(fc.constantFrom("own", "behind", "before", "other"), part, name), { maxLength: 4 }),
  )
  .map(([first, more]) => [
    first,
    ...more.map(([how, one, other]) => {
      if (how === "own") return first;
      return how === "other" ? other : how === "behind" ? `${first} ${one}` : `${one} ${first}`;
    }),
  ]);
const company = fc
  .record({
    names,
    isActive: fc.boolean(),
    city: fc.constantFrom(undefined, "Den Haag", "Nijmegen", "'s-Gravenhage", "☃", "IJmuiden"),
    postalCode: fc.constantFrom(undefined, "1012 AB", "1972 IJ", "1972 YI", "B-1000", "-", "12345 AB"),
    legalForm: fc.constantFrom(undefined, "BV" as const, "EMZ" as const),
    codes: fc.array(fc.constantFrom("0111", "68203", "68204"), { maxLength: 3 }),
    people: fc.nat({ max: 5_000 }),
    isStatutory: fc.boolean(),
  })
  .map(
    ({
      names: [first = "x", ...others],
      codes,
      people,
      isStatutory,
      city,
      postalCode,
      legalForm,
      ...rest
    }) => ({
      ...rest,
      kvkNumber: kvkNumberOf(12_345_678),
      name: first,
      ...(isStatutory && others[0] !== undefined
        ? { statutoryName: others[0], tradingNames: others.slice(1) }
        : { tradingNames: others }),
      ...(city === undefined ? {} : { city }),
      ...(postalCode === undefined ? {} : { postalCode }),
      ...(legalForm === undefined ? {} : { legalForm }),
      activities: codes.map((sbiCode) => ({ sbiCode, isMain: false })),
      employees: { total: people },
    }),
  );

it("names are split by their bytes as they are letter by letter, whatever they hold, batch after batch", () => {
  const splitter = new NameSplitter();
  fc.assert(
    fc.property(fc.array(company, { maxLength: 6 }), (companies) => {
      for (const one of companies) splitter.add(one);
      expect(told(splitter.take())).toEqual(companies.map(expected));
    }),
    { numRuns: 500 },
  );
});

it("texts are sorted by their bytes", () => {
  const text = fc.oneof(fc.constantFrom(...PARTS.split(",")), fc.string({ unit: "grapheme", minLength: 1 }));
  const long = fc.tuple(fc.constantFrom("", "voorzet", "voorzetting"), text).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(long, { maxLength: 400 }), (texts) => {
      const table = tableOf(texts.map((one) => one.replaceAll("\0", "")));
      const at = (number: number) => table.bytes.subarray(table.starts[number], table.starts[number + 1]);
      const numbers = Array.from({ length: table.count }, (_, number) => number);
      expect([...sortedTexts(table)]).toEqual(numbers.sort((a, b) => Buffer.compare(at(a), at(b))));
    }),
    { numRuns: 100 },
  );
});
