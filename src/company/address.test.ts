import { describe, expect, it } from "vitest";
import { hideShielded, isUnambiguousCity, parsePostalCode } from "./address.ts";

it.each([
  ["1012 \u212aA", "the Kelvin sign"],
  ["1012 \u017fA", "the long s"],
  ["1012 \uff21B", "a wide letter"],
])("rejects a postal code with other letters than A to Z: %s (%s)", (text) => {
  expect(parsePostalCode(text)).toBeUndefined();
});

it.each(["1234AB", "1234 ab", "NL-1234 AB", "NL 1234AB", "1234-AB", "1234.AB", "1234 AB."])(
  "accepts a postal code in any common form: %s",
  (text) => {
    expect(parsePostalCode(text)).toBe("1234 AB");
  },
);

describe("a shielded address", () => {
  it.each([
    "Rommeldam",
    "'s-Gravenhage",
    "’s-Hertogenbosch",
    "Bergen (NH)",
    "Alphen a/d Rijn",
    "Strijen",
    "Stramproy",
    "St. Annaparochie",
    "Súdwest-Fryslân",
    "IJsselstein",
    "Ee",
    "'s-Heer Arendskerke",
    "Nieuwendijk",
    "Wijk bij Duurstede",
  ])("keeps the city %s", (city) => {
    expect(
      hideShielded({ street: "Kade", houseNumber: "12", city, country: "NL", isShielded: true }),
    ).toEqual({
      city,
      country: "NL",
      isShielded: true,
    });
  });

  it.each([
    "Kade 12",
    "Kade 12 Rommeldam",
    "Kade 12, 1234 AB Rommeldam",
    "1234 AB Rommeldam",
    "1234AB",
    "Rommeldam, Kade 12",
    "Rommeldam, Kade",
    "Rommeldam; Kade",
    "Rommeldam | Kade",
    "Rommeldam\tKade ١٢",
    "Kade ½ Rommeldam",
    "Lange Kade Rommeldam",
    "Rommeldam Molenstraat",
    "Molenstr. Rommeldam",
    "Postbus Rommeldam",
    "P.O. Box Rommeldam",
    "Rommeldam (Zwaan)",
    "Rommeldam (J.Z.)",
    "Rommeldam (Zwaanland)",
    "Rommeldam (tel.)",
    "Kerkpad Rommeldam",
    "Dorpsstr Rommeldam",
    "Rommeldam/Kerkhof",
    "Rommeldam - Havendijk",
    "X-13501 Parijs",
    "-",
    "R".repeat(61),
  ])("hides a city that may contain more of the address: %s", (city) => {
    expect(isUnambiguousCity(city)).toBe(false);
    expect(hideShielded({ city, postalCode: "1234 AB", isShielded: true })).toEqual({ isShielded: true });
  });

  it("differs from an open one", () => {
    const open = { street: "Kade", city: "Rommeldam 12" };
    expect(hideShielded(open)).toBe(open);
  });
});
