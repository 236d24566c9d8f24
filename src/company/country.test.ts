import { describe, expect, it } from "vitest";
import { parseCountry, splitCountry } from "./country.ts";

describe("countries by name", () => {
  it.each([
    "NLD",
    "Ned.",
    "nl",
    "N.L.",
    "Nederland (NL)",
    "NL - Nederland",
    "NL-Nederland",
    "NL/Nederland",
    "NL Nederland",
    "Nederland NL",
    "(NL)",
    "NLD – Netherlands",
    "Holland",
    "Pays-Bas",
    "Niederlande",
    "NETHERLANDS.",
    "Netherlands (Kingdom of the)",
    "Kingdom of the Netherlands",
    "Nederland, NL",
    "Nederland / Netherlands",
  ])("%s is the Netherlands", (text) => {
    expect(parseCountry(text)).toBe("NL");
  });

  it.each([
    ["Nederland", "NL"],
    ["NL", "NL"],
    ["The Netherlands", "NL"],
    ["Frankrijk", "FR"],
    ["France", "FR"],
    ["BELGIË", "BE"],
    ["belgie", "BE"],
    ["Duitsland", "DE"],
    ["Deutschland", "DE"],
    ["Verenigd Koninkrijk", "GB"],
    ["Groot-Brittannië", "GB"],
    ["Verenigde Staten van Amerika", "US"],
    ["Luxemburg", "LU"],
    ["Tsjechië", "CZ"],
    ["Turkije", "TR"],
    ["Curaçao", "CW"],
    ["us", "US"],
    ["Zwitserland", "CH"],
    ["Hongkong", "HK"],
    ["Guernsey", "GG"],
    ["BEL", "BE"],
    ["België/Belgique", "BE"],
    ["BE België", "BE"],
    ["DEU", "DE"],
    ["Königreich Belgien", "BE"],
    ["UK", "GB"],
    ["EL", "GR"],
    ["Groot-Brittannië en Noord-Ierland", "GB"],
    ["Bonaire", "BQ"],
    ["Saba", "BQ"],
    ["Sint Eustatius", "BQ"],
    ["Wit-Rusland", "BY"],
    ["Macau", "MO"],
    ["Democratische Republiek Congo", "CD"],
    ["Congo (Democratische Republiek)", "CD"],
    ["Congo", "CG"],
    ["Kosovo", "XK"],
    ["XK", "XK"],
    ["Republic of Korea", "KR"],
    ["Democratic People's Republic of Korea", "KP"],
    ["Bosnië-Herzegovina", "BA"],
    ["Trinidad en Tobago", "TT"],
    ["Trinidad & Tobago", "TT"],
    ["Isle of Man", "IM"],
    ["Volksrepubliek China", "CN"],
    ["Swaziland", "SZ"],
  ])("%s is %s", (name, code) => {
    expect(parseCountry(name)).toBe(code);
  });

  it.each([
    ...["", "Utopia", "XX", "Joegoslavië", "123", "N", "EU", "Kanaaleilanden", "Noord-Holland", "-"],
    ...["Nederland (BE)", "NL - België", "Nederland, Frankrijk", "Nederlandse Antillen", "constructor"],
  ])("%j is not a country", (name) => {
    expect(parseCountry(name)).toBeUndefined();
  });
});

describe("a country after a city", () => {
  it.each([
    "Rommeldam (NL)",
    "Rommeldam(NL)",
    "Rommeldam (Nederland)",
    "Rommeldam (NLD)",
    "Rommeldam (the Netherlands)",
    "Rommeldam [NL]",
    "Rommeldam, NL",
    "Rommeldam,nl",
    "Rommeldam, The Netherlands.",
    "Rommeldam, Holland",
    "Rommeldam NL",
    "Rommeldam nl",
    "Rommeldam NLD",
    "Rommeldam N.L.",
    "Rommeldam Nederland",
    "Rommeldam / NL",
    "Rommeldam - NL",
    "Rommeldam – Nederland",
    "Rommeldam (NL), Nederland",
    "Rommeldam, NL (Nederland)",
  ])("is removed: %s", (text) => {
    expect(splitCountry(text)).toEqual({ rest: "Rommeldam", country: "NL" });
    expect(splitCountry(text, "NL")).toEqual({ rest: "Rommeldam", country: "NL" });
  });

  it.each([
    ["Hengelo (Ov), NL", "NL", "Hengelo (Ov)", "NL"],
    ["Parijs (FR)", "FR", "Parijs", "FR"],
    ["Gent, België", "BE", "Gent", "BE"],
    ["Gent (België)", undefined, "Gent", "BE"],
    ["Frankfurt DE", "DE", "Frankfurt", "DE"],
  ])("%s in %s is %s in %s", (text, own, rest, country) => {
    expect(splitCountry(text, own)).toEqual({ rest, country });
  });

  it.each([
    "Rommeldam",
    "Hengelo (Ov)",
    "Bergen (NH)",
    "Rijswijk (ZH)",
    "Beek (L)",
    "Nes (Fr)",
    "Beek (Gr)",
    "Bergen NH",
    "Rommeldam (Noord-Holland)",
    "Rommeldam, Zuid-Holland",
    "Hoek van Holland",
    "HOEK VAN HOLLAND",
    "Nederland",
    "NL",
    "(NL)",
    "Nieuw-Nederland",
    "Alphen a/d Rijn",
    "Baarle-Nassau",
    "Gent (België), Nederlandstalig",
    `${"(NL".repeat(250_000)}`,
    `${"Rommeldam, ".repeat(250_000)}NL`,
  ])("a place name is kept: %.40s", (text) => {
    expect(splitCountry(text)).toEqual({ rest: text });
    expect(splitCountry(text, "NL")).toEqual({ rest: text });
  });
});
