import { describe, expect, it } from "vitest";
import { addToNumber, splitStreet } from "./streetLine.ts";

describe("a street line", () => {
  it.each([
    ["Brigade 40-45 Pad 3", "Brigade 40-45 Pad", "3"],
    ["Vak 12 Noordzijde 7", "Vak 12 Noordzijde", "7"],
    ["E19 nr. 14", "E19", "14"],
    ["A 9 nr 8", "A 9", "8"],
    ["N 361 22a", "N 361", "22a"],
    ["Rijksweg 12 48", "Rijksweg 12", "48"],
    ["Zonnebaden 7 118", "Zonnebaden 7", "118"],
    ["Dorpsstraat 7 118", "Dorpsstraat", "7-118"],
    ["Lindelaan 6 bte 2", "Lindelaan", "6-bus 2"],
    ["Lindelaan 6, bus 2", "Lindelaan", "6-bus 2"],
    ["Lindelaan 6, boîte 2", "Lindelaan", "6-bus 2"],
    ["Bahnhofstraße 8 b-d", "Bahnhofstraße", "8b-d"],
    ["Bahnhofstr. 8½", "Bahnhofstr.", "8-1/2"],
    ["Straße des 3. Oktober 21", "Straße des 3. Oktober", "21"],
    ["Kerkpad 5 3de verd.", "Kerkpad", "5"],
    ["Kerkpad 5 tweede etage", "Kerkpad", "5"],
    ["Kerkpad 5 first floor", "Kerkpad", "5"],
    ["Kerkpad 5 begane grond", "Kerkpad", "5"],
    ["Kerkpad 5, souterrain", "Kerkpad", "5"],
    ["Kerkpad 5 bel-etage", "Kerkpad", "5"],
    ["Kerkpad 5 box 11", "Kerkpad", "5"],
    ["Kerkpad 5 ligplaats 2", "Kerkpad", "5"],
    ["Kerkpad 5 chalet 12", "Kerkpad", "5"],
    ["Am Deich 5 Whg. 12", "Am Deich", "5"],
    ["Kerkpad 5, woonboot De Zwaan", "Kerkpad", "5"],
    ["Kerkpad nabij 5", "Kerkpad", "5"],
    ["Kerkpad naast nr. 5", "Kerkpad", "5"],
    ["Kerkpad | 5", "Kerkpad", "5"],
    ["Kerkpad ; 5", "Kerkpad", "5"],
    ["Kerkpad / 5", "Kerkpad", "5"],
    ["Kerkpad,, 5", "Kerkpad", "5"],
    ["Kerkpad 5 A en B", "Kerkpad", "5A-B"],
    ["Kerkpad 5 benedenhuis", "Kerkpad", "5-benedenhuis"],
    ["Kerkpad 5 II hoog", "Kerkpad", "5-II hoog"],
    ["Kerkpad 5 ong.", "Kerkpad", "5"],
    ["Depotweg 5", "Depotweg", "5"],
  ])("%s, as lists and registers write it", (line, street, houseNumber) => {
    expect(splitStreet(line)).toEqual({ street, houseNumber });
  });

  it.each([
    ["Kerkpad 5, Rommeldam", ["Rommeldam"]],
    ["Kerkpad 5 (Rommeldam)", ["Rommeldam"]],
    ["Kerkpad 5, 2e verdieping, kamer 7, ingang B; achterom", ["achterom"]],
    ["Kerkpad 5, 7 en 9", ["7 en 9"]],
    ["Kerkpad 5 t.a.v. mevrouw Zwaan", ["t.a.v. mevrouw Zwaan"]],
    ["Kerkpad 5 c/o Zwaan", ["c/o Zwaan"]],
    ["p/a Zwaan, Kerkpad 5", ["p/a Zwaan"]],
    ["Afdeling 3; Kerkpad 5", ["Afdeling 3"]],
    ["Kerkpad 5, t.o. de haven", []],
    ["Kerkpad 5 Toren C", []],
  ])("%s: says what no field holds", (line, expected) => {
    const unplaced: string[] = [];
    const split = splitStreet(line, (text) => unplaced.push(text));
    expect([split, unplaced]).toEqual([{ street: "Kerkpad", houseNumber: "5" }, expected]);
  });

  it.each([
    "Brigade 40-45 Pad",
    "N 361",
    "Kerkpad 5 Rommeldam",
    "Kerkpad unit 5",
    "Kerkpad ligplaats 2",
    "5, rue Zwanne",
    "5, Kerkpad",
    "5-7 Kerkpad",
    "p/a Zwaan Kerkpad 5",
  ])("%s is a street as a whole rather than split wrongly", (line) => {
    expect(splitStreet(line)).toEqual({ street: line });
  });

  it.each(["Kerkpad ong.", "Kerkpad, ongenummerd", "Kerkpad z/n"])("%s has no number", (line) => {
    expect(splitStreet(line)).toEqual({ street: "Kerkpad" });
  });
});

it.each([
  ["12", "unit 7", "12"],
  ["12", "App 2b", "12"],
  ["12-14", "3de etage", "12-14"],
  ["12", "begane grond", "12"],
  ["12", "kamer 2.14", "12"],
  ["12", "7", "12-7"],
  ["12", "C", "12-C"],
  ["12", "hs", "12-hs"],
  ["12a", "2", "12a-2"],
  ["12", "- 2", "12-2"],
  ["12", "IV", "12-IV"],
  ["12-7", "7", "12-7"],
  ["12", "", "12"],
  ["12", "Zwaanhoeve", undefined],
  ["12", "t.a.v. Zwaan", undefined],
])("the house number %s with the addition %j is %s", (number, addition, expected) => {
  expect(addToNumber(number, addition)).toBe(expected);
});
