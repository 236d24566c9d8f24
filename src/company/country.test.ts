import { describe, expect, it } from "vitest";
import { parseCountry } from "./country.ts";

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
  ])("%j is none", (name) => {
    expect(parseCountry(name)).toBeUndefined();
  });
});
