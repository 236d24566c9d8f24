import { describe, expect, it } from "vitest";
import { parseAddressText, parseCityText } from "./addressText.ts";

describe("an address in one text", () => {
  it.each([
    [
      "Korenmolenlaan 17 M                                 1034WL Amsterdam",
      {
        street: "Korenmolenlaan",
        houseNumber: "17M",
        postalCode: "1034 WL",
        city: "Amsterdam",
        country: "NL",
      },
    ],
    [
      "Postbus 200                         1000AE Rommeldam",
      { street: "Postbus", houseNumber: "200", postalCode: "1000 AE", city: "Rommeldam", country: "NL" },
    ],
    [
      "Korenmolenlaan 3-A, 1034 wl 's-Gravenhage, Nederland",
      {
        street: "Korenmolenlaan",
        houseNumber: "3-A",
        postalCode: "1034 WL",
        city: "'s-Gravenhage",
        country: "NL",
      },
    ],
    [
      "Hoofdweg 1940 ab 2153 LB Nieuw-Vennep",
      {
        street: "Hoofdweg",
        houseNumber: "1940-ab",
        postalCode: "2153 LB",
        city: "Nieuw-Vennep",
        country: "NL",
      },
    ],
    [
      "Kade 12, 1234 AB Rommeldam, NLD",
      { street: "Kade", houseNumber: "12", postalCode: "1234 AB", city: "Rommeldam", country: "NL" },
    ],
    ...["(NL)", "(Nederland)", "(NLD)", "(the Netherlands)", ", NL", " NL", " - Nederland"].map(
      (country): [string, object] => [
        `Kade 12, 1234 AB Rommeldam ${country}`,
        { street: "Kade", houseNumber: "12", postalCode: "1234 AB", city: "Rommeldam", country: "NL" },
      ],
    ),
    [
      "Kade 12, 1234 AB Hengelo (Ov)",
      { street: "Kade", houseNumber: "12", postalCode: "1234 AB", city: "Hengelo (Ov)", country: "NL" },
    ],
    [
      "Kade 12, 1234 AB Hoek van Holland",
      { street: "Kade", houseNumber: "12", postalCode: "1234 AB", city: "Hoek van Holland", country: "NL" },
    ],
    ...[
      "1234 AB Rommeldam, Kade 12",
      "1234 AB, Kade 12, Rommeldam",
      "Rommeldam 1234 AB Kade 12",
      "Rommeldam, 1234 AB, Kade 12",
      "Kade 12 | 1234 AB | Rommeldam",
      "Kade 12; 1234AB; Rommeldam",
      "Kade 12 (1234 AB) Rommeldam",
    ].map((text): [string, object] => [
      text,
      { street: "Kade", houseNumber: "12", postalCode: "1234 AB", city: "Rommeldam", country: "NL" },
    ]),
    ["Kade 12, Rommeldam (NL)", { street: "Kade", houseNumber: "12", city: "Rommeldam", country: "NL" }],
    [
      "53 Rue de Tilsitt, 75008 Parijs (Frankrijk)",
      { street: "53 Rue de Tilsitt, 75008 Parijs", country: "FR" },
    ],
    [
      "53 Rue de Tilsitt, 75008 Parijs, Frankrijk",
      { street: "53 Rue de Tilsitt, 75008 Parijs", country: "FR" },
    ],
    ["Kade 12                  Rommeldam", { street: "Kade", houseNumber: "12", city: "Rommeldam" }],
    ["1034WL Amsterdam", { postalCode: "1034 WL", city: "Amsterdam", country: "NL" }],
    ["Korenmolenlaan 17, Amsterdam", { street: "Korenmolenlaan", houseNumber: "17", city: "Amsterdam" }],
    ["53 Rue de Tilsitt X-13501 Parijs Frankrijk", { street: "53 Rue de Tilsitt X-13501 Parijs Frankrijk" }],
    ["  ", {}],
  ])("%s", (text, address) => {
    expect(parseAddressText(text)).toEqual(address);
  });
});

describe("the field of a city", () => {
  it.each([
    ["Rommeldam, ingang achterzijde", "Rommeldam", ["ingang achterzijde"]],
    ["Rommeldam (Zwaanhof)", "Rommeldam", ["Zwaanhof"]],
    ["Rommeldam; Zwaan", "Rommeldam", ["Zwaan"]],
    ["Rommeldam - Zwaanhof", "Rommeldam", ["Zwaanhof"]],
    ["Rommeldam / Zwanendam", "Rommeldam", ["Zwanendam"]],
    ["Rommeldam t.a.v. Zwaan", "Rommeldam", ["t.a.v. Zwaan"]],
    ["Rommeldam c/o Zwaan", "Rommeldam", ["c/o Zwaan"]],
    ["1234 AB Rommeldam, achterom", "Rommeldam", ["achterom"]],
    ["12", undefined, ["12"]],
    ["1234 AB, 12", undefined, ["12"]],
    ["Beek (L.)", "Beek (L.)", []],
    ["Zwaan (Rommeldam)", "Zwaan (Rommeldam)", []],
    ["Zwaan (Gem. Rommeldam)", "Zwaan (Gem. Rommeldam)", []],
    ["Bergen (N.H.)", "Bergen (N.H.)", []],
    ["Rijswijk (Gelderland)", "Rijswijk (Gelderland)", []],
    ["Capelle a/d IJssel", "Capelle a/d IJssel", []],
    ["Noord-Scharwoude", "Noord-Scharwoude", []],
  ])("%s", (text, city, expected) => {
    const unplaced: string[] = [];
    expect(parseCityText(text, "NL", (part) => unplaced.push(part)).city).toBe(city);
    expect(unplaced).toEqual(expected);
  });

  it("is as given abroad", () => {
    expect(parseCityText("Frankfurt (Oder)", "DE")).toEqual({ city: "Frankfurt (Oder)" });
  });
});

it.each([
  "Kade 12 / 1234 AB / Rommeldam",
  "Kade 12 - 1234 AB - Rommeldam",
  "Kade 12,, 1234AB,, Rommeldam",
  "Kade 12, 4e verdieping, 1234 AB Rommeldam",
  "p/a Zwaan, Kade 12, 1234 AB Rommeldam",
])("the address %s, whatever separates its parts", (text) => {
  expect(parseAddressText(text)).toEqual({
    ...{ street: "Kade", houseNumber: "12", postalCode: "1234 AB", city: "Rommeldam", country: "NL" },
  });
});

it.each(["Kade 12; Rommeldam", "Kade 12 | Rommeldam", "Kade 12 / Rommeldam", "Kade 12, 2e etage, Rommeldam"])(
  "the address %s without a postal code",
  (text) => {
    expect(parseAddressText(text)).toEqual({ street: "Kade", houseNumber: "12", city: "Rommeldam" });
  },
);
