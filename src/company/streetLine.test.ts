import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAddressText } from "./addressText.ts";
import { parseHouseNumber, splitStreet, splitStreetLines, withSeparateNumber } from "./streetLine.ts";

describe("street and number in one line", () => {
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
    ["Laan 1940 – 1945 37", "Laan 1940 – 1945", "37"],
    ["Boulevard 1945 12", "Boulevard 1945", "12"],
    ["Boulevard 1940-1945 3", "Boulevard 1940-1945", "3"],
    ["Boulevard 1940 - 1945 3", "Boulevard 1940 - 1945", "3"],
    ["16 april 1944 Pad 1", "16 april 1944 Pad", "1"],
    ["Plein 40-45 17", "Plein 40-45", "17"],
    ["Plein 40 – 45 17", "Plein 40 – 45", "17"],
    ["Plein 1992 3 bis", "Plein 1992", "3-bis"],
    ["5 Meilaan 12", "5 Meilaan", "12"],
    ["Hoofdweg 1940-12", "Hoofdweg", "1940-12"],
    ["Pier 3 nr 12", "Pier 3", "12"],
    ["Pier 3 no. 12", "Pier 3", "12"],
    ["Kade 12 – 14", "Kade", "12-14"],
    ["Kade 12—14", "Kade", "12-14"],
    ["Kade 12+14", "Kade", "12-14"],
    ["Kade 12 & 14", "Kade", "12-14"],
    ["Kade 12 en 14", "Kade", "12-14"],
    ["Kade 12 tm 14", "Kade", "12-14"],
    ["Kade 12a–14b", "Kade", "12a-14b"],
    ["Kade 12.", "Kade", "12"],
    ["Kade 12 a.", "Kade", "12a"],
    ["Kade nr. 12", "Kade", "12"],
    ["Kade no. 12", "Kade", "12"],
    ["Kade nummer 12", "Kade", "12"],
    ["Kade № 12", "Kade", "12"],
    ["Kade: 12", "Kade", "12"],
    ["Kade - 12", "Kade", "12"],
    ["Kade 12 t.o.", "Kade", "12"],
    ["Kade t.o. 12", "Kade", "12"],
    ["t.o. Kade 12", "Kade", "12"],
    ["Kade 12.0", "Kade", "12"],
    ["Kade 0012", "Kade", "12"],
    ["Kade 12 unit 3.04", "Kade", "12"],
    ["Kade 12 app. 3", "Kade", "12"],
    ["Kade 12 K1.01", "Kade", "12-K1.01"],
    ["Unit 3.04, Kade 12", "Kade", "12"],
    ["Gebouw B, Kade 12", "Kade", "12"],
    ["4e verdieping, Kade 12", "Kade", "12"],
    ["Postbus 90.801", "Postbus", "90801"],
    ["Postbus 90 801", "Postbus", "90801"],
    ["Postbus nr. 12", "Postbus", "12"],
    ["Postbus: 12", "Postbus", "12"],
    ["PO Box 90 801", "Postbus", "90801"],
    ["P.O.Box 90.801", "Postbus", "90801"],
    ["Post Office Box 12", "Postbus", "12"],
    ["Pb. 12", "Postbus", "12"],
    ["Post-bus 12", "Postbus", "12"],
    ["Postb. 12", "Postbus", "12"],
    ["P/O Box 12", "Postbus", "12"],
    ["Antwoordnummer 123", "Antwoordnummer", "123"],
    ["ANTWOORDNUMMER 10.123", "Antwoordnummer", "10123"],
    ["Antwoordnummer 10 123", "Antwoordnummer", "10123"],
    ["Antwoord nummer: 123", "Antwoordnummer", "123"],
    ["Antwoord-nr. 123", "Antwoordnummer", "123"],
    ["Antwoordnr 123", "Antwoordnummer", "123"],
    ["Antw.nr. 123", "Antwoordnummer", "123"],
    ["Antw. nr 123", "Antwoordnummer", "123"],
    ["Antw nummer 123", "Antwoordnummer", "123"],
    ["Freepost 123", "Antwoordnummer", "123"],
    ["Free Post no. 123", "Antwoordnummer", "123"],
    ["Reply Number 123", "Antwoordnummer", "123"],
    ["Antwoordlaan 12", "Antwoordlaan", "12"],
    ["P.O.B. 200", "Postbus", "200"],
    ["Postbus 200, Kade 12", "Kade", "12"],
    ["Postbus 200 / Kade 12", "Kade", "12"],
    ["Postbus 90.801; Kade 12 a", "Kade", "12a"],
    ["Postbus 200 Kade 12", "Kade", "12"],
    ["Kade 12 / Postbus 200", "Kade", "12"],
    ["Kade 12 - PO Box 90 801", "Kade", "12"],
    ["Kade 12 (Postbus 200)", "Kade", "12"],
    ["Kade 12 Postbus 200", "Kade", "12"],
    ["Kade 12 | Antwoordnummer 123", "Kade", "12"],
    ["Postbus 200 t.a.v. afdeling 3", "Postbus", "200"],
    ["Afdeling inkoop, Postbus 200", "Postbus", "200"],
    ["Postbus 200, gebouw 3", "Postbus", "200"],
    ["Kade t/o nr 12", "Kade", "12"],
    ["Kade tegenover nr. 12", "Kade", "12"],
    ["Kade 12;", "Kade", "12"],
    ["Kade 12; 2e etage", "Kade", "12"],
    ["Kade 12 t.e.m. 14", "Kade", "12-14"],
    ["Kade 12 t / m 14", "Kade", "12-14"],
    ["Gebouw B - Kade 12", "Kade", "12"],
    ["Unit 3 / Kade 12 - 14", "Kade", "12-14"],
    ["WTC Schiphol, Schiphol Boulevard 231", "WTC Schiphol, Schiphol Boulevard", "231"],
  ])("%s", (line, street, houseNumber) => {
    expect(splitStreet(line)).toEqual({ street, houseNumber });
  });

  it.each([
    "Chertsey Road",
    "Plein 1940",
    "Plein 40-45",
    "Kade 0",
    "Westelijke Randweg",
    "12 Rue de Tilsitt",
    "Weg 7 Sloten bij de molen",
  ])("%s has no house number", (line) => {
    expect(splitStreet(line)).toEqual({ street: line });
  });

  it.each(["-", "(", ", ", "12 van ", "1 a "])(
    "treats a text that is too long for an address as a street: %j",
    (part) => {
      const line = `Weg 1${part.repeat(250_000)}€`;
      expect(splitStreet(line)).toEqual({ street: line });
      expect(parseAddressText(line)).toEqual({ street: line });
    },
  );

  it("never loses a street", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."aZé '.,-/#()0129 \t") }), (line) => {
        const { street, houseNumber } = splitStreet(line);
        expect(street).toBe(street.trim());
        if (houseNumber !== undefined) {
          expect(street).not.toBe("");
          expect(houseNumber).toMatch(/^[0-9]{1,6}[a-zA-Z]?(-[a-zA-Z0-9][a-zA-Z0-9 /.-]*)?$/);
        }
      }),
    );
  });
});

describe("street and number in several lines", () => {
  it.each([
    [["Markweg", "194"], { street: "Markweg", houseNumber: "194" }],
    [["Markweg", "194 A", "Europoort"], { street: "Markweg", houseNumber: "194A" }],
    [["WTC, Toren C", "Zuidplein 36"], { street: "Zuidplein", houseNumber: "36" }],
    [["c/o Trust 2000 B.V. 3", "Zuidplein 36"], { street: "Zuidplein", houseNumber: "36" }],
    [["Postbus 200", "Zuidplein 36"], { street: "Zuidplein", houseNumber: "36" }],
    [["Antw.nr. 123", "Zuidplein 36"], { street: "Zuidplein", houseNumber: "36" }],
    [["Unit 3.04", "Zuidplein 36"], { street: "Zuidplein", houseNumber: "36" }],
    [["Gebouw 12", "Zuidplein 36"], { street: "Zuidplein", houseNumber: "36" }],
    [["3rd floor", "Postbus 200"], { street: "Postbus", houseNumber: "200" }],
    [["c/o Trust B.V."], { street: "c/o Trust B.V." }],
    [["Chertsey Road", "Middlesex"], { street: "Chertsey Road" }],
    [["", " "], undefined],
  ])("%j", (lines, expected) => {
    expect(splitStreetLines(lines)).toEqual(expected);
  });
});

it.each([
  ["12", "12"],
  ["12.0", "12"],
  ["12,00", "12"],
  ["12.", "12"],
  ["012", "12"],
  ["nr. 12", "12"],
  ["#12", "12"],
  ["12 a", "12a"],
  ["12+14", "12-14"],
  ["12 – 14", "12-14"],
  ["12 t.o.", "12"],
  ["0", undefined],
  ["ong.", undefined],
  ["K12", undefined],
  ["123456", undefined],
])("the house number %s is %s", (text, houseNumber) => {
  expect(parseHouseNumber(text)).toBe(houseNumber);
});

it.each([
  ["Kade", "12", "Kade", "12"],
  ["Kade 12", "12", "Kade", "12"],
  ["Kade 12 a", "12", "Kade", "12a"],
  ["Kade 12", "12a-2", "Kade", "12a-2"],
  ["Plein 44", "3", "Plein 44", "3"],
  ["Postbus", "90801", "Postbus", "90801"],
  ["Postbus 200", "12", "Postbus", "200"],
  ["Antwoordnr.", "123", "Antwoordnummer", "123"],
])("the street line %s with the separate number %s", (line, own, street, houseNumber) => {
  expect(withSeparateNumber(splitStreet(line), own)).toEqual({ street, houseNumber });
});
