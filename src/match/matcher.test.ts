import { describe, expect, it } from "vitest";
import { company, kvk, matcherOf } from "../../test/kit/matchers.ts";
import type { CompanyFacts } from "../company/facts.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { MatchDecision, MatchQuery } from "./types.ts";

const street = (name: string, houseNumber: string, postalCode: string, city: string) =>
  ({ address: { kind: "visiting", street: name, houseNumber, postalCode, city, country: "NL" } }) as const;

const COMPANIES: readonly CompanyFacts[] = [
  company("90000001", "Zwebbel Installaties B.V.", { city: "Zwolle", rsin: "900000017" }),
  company("90000002", "Zwebbel Installaties B.V.", { city: "Breda" }),
  company("90000003", "Kwintessa Holding B.V.", { city: "Arnhem" }),
  company("90000004", "Kwintessa B.V.", { city: "Arnhem" }),
  company("90000005", "Stichting Vlonderwoud", { city: "Ede" }),
  company("90000006", "Stichting Administratiekantoor Vlonderwoud", { city: "Ede" }),
  company("90000007", "Orbelia Noord B.V.", { city: "Assen" }),
  company("90000008", "Orbelia Zuid B.V.", { city: "Venlo" }),
  company("90000009", "Orbelia Advies B.V.", { city: "Assen" }),
  company("90000010", "Plukhaan Meubelen", {
    city: "Gouda",
    isActive: false,
    deregistrationDate: "2020-01-01",
  }),
  company("90000011", "Plukhaan Meubelen B.V.", { city: "Gouda" }),
  company("90000012", "Drentelaar Groep B.V.", { city: "Hoorn", tradingNames: ["Sneeuwvink Fietsen"] }),
  company("90000013", "Torvik Shipping Ltd.", { city: "Rotterdam", legalForm: "BUI" }),
  company("90000014", "Nederlandse Vereniging voor Zwaluwkunde en Historische Dakpannen", { city: "Tiel" }),
  company("90000015", "Kwistel & Zonen V.O.F.", street("Korenmolenlaan", "17", "3999 AB", "Houten")),
  company("90000016", "Bloemsierkunst Kwistel", street("Korenmolenlaan", "17", "3999 AB", "Houten")),
  company("90000017", "W.P. van Zwaveldonk", { city: "Lochem" }),
  company("90000018", "Schildpadje Kinderopvang B.V.", {
    address: { kind: "visiting", city: "Weesp", isShielded: true },
  }),
  company("90000019", "De Tijd B.V.", { city: "Goes" }),
  company("90000020", "Fennekol Pompen 2 B.V.", { city: "Sneek" }),
  company("90000021", "Fennekol Pompen 3 B.V.", { city: "Sneek" }),
  company("90000022", "Koninklijke Maatschappij Wiekslag N.V.", {
    city: "Delft",
    websites: ["www.wiekslag.example"],
  }),
];

const matcher = matcherOf(COMPANIES);

describe("a query", () => {
  it.each<[trap: string, query: MatchQuery, decision: MatchDecision, best?: string]>([
    [
      "identical names in two cities",
      { name: "Zwebbel Installaties B.V.", city: "Breda" },
      "matched",
      "90000002",
    ],
    ["identical names without a city", { name: "Zwebbel Installaties B.V." }, "ambiguous"],
    ["a holding and its company", { name: "Kwintessa B.V.", city: "Arnhem" }, "matched", "90000004"],
    ["the holding itself", { name: "Kwintessa Holding", city: "Arnhem" }, "matched", "90000003"],
    ["a foundation with an administration office", { name: "Stichting Vlonderwoud" }, "matched", "90000005"],
    [
      "the administration office",
      { name: "Stichting administratiekantoor Vlonderwoud" },
      "matched",
      "90000006",
    ],
    ["a group that differs by one word", { name: "Orbelia Zuid" }, "matched", "90000008"],
    ["a company of the group that is absent", { name: "Orbelia West B.V." }, "none"],
    ["a word that the whole group shares", { name: "Orbelia", city: "Assen" }, "ambiguous"],
    [
      "an ended company and its successor",
      { name: "Plukhaan Meubelen B.V.", city: "Gouda" },
      "matched",
      "90000011",
    ],
    ["a trading name", { name: "Sneeuwvink Fietsen", city: "Hoorn" }, "matched", "90000012"],
    ["a foreign company", { name: "TORVIK SHIPPING LIMITED" }, "matched", "90000013"],
    [
      "a name cut at 40 characters",
      { name: "Nederlandse Vereniging voor Zwaluwkunde " },
      "matched",
      "90000014",
    ],
    ["initials in full", { name: "Zwaveldonk, W.P. van", city: "Lochem" }, "matched", "90000017"],
    [
      "a company that moved",
      { name: "Schildpadje Kinderopvang B.V.", city: "Utrecht" },
      "matched",
      "90000018",
    ],
    ["all capitals", { name: "FENNEKOL POMPEN 2 BV" }, "matched", "90000020"],
    ["another number in the name", { name: "Fennekol Pompen 4 B.V." }, "none"],
    ["a missing legal form", { name: "fennekol pompen 3" }, "matched", "90000021"],
    ["a wrong legal form", { name: "Fennekol Pompen 3 VOF", city: "Sneek" }, "matched", "90000021"],
    ["the city in the name", { name: "Torvik Shipping Rotterdam" }, "matched", "90000013"],
    ["a line for a person", { name: "T.a.v. mevr. De Wit, Torvik Shipping Ltd." }, "matched", "90000013"],
    ["a department", { name: "Torvik Shipping Ltd. afd. crediteuren" }, "matched", "90000013"],
    ["an abbreviated foundation", { name: "St. Vlonderwoud" }, "matched", "90000005"],
    ["care of", { name: "p/a Torvik Shipping Ltd." }, "matched", "90000013"],
    ["a department at the end", { name: "Torvik Shipping Ltd. - Accounts Payable" }, "matched", "90000013"],
    ["an HTML entity", { name: "Kwistel &amp; Zonen VOF" }, "matched", "90000015"],
    ["a customary abbreviation", { name: "Kon. Mij. Wiekslag", city: "delft" }, "matched", "90000022"],
    ["a typo in the legal form", { name: "Stchting Vlonderwoud", city: "Ede" }, "matched", "90000005"],
    ["a typo in a stop word", { name: "W.P. vn Zwaveldonk", city: "Lochem" }, "matched", "90000017"],
    ["a typo", { name: "Kwintesa Holding BV", city: "Arnhem" }, "matched", "90000003"],
    ["swapped words", { name: "Installaties Zwebbel", city: "Zwolle" }, "matched", "90000001"],
    ["an address that two share", { postalCode: "3999AB", houseNumber: "17" }, "ambiguous"],
    [
      "a typo at its address",
      { name: "Bloemsirkunst Kwistel", postalCode: "3999 ab", houseNumber: "17" },
      "matched",
      "90000016",
    ],
    ["an absent company", { name: "Quorvelle Trappenbouw B.V.", city: "Zwolle" }, "none"],
    ["a name of common words that is absent", { name: "De Bakkerij", city: "Zwolle" }, "none"],
  ])("with %s is decided correctly", (_, query, decision, best) => {
    const result = matcher.match(query, { limit: 3 });
    const found = { decision: result.decision, best: best && result.candidates[0]?.kvkNumber };
    expect(found, JSON.stringify(result.candidates)).toEqual({ decision, best });
    expect(result.candidates.filter(({ match }) => match)).toHaveLength(decision === "matched" ? 1 : 0);
  });
});

describe("a number", () => {
  const summary = (query: MatchQuery) => {
    const { decision, candidates } = matcher.match(query, { limit: 10 });
    return [decision, candidates[0]?.kvkNumber, candidates[0]?.score];
  };
  it.each<[kind: string, query: MatchQuery]>([
    ["KVK number", { kvkNumber: kvk("90000001") }],
    ["RSIN", { rsin: "900000017" }],
    ["VAT number of its RSIN", { vatNumber: "NL900000017B01" }],
    [
      "number and the name in other words",
      { kvkNumber: kvk("90000001"), name: "zwebel installatie", city: "Ede" },
    ],
    ["number and a twin's city", { kvkNumber: kvk("90000001"), name: "Zwebbel Installaties", city: "Breda" }],
  ])("decides: %s", (_, query) => {
    expect(summary(query)).toEqual(["matched", "90000001", 100]);
  });

  it("decides together with a trading name", () => {
    expect(summary({ kvkNumber: kvk("90000012"), name: "Sneeuwvink" })).toEqual(["matched", "90000012", 100]);
  });

  it("does not decide against the name", () => {
    const result = matcher.match({ kvkNumber: kvk("90000001"), name: "Torvik Shipping Ltd." }, { limit: 2 });
    expect(result.decision).toBe("ambiguous");
    expect(result.candidates).toMatchObject([
      { kvkNumber: "90000001", match: false, features: { kvkNumber: 1, name: 0 } },
      { kvkNumber: "90000013", match: false, features: { kvkNumber: 0, name: 1 } },
    ]);
  });

  it("does not decide against another number", () => {
    const query = { kvkNumber: kvk("90000004"), rsin: "900000017" };
    const { decision, candidates } = matcher.match(query, { limit: 3 });
    expect([decision, candidates.map(({ kvkNumber }) => kvkNumber).sort()]).toEqual([
      "ambiguous",
      ["90000001", "90000004"],
    ]);
  });

  it("that is unknown leaves a person to decide on the name", () => {
    expect(summary({ kvkNumber: kvk("99999999"), name: "Torvik Shipping Ltd." })).toEqual([
      "ambiguous",
      "90000013",
      89,
    ]);
    expect(summary({ kvkNumber: kvk("99999999") })).toEqual(["none", undefined, undefined]);
  });
});

describe("candidates", () => {
  const twins = { name: "Zwebbel Installaties B.V." };

  it("share the probability and are limited", () => {
    const { candidates } = matcher.match(twins, { limit: 10 });
    const scores = candidates.map(({ score }) => score);
    expect(scores.reduce((sum, score) => sum + score, 0)).toBeLessThanOrEqual(100.1);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(matcher.match(twins, { limit: 1 }).candidates).toHaveLength(1);
  });

  it("leave out hidden companies as if they were absent", () => {
    const isHidden = (kvkNumber: KvkNumber) => kvkNumber === "90000001";
    expect(matcher.match(twins, { limit: 10, isHidden })).toMatchObject({
      decision: "matched",
      candidates: [{ kvkNumber: "90000002" }],
    });
    expect(matcher.match({ rsin: "900000017" }, { limit: 10, isHidden })).toMatchObject({
      decision: "none",
      candidates: [],
      notes: [{ code: "number_unknown" }],
    });
  });

  it("are active or ended ones if the caller says so", () => {
    const query = { name: "Plukhaan Meubelen", city: "Gouda" };
    const numbers = (isActive: boolean) =>
      matcher.match(query, { limit: 10, isActive }).candidates.map(({ kvkNumber }) => kvkNumber);
    expect([numbers(true), numbers(false)]).toEqual([["90000011"], ["90000010"]]);
  });

  it("use the website as evidence", () => {
    const without = matcher.match({ name: "Wiekslag" }, { limit: 1 }).candidates[0]?.score ?? 0;
    const website = "https://wiekslag.example/contact";
    const [best] = matcher.match({ name: "Wiekslag", website }, { limit: 1 }).candidates;
    expect(best).toMatchObject({ kvkNumber: "90000022", features: { website: 1 } });
    expect(best?.score).toBeGreaterThan(without);
  });

  it("use only the city of a shielded address", () => {
    const query = {
      name: "Schildpadje",
      city: "Weesp",
      street: "Dorpsstraat",
      houseNumber: "1",
      postalCode: "1381 AA",
    };
    expect(Object.keys(matcher.match(query, { limit: 1 }).candidates[0]?.features ?? {})).toEqual([
      "name",
      "city",
    ]);
  });
});
