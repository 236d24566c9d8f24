import { describe, expect, it } from "vitest";
import { company, kvk, matcherOf } from "../../test/kit/matchers.ts";
import type { CompanyFacts } from "../company/facts.ts";
import type { MatchQuery } from "./types.ts";

const at = (houseNumber: string, postalCode = "1234 AB", city = "Rommeldam") =>
  ({ address: { kind: "visiting", street: "Kade", houseNumber, postalCode, city, country: "NL" } }) as const;
const inCity = (city: string) => ({ city });

const COMPANIES: readonly CompanyFacts[] = [
  company("91000001", "Kwetswerf Holding B.V.", { ...at("1"), legalForm: "BV", rsin: "800000011" }),
  company("91000002", "Kwetswerf Beheer B.V.", { ...at("1"), legalForm: "BV", rsin: "800000023" }),
  company("91000003", "Kwetswerf Transport B.V.", { ...at("1"), legalForm: "BV" }),
  company("91000011", "Zwabberlo Stamrecht B.V.", inCity("Hoofddorp")),
  company("91000012", "Zwabberlo Stamrecht Hoofddorp B.V.", inCity("Hoofddorp")),
  company("91000013", "Knorrepad Marketing B.V.", inCity("Rotterdam")),
  company("91000014", "Knorrepad Marketing Rotterdam B.V.", inCity("Utrecht")),
  company("91000021", "Kwastelmaat I B.V.", at("61")),
  company("91000022", "Kwastelmaat II B.V.", at("61")),
  company("91000023", "Vlinderkwast VIII B.V.", at("62")),
  company("91000024", "Snorrewacht 2019 B.V.", at("63")),
  company("91000025", "Zwielhof A B.V.", at("64")),
  company("91000026", "Pluimgras Bouw B.V.", at("65")),
  company("91000027", "Wolkenspoor Doorn B.V.", inCity("Doorn")),
  company("91000029", "Zwartgors Brabant B.V.", at("67")),
  company("91000030", "Tjiftjaf Alpha B.V.", at("68")),
  company("91000020", "Windpark Zwelgraaf 12 B.V.", at("69")),
  company("91000028", "Jonkerslag Vastgoed B.V.", at("66")),
  company("91000031", "Kwispelmarkt B.V.", { ...at("3"), legalForm: "BV" }),
  company("91000032", "Stichting Zwammelzorg", { ...at("17"), legalForm: "STI" }),
  company("91000033", "Zwoelstra N.V.", { ...at("18"), legalForm: "NV" }),
  company("91000034", "Zwoelmans V.O.F.", { ...at("19"), legalForm: "VOF" }),
  company("91000035", "Gemberhoek Kaas", { ...at("20"), legalForm: "STI" }),
  company("91000036", "Tobbelaar Kozijnen", { ...at("21"), legalForm: "EMZ" }),
  company("91000037", "Grindelwout GmbH", { ...at("22"), legalForm: "BUI" }),
  company("91000041", "Kwik B.V.", inCity("Hoorn")),
  company("91000042", "Jan Brambosch", inCity("Ede")),
  company("91000051", "Mirrelaar B.V.", inCity("Goes")),
  company("91000052", "Mirrelaar", { ...inCity("Tiel"), legalForm: "EMZ" }),
  company("91000053", "Dennebol Groep B.V.", { ...inCity("Goes"), tradingNames: ["Fluitekruid"] }),
  company("91000054", "Fluitekruid B.V.", inCity("Goes")),
  company("91000061", "Bakkerij Zwollema", { ...at("5"), legalForm: "VOF", vatNumber: "NL850000139B01" }),
  company("91000062", "Kwebbelkade Retail B.V.", {
    ...at("6"),
    rsin: "810000140",
    vatNumber: "NL820000099B01",
  }),
  company("91000063", "Kwebbelkade Groep B.V.", { ...at("6"), rsin: "820000099" }),
  company("91000064", "Mülkervat Straßenbau B.V.", { ...at("7"), rsin: "830000018" }),
];

const matcher = matcherOf(COMPANIES);
const outcome = (query: MatchQuery) => {
  const { decision, candidates, notes = [] } = matcher.match(query, { limit: 10 });
  return {
    decision,
    numbers: candidates.map(({ kvkNumber }) => kvkNumber),
    notes: notes.map(({ code }) => code),
  };
};
const address = (houseNumber: string, postalCode = "1234 AB") => ({ postalCode, houseNumber });

describe("an equal whole name", () => {
  it.each<[trap: string, query: MatchQuery, best: string]>([
    [
      "a sister without the city",
      { name: "Zwabberlo Stamrecht Hoofddorp B.V.", city: "Hoofddorp" },
      "91000012",
    ],
    ["a sister with the city", { name: "Zwabberlo Stamrecht B.V.", city: "Hoofddorp" }, "91000011"],
    ["capitals", { name: "ZWABBERLO STAMRECHT HOOFDDORP BV", city: "Hoofddorp" }, "91000012"],
    ["no legal form", { name: "Zwabberlo Stamrecht Hoofddorp", city: "Hoofddorp" }, "91000012"],
    ["three members at one address", { name: "Kwetswerf Beheer B.V.", ...address("1") }, "91000002"],
    ["the next number", { name: "Kwastelmaat II B.V.", city: "Rommeldam" }, "91000022"],
    ["the form before the name", { name: "B.V. Kwispelmarkt" }, "91000031"],
    ["the form in full", { name: "Kwispelmarkt besloten vennootschap" }, "91000031"],
    ["another company's trading name", { name: "Fluitekruid B.V." }, "91000054"],
    ["umlauts", { name: "Mulkervat Strassenbau BV" }, "91000064"],
    ["a place that decides between two", { name: "Mirrelaar", city: "Tiel" }, "91000052"],
  ])("is matched despite %s", (_, query, best) => {
    expect(outcome(query)).toMatchObject({ decision: "matched", numbers: expect.arrayContaining([best]) });
    expect(outcome(query).numbers[0]).toBe(best);
  });

  it.each<[trap: string, query: MatchQuery, first: string]>([
    [
      "a sister is where it is said to be",
      { name: "Knorrepad Marketing Rotterdam B.V.", city: "Rotterdam" },
      "91000014",
    ],
    ["another company equals a name without a form", { name: "Mirrelaar" }, "91000052"],
    ["another company trades under the name", { name: "Fluitekruid", city: "Goes" }, "91000054"],
  ])("is ambiguous, and first, when %s", (_, query, first) => {
    expect(outcome(query)).toMatchObject({ decision: "ambiguous" });
    expect(outcome(query).numbers[0]).toBe(first);
  });
});

describe("a member of a family that is absent", () => {
  it.each<[kind: string, query: MatchQuery]>([
    ["another number", { name: "Kwastelmaat III B.V.", ...address("61") }],
    ["a long Roman number", { name: "Vlinderkwast XIII B.V.", ...address("62") }],
    ["a number with its mark", { name: "Mirrelaar Nr. 4 B.V.", city: "Goes" }],
    ["another year", { name: "Snorrewacht 2018 B.V.", ...address("63") }],
    ["no year", { name: "Snorrewacht B.V.", ...address("63") }],
    ["another letter", { name: "Zwielhof B B.V.", ...address("64") }],
    ["a word that begins with the letter", { name: "Zwielhof Advies B.V.", ...address("64") }],
    ["no letter", { name: "Zwielhof B.V.", ...address("64") }],
    ["a number", { name: "Pluimgras Bouw 2 B.V.", ...address("65") }],
    ["a number as a word", { name: "Pluimgras Bouw Twee B.V.", ...address("65") }],
    ["an ordinal", { name: "2e Pluimgras Bouw B.V.", ...address("65") }],
    ["a holding", { name: "Pluimgras Bouw Holding B.V.", ...address("65") }],
    ["any further word", { name: "Pluimgras Bouw Kozijnen B.V.", city: "Rommeldam" }],
    ["its own city as a word", { name: "Pluimgras Bouw Rommeldam B.V.", city: "Rommeldam" }],
    ["a town one letter away", { name: "Wolkenspoor Hoorn B.V.", city: "Doorn" }],
    ["no town", { name: "Wolkenspoor B.V.", city: "Doorn" }],
    ["no region", { name: "Zwartgors B.V.", city: "Rommeldam" }],
    ["no Greek letter", { name: "Tjiftjaf B.V.", city: "Rommeldam" }],
    ["numbers with a dash", { name: "Windpark Zwelgraaf 1-2 B.V.", city: "Rommeldam" }],
    ["the foundation that holds its shares", { name: "STAK Kwispelmarkt", city: "Rommeldam" }],
    ["another group word", { name: "Jonkerslag Beheer B.V.", ...address("66") }],
    ["no group word", { name: "Jonkerslag B.V.", ...address("66") }],
    ["a name that all members share", { name: "Kwetswerf B.V.", ...address("1") }],
  ])("is not taken for a sister: %s", (_, query) => {
    expect(outcome(query).decision).not.toBe("matched");
  });
});

describe("a legal form that contradicts", () => {
  it.each<[forms: string, query: MatchQuery]>([
    ["foundation and B.V.", { name: "Stichting Kwispelmarkt", city: "Rommeldam" }],
    ["B.V. and foundation", { name: "Zwammelzorg B.V.", city: "Rommeldam", ...address("17") }],
    ["cooperative and B.V.", { name: "Coöperatie Kwispelmarkt U.A.", ...address("3") }],
    ["B.A. and B.V.", { name: "Kwispelmarkt B.A.", ...address("3") }],
    ["association and N.V.", { name: "Vereniging Zwoelstra", ...address("18") }],
    ["B.V. and N.V.", { name: "Zwoelstra B.V.", ...address("18") }],
    ["B.V. and a form known from the facts", { name: "Gemberhoek Kaas B.V.", ...address("20") }],
    ["foundation and sole trader", { name: "Stichting Tobbelaar Kozijnen", ...address("21") }],
    ["B.V. and GmbH", { name: "Grindelwout B.V.", ...address("22") }],
    ["one foreign form for another", { name: "Grindelwout Ltd.", ...address("22") }],
  ])("is at most ambiguous, and says so: %s", (_, query) => {
    expect(outcome(query)).toMatchObject({ decision: "ambiguous", notes: ["form_differs"] });
  });

  it("may be a conversion where the place agrees", () => {
    expect(outcome({ name: "Zwoelmans B.V." }).decision).toBe("ambiguous");
    const converted = outcome({ name: "Zwoelmans B.V.", city: "Rommeldam" });
    expect(converted).toMatchObject({ decision: "matched", numbers: ["91000034"], notes: ["form_differs"] });
  });

  it("is not a state such as liquidation", () => {
    expect(outcome({ name: "Kwispelmarkt in liquidatie" })).toMatchObject({ decision: "matched", notes: [] });
  });
});

describe("a typo", () => {
  it("in a short name needs a place", () => {
    expect(outcome({ name: "Kwak B.V." }).decision).not.toBe("matched");
  });

  it("in a long name needs none", () => {
    expect(outcome({ name: "Pluimgrass Bouw B.V." })).toMatchObject({
      decision: "matched",
      numbers: ["91000026"],
    });
  });
});

describe("a number is weighed against the name", () => {
  it.each<[kind: string, query: MatchQuery, numbers: string[], notes: string[]]>([
    [
      "a sister's number",
      { name: "Kwastelmaat II B.V.", kvkNumber: kvk("91000021"), ...address("61") },
      ["91000021", "91000022"],
      ["name_differs"],
    ],
    [
      "a sister's RSIN",
      { name: "Kwetswerf Transport B.V.", rsin: "800000011" },
      ["91000001", "91000003"],
      ["name_differs"],
    ],
    [
      "a sister's VAT number",
      { name: "Kwetswerf Transport B.V.", vatNumber: "NL800000011B01" },
      ["91000001", "91000003"],
      ["name_differs"],
    ],
    [
      "the number of a namesake with another form",
      { name: "Stichting Kwispelmarkt", kvkNumber: kvk("91000031") },
      ["91000031"],
      ["form_differs"],
    ],
    [
      "a number with the name of a family",
      { name: "Kwetswerf B.V.", kvkNumber: kvk("91000003") },
      ["91000003"],
      ["name_differs"],
    ],
    [
      "numbers of two companies",
      { name: "Kwetswerf Holding B.V.", kvkNumber: kvk("91000001"), rsin: "800000023" },
      ["91000001", "91000002"],
      ["numbers_differ"],
    ],
    [
      "an unknown RSIN next to a number whose company has another",
      { kvkNumber: kvk("91000001"), rsin: "899999999" },
      ["91000001"],
      ["number_unknown", "numbers_differ"],
    ],
    [
      "a number that two companies have",
      { vatNumber: "NL820000099B01" },
      ["91000062", "91000063"],
      ["number_shared"],
    ],
    [
      "an unknown KVK number",
      { name: "Kwispelmarkt B.V.", city: "Rommeldam", kvkNumber: kvk("99999999") },
      ["91000031"],
      ["number_unknown"],
    ],
    [
      "an unknown RSIN where the registry states another",
      { name: "Kwetswerf Holding B.V.", rsin: "899999999" },
      ["91000001"],
      ["number_unknown"],
    ],
    [
      "an unknown VAT number where the registry states another",
      { name: "Bakkerij Zwollema", ...address("5"), vatNumber: "NL899999999B01" },
      ["91000061"],
      ["number_unknown"],
    ],
  ])("and is at most ambiguous: %s", (_, query, numbers, notes) => {
    const found = outcome(query);
    expect(found.decision).toBe("ambiguous");
    expect(found.numbers).toEqual(expect.arrayContaining(numbers));
    expect(found.notes).toEqual(expect.arrayContaining(notes));
  });

  it.each<[kind: string, query: MatchQuery, best: string]>([
    ["a stated VAT number alone", { vatNumber: "NL850000139B01" }, "91000061"],
    ["a stated VAT number and a typo", { name: "Bakerij Zwolema", vatNumber: "NL850000139B01" }, "91000061"],
    [
      "a shared VAT number and the name",
      { name: "Kwebbelkade Retail B.V.", vatNumber: "NL820000099B01" },
      "91000062",
    ],
    [
      "a KVK number and a fiscal unit's VAT number",
      { kvkNumber: kvk("91000062"), vatNumber: "NL820000099B01" },
      "91000062",
    ],
    ["a number and a typo", { name: "Kwetswref Transport", kvkNumber: kvk("91000003") }, "91000003"],
    ["a number and a short name with a typo", { name: "Kwk B.V.", kvkNumber: kvk("91000041") }, "91000041"],
    ["a number and a trading name", { name: "Fluitekruid", kvkNumber: kvk("91000053") }, "91000053"],
    ["a number and an initial", { name: "J. Brambosch", kvkNumber: kvk("91000042") }, "91000042"],
    [
      "a number and words around the name",
      { name: "Oude debiteur Kwispelmarkt B.V., Rommeldam", kvkNumber: kvk("91000031") },
      "91000031",
    ],
    [
      "a number and another city",
      { name: "Mirrelaar", city: "Tiel", kvkNumber: kvk("91000051") },
      "91000051",
    ],
    [
      "an RSIN that the registry does not state",
      { name: "Kwispelmarkt B.V.", rsin: "899999999" },
      "91000031",
    ],
  ])("and decides when it fits: %s", (_, query, best) => {
    const { decision, numbers } = outcome(query);
    expect([decision, numbers[0]]).toEqual(["matched", best]);
  });

  it("never appears in a note", () => {
    for (const query of [
      { vatNumber: "NL820000099B01" },
      { name: "Kwispelmarkt", rsin: "899999999", vatNumber: "NL899999999B01" },
    ]) {
      const notes = JSON.stringify(matcher.match(query, { limit: 1 }).notes);
      expect(notes).toMatch(/message/);
      expect(notes).not.toMatch(/[0-9]/);
    }
  });
});

it.each([{ name: "Kwetswerf" }, { name: "Kwetswerf", city: "Rommeldam" }])(
  "the name of a family alone is ambiguous",
  (query) => {
    expect(outcome(query).decision).toBe("ambiguous");
  },
);
