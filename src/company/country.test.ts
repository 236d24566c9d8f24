import { describe, expect, it } from "vitest";
import { parseCountry } from "./country.ts";

describe("countries by name", () => {
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
  ])("%s is %s", (name, code) => {
    expect(parseCountry(name)).toBe(code);
  });

  it.each(["", "Utopia", "XX", "Joegoslavië", "123"])("%j is none", (name) => {
    expect(parseCountry(name)).toBeUndefined();
  });
});
