import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAddressText } from "./addressText.ts";
import { splitStreet, splitStreetLines } from "./streetLine.ts";

describe("street and number out of one line", () => {
  it.each([
    ["MARKWEG 194", "MARKWEG", "194"],
    ["Kruseman van Eltenweg 1", "Kruseman van Eltenweg", "1"],
    ["D'ARCYWEG 76", "D'ARCYWEG", "76"],
    ["A.J. Ernststraat 595 H", "A.J. Ernststraat", "595H"],
    ["Plein 1940 12 a", "Plein 1940", "12a"],
    ["Laan 1940-1945 3-A", "Laan 1940-1945", "3-A"],
    ["Laan 1940 - 1945 3", "Laan 1940 - 1945", "3"],
    ["Laan van 1813 5", "Laan van 1813", "5"],
    ["Plein '40-'45 3", "Plein '40-'45", "3"],
    ["Hoofdweg 1940", "Hoofdweg", "1940"],
    ["Hoofdweg 1940 b", "Hoofdweg", "1940b"],
    ["2e Oosterparkstraat 12 hs", "2e Oosterparkstraat", "12-hs"],
    ["1e Jan van der Heijdenstraat 20III", "1e Jan van der Heijdenstraat", "20-III"],
    ["Oude 2e Weg 3", "Oude 2e Weg", "3"],
    ["Keizersgracht 17M", "Keizersgracht", "17M"],
    ["Keizersgracht 17 m", "Keizersgracht", "17m"],
    ["Keizersgracht 17a-2", "Keizersgracht", "17a-2"],
    ["Keizersgracht 17 a 2", "Keizersgracht", "17a-2"],
    ["Keizersgracht 17-2", "Keizersgracht", "17-2"],
    ["Keizersgracht 17 2", "Keizersgracht", "17-2"],
    ["Keizersgracht 17/2", "Keizersgracht", "17-2"],
    ["Keizersgracht 17 bis A", "Keizersgracht", "17-bis A"],
    ["Keizersgracht 17 3 hoog", "Keizersgracht", "17-3 hoog"],
    ["Keizersgracht 17 - 19", "Keizersgracht", "17-19"],
    ["Keizersgracht 17 t/m 19", "Keizersgracht", "17-19"],
    ["Keizersgracht, nr. 17", "Keizersgracht", "17"],
    ["Keizersgracht #17", "Keizersgracht", "17"],
    ["Keizersgracht   17,", "Keizersgracht", "17"],
    ["Strawinskylaan 3127, 8th floor", "Strawinskylaan", "3127"],
    ["Strawinskylaan 3127 Toren B", "Strawinskylaan", "3127"],
    ["Zuidplein 36 H-Toren", "Zuidplein", "36"],
    ["Weena 505 (2e verdieping)", "Weena", "505"],
    ["Weena 505 12e etage", "Weena", "505"],
    ["Postbus 200", "Postbus", "200"],
    ["POSTBUS 90801", "Postbus", "90801"],
    ["P.O. Box 200", "Postbus", "200"],
    ["PO Box 75215", "Postbus", "75215"],
    ["WTC Schiphol, Schiphol Boulevard 231", "WTC Schiphol, Schiphol Boulevard", "231"],
  ])("%s", (line, street, houseNumber) => {
    expect(splitStreet(line)).toEqual({ street, houseNumber });
  });

  it.each([
    "Chertsey Road",
    "Plein 1940",
    "Westelijke Randweg",
    "12 Rue de Tilsitt",
    "Weg 7 Sloten bij de molen",
  ])("%s has no house number", (line) => {
    expect(splitStreet(line)).toEqual({ street: line });
  });

  it.each(["-", "(", ", ", "12 van ", "1 a "])(
    "takes what is far longer than an address as a street: %j",
    (part) => {
      const line = `Weg 1${part.repeat(250_000)}€`;
      expect(splitStreet(line)).toEqual({ street: line });
      expect(parseAddressText(line)).toEqual({ street: line });
    },
  );

  it("never loses a street, whatever the line", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."aZé '.,-/#()0129 \t") }), (line) => {
        const { street, houseNumber } = splitStreet(line);
        expect(street).toBe(street.trim());
        if (houseNumber !== undefined) {
          expect(street).not.toBe("");
          expect(houseNumber).toMatch(/^[0-9]{1,6}[a-zA-Z]?(-[a-zA-Z0-9][a-zA-Z0-9 /-]*)?$/);
        }
      }),
    );
  });
});

describe("street and number out of several lines", () => {
  it.each([
    [["Markweg", "194"], { street: "Markweg", houseNumber: "194" }],
    [["Markweg", "194 A", "Europoort"], { street: "Markweg", houseNumber: "194A" }],
    [["WTC, Toren C", "Zuidplein 36"], { street: "Zuidplein", houseNumber: "36" }],
    [["c/o Trust 2000 B.V. 3", "Zuidplein 36"], { street: "Zuidplein", houseNumber: "36" }],
    [["c/o Trust B.V."], { street: "c/o Trust B.V." }],
    [["Chertsey Road", "Middlesex"], { street: "Chertsey Road" }],
    [["", " "], undefined],
  ])("%j", (lines, expected) => {
    expect(splitStreetLines(lines)).toEqual(expected);
  });
});
