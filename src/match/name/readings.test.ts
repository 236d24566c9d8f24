import { describe, expect, it } from "vitest";
import { workedMs } from "../../../test/kit/worked.ts";
import type { CompanyFacts } from "../../company/facts.ts";
import { type KvkNumber, kvkNumberOf } from "../../contract/numbers.ts";
import { DEMO_SEED, generateCompanies } from "../../demo/registry/generateCompanies.ts";
import { IndexBuilder } from "../../search/index/builder.ts";
import { NameIndex } from "../../search/index/nameIndex.ts";
import { indexInMemory } from "../../search/index/sections.ts";
import { Matcher } from "../matcher.ts";
import type { MatchDecision } from "../types.ts";

/** Names with their cities, by which the tests name them. */
const COMPANIES: Readonly<Record<string, string>> = {
  "Kwallenbak Horeca B.V.": "Rommeldam",
  "Zwierlicht Advies": "Zwamdorp",
  "Nieuwkwets Installatie B.V.": "Rommeldam",
  "Oudgarde Loodgieters B.V.": "Zwamdorp",
  "Stichting Zwammelzorg": "Rommeldam",
  "H.J. Kwezelaar Transport B.V.": "Rommeldam",
  "Kwispelmarkt B.V.": "Rommeldam",
  "Kwispelmarkt Zwamdorp B.V.": "Zwamdorp",
  "Vereniging van Eigenaars Zwaluwkwets 1 t/m 45 te Rommeldam": "Rommeldam",
  "Vereniging van Eigenaars Zwaluwkwets 46 t/m 90 te Rommeldam": "Rommeldam",
  "VvE Gruttohof 7-31": "Zwamdorp",
  "Müllerkwats Straßenbau B.V.": "Enschede",
  "Café Zwabber": "Rommeldam",
  "Orion Zwengel B.V.": "Rommeldam",
  "1001 Zwamnacht B.V.": "Rommeldam",
  "Zwamnacht B.V.": "Rommeldam",
  "3Kwets B.V.": "Rommeldam",
  "50 Plus Zwiep": "Rommeldam",
  "Oud Kwetswijk B.V.": "Rommeldam",
  "Kwetswijk B.V.": "Rommeldam",
  "Failliet Records Zwiep": "Rommeldam",
  "Dubbel Zwiepdrank B.V.": "Rommeldam",
  "Filiaal Zwiepster B.V.": "Rommeldam",
  "Voorheen Zwiepmans B.V.": "Rommeldam",
  "Zwiepmans B.V.": "Rommeldam",
  "Dwarrel, Stichting": "Rommeldam",
  "Kwinkslag (Europe) B.V.": "Rommeldam",
  "Kwinkslag B.V.": "Rommeldam",
  "Plomp & Zn., Kwastenmakers": "Rommeldam",
  "Fluisterkwets 2 B.V.": "Rommeldam",
  "Zwabbel Beheer B.V.": "Rommeldam",
  "Planning & Zwiepservice": "Rommeldam",
  "C/O Zwiepwerk B.V.": "Rommeldam",
  "Zwiepwerk B.V.": "Rommeldam",
  "Tel. Zwiepcentrale B.V.": "Rommeldam",
};

function matcherOf(companies: Readonly<Record<string, string>>): Matcher {
  const builder = new IndexBuilder();
  const facts = new Map<KvkNumber, CompanyFacts>();
  const own = Object.entries(companies).map(([name, city], nth): CompanyFacts => {
    const address = { kind: "visiting" as const, city };
    return { kvkNumber: kvkNumberOf(90_000_001 + nth), name, isActive: true, address };
  });
  const generated = [...generateCompanies({ companies: 3_000, seed: DEMO_SEED })].map((one) => one.facts);
  for (const one of [...generated, ...own]) {
    facts.set(one.kvkNumber, one);
    builder.add({ ...one, ...one.address });
  }
  return new Matcher([new NameIndex(indexInMemory(builder.sections()))], (number) => facts.get(number));
}

const matcher = matcherOf(COMPANIES);
const match = (name: string, city?: string) => {
  const { decision, candidates, notes } = matcher.match({ name, ...(city && { city }) }, { limit: 3 });
  return { decision, best: candidates[0]?.name, candidates, notes };
};

describe("a name in a list", () => {
  it.each<[best: string, ...written: string[]]>([
    [
      "Zwierlicht Advies",
      "P. Proef h/o Zwierlicht Advies",
      "P. Proef h.o.d.n. Zwierlicht Advies",
      "P. Proef, handelend o.d.n. Zwierlicht Advies",
      "P. Proef t/a Zwierlicht Advies",
      "P. Proef hodn Zwierlicht Advies",
      "P. Proef, t.h.o.d.n. Zwierlicht Advies",
      "P. Proef tevens handelend onder de naam Zwierlicht Advies",
      "10432 - P. Proef H/O Zwierlicht Advies (geblokkeerd)",
      "Zwierlicht Advies, v/h Wezelkamp Groep",
    ],
    [
      "Nieuwkwets Installatie B.V.",
      "Nieuwkwets Installatie B.V. v/h Zwabbermeijer",
      "Nieuwkwets Installatie B.V., voorheen Zwabbermeijer B.V.",
      "Nieuwkwets Installatie B.V. (v/h Zwabbermeijer B.V.)",
      "Zwabbermeijer Groep, nu: Nieuwkwets Installatie B.V.",
      "Zwabbermeijer Groep is nu Nieuwkwets Installatie B.V.",
      "Nieuwkwets Installatie B.V. overgenomen door Zwabbermeijer Groep",
      "Zwabbermeijer Groep f/k/a Nieuwkwets Installatie B.V.",
    ],
    [
      "Kwallenbak Horeca B.V.",
      "Kwallenbak Horeca B.V. - OUD",
      "Kwallenbak Horeca B.V. OUD",
      "FAILLIET - Kwallenbak Horeca B.V.",
      "NIET GEBRUIKEN Kwallenbak Horeca B.V.",
      "*GEBLOKKEERD* Kwallenbak Horeca B.V.",
      "Kwallenbak Horeca B.V. (geblokkeerd)",
      "ZZZ Kwallenbak Horeca BV",
      "GEFUSEERD Kwallenbak Horeca B.V.",
      "Kwallenbak Horeca B.V. [dubbel]",
      "zie 10432, Kwallenbak Horeca B.V.",
      "T.a.v. crediteurenadministratie Kwallenbak Horeca B.V.",
      "t.a.v. de administratie Kwallenbak Horeca B.V.",
      "t.a.v. mevr. Van Dwarrelen Kwallenbak Horeca",
      "TAV afd. wagenpark Kwallenbak Horeca B.V.",
      "10432 t.a.v. de boekhouding Kwallenbak Horeca B.V.",
      "Crediteurenadministratie Kwallenbak Horeca B.V.",
      "Kwallenbak Horeca B.V. / de receptie",
      "Kwallenbak Horeca B.V. inz. factuur 2026-0113",
      "Kwallenbak Horeca o.v.v. 26-113",
      "Kwallenbak Horeca B.V., betreft huur maart",
      "Kwallenbak Horeca B.V. kenmerk F-12345",
      "10432 Kwallenbak Horeca B.V.",
      "#10432 Kwallenbak Horeca B.V.",
      "<10432> Kwallenbak Horeca B.V.",
      "Zwabbermeijer -> Kwallenbak Horeca B.V.",
      "10432_Kwallenbak Horeca B.V.",
      "10432/Kwallenbak Horeca B.V.",
      "!! NIET GEBRUIKEN !! Kwallenbak Horeca B.V.",
      "OUD_Kwallenbak Horeca B.V.",
      "Kwallenbak Horeca in faillissement",
      "Kwallenbak Horeca deb.nr. 10432",
      "Kwallenbak Horeca onze ref. 2026.55",
      "D-10432 Kwallenbak Horeca B.V.",
      "Debiteur 10432: Kwallenbak Horeca B.V.",
      "Kwallenbak Horeca B.V. / 10432",
      "Kwallenbak Horeca (ref. 12345)",
      "Kwallenbak Horeca B.V. nr. 10432",
      "Kwallenbak Horeca B.V. Pietersen",
    ],
    [
      "Stichting Zwammelzorg",
      "Zwammelzorg, Stichting",
      "Zwammelzorg Stichting",
      "ZZZ Zwammelzorg, Stichting",
    ],
    ["H.J. Kwezelaar Transport B.V.", "Kwezelaar Transport B.V. H.J.", "Kwezelaar Transport B.V., H.J."],
    [
      "Kwispelmarkt B.V.",
      "Kwispelmarkt filiaal 023",
      "Kwispelmarkt B.V. vestiging Enschede",
      "Kwispelmarkt #23",
      "Kwispelmarkt (Enschede)",
      "Kwispelmarkt B.V. fil. 7",
      "Kwispelmarkt winkel 12",
    ],
    [
      "Vereniging van Eigenaars Zwaluwkwets 1 t/m 45 te Rommeldam",
      "VVE Zwaluwkwets 1-45 Rommeldam",
      "Vereniging van Eigenaren Zwaluwkwets 1 tot en met 45",
      "V.v.E. Zwaluwkwets nrs. 1 t/m 45",
      "VvE Zwaluwkwets 1 – 45 te Rommeldam",
    ],
    [
      "Café Zwabber",
      "CafÃ© Zwabber",
      "CafÃƒÂ© Zwabber",
      "Caf? Zwabber",
      "Caf\ufffd Zwabber",
      "Caf√© Zwabber",
      "Caf├⌐ Zwabber",
      "Caf‚ Zwabber",
      "Caf=C3=A9 Zwabber",
      "Caf%C3%A9 Zwabber",
      "Caf&eacute; Zwabber",
    ],
    ["Orion Zwengel B.V.", "OrionZwengelB.V.", "OrionZwengelBV", "orionzwengelbv", "orion-zwengel.nl"],
  ])("is matched to %s, however it is written", (best, ...written) => {
    const found = written.map((name) => [name, match(name, COMPANIES[best])] as const);
    const wrong = found.filter(([, { decision, best: own }]) => decision !== "matched" || own !== best);
    expect(wrong).toEqual([]);
  });

  it("is matched without a city where its words are rare", () => {
    const names = [
      "MÃ¼llerkwats StraÃŸenbau B.V.",
      "M?llerkwats Stra?enbau B.V.",
      "M\ufffdllerkwats Stra\ufffdenbau",
    ];
    for (const name of names)
      expect([name, match(name)]).toMatchObject([
        name,
        { decision: "matched", best: "Müllerkwats Straßenbau B.V." },
      ]);
  });

  it.each(
    Object.entries(COMPANIES).filter(([name]) =>
      /^[0-9]|Oud |Failliet|Dubbel|Filiaal|Voorheen|,|\(|Planning|C\/O|Tel\./.test(name),
    ),
  )("that is registered as %s is itself", (name, city) => {
    expect(match(name, city)).toMatchObject({ decision: "matched", best: name });
    expect(match(name, city).notes).toBeUndefined();
  });

  it.each<[name: string, decisions: MatchDecision[], why: string]>([
    ["Fluisterkwets 3 B.V.", ["none", "ambiguous"], "the number is another"],
    ["Fluisterkwets B.V. II", ["none", "ambiguous"], "the number may tell companies apart"],
    ["Kwallenbak Horeca (2)", ["ambiguous"], "so may a short one in brackets"],
    ["2019 Kwallenbak Horeca B.V.", ["ambiguous"], "and a year"],
    ["Kwallenbak Horeca Enschede", ["none", "ambiguous"], "so may a place"],
    ["Kwispelmarkt (Zwolle)", ["ambiguous"], "in brackets too, where the city is another"],
    ["Zwabbel - Holding", ["none", "ambiguous"], "so may a word of groups"],
    ["24/7 Kwallenbak Horeca B.V.", ["ambiguous"], "and two numbers with a slash"],
    ["Locatie Kwallenbak Horeca B.V.", ["ambiguous"], "so may the word for a branch at the beginning"],
    ["ICT Kwallenbak Horeca B.V.", ["none", "ambiguous"], "and a department that is always in capitals"],
    ["Kwispelmarkt: Kwallenbak Horeca", ["ambiguous"], "so may a name before a colon"],
    ["P. Proef (Kwallenbak Horeca B.V.)", ["ambiguous"], "the company is in the brackets"],
    ["Kwispelmarkt - Kwallenbak Horeca B.V.", ["ambiguous"], "one of two names is without its legal form"],
    ["V.v.E. Zwaluwkwets", ["ambiguous"], "two associations have the name"],
    ["Nieuwkwets Installatie B.V. v/h Kwallenbak Horeca B.V.", ["ambiguous"], "both are registered"],
    ["Kwallenbak Horeca B.V. / Kwispelmarkt B.V.", ["ambiguous"], "both are registered"],
    [
      "Nieuwkwets Installatie B.V. v/h Oudgarde Loodgieters B.V.",
      ["ambiguous"],
      "so are companies of two cities",
    ],
  ])("%s is %s: %s", (name, decisions) => {
    const city = name.includes("Zwolle") ? "Enschede" : "Rommeldam";
    expect(decisions, JSON.stringify(match(name, city))).toContain(match(name, city).decision);
  });

  it.each([
    ["Nieuwkwets Installatie B.V. v/h Kwallenbak Horeca B.V."],
    ["Kwallenbak Horeca B.V. / Nieuwkwets Installatie B.V."],
    ["Nieuwkwets Installatie B.V. (voorheen Kwallenbak Horeca B.V.)"],
  ])("with two registered companies, %s, has both as candidates", (name) => {
    const { decision, candidates } = match(name);
    expect(decision).toBe("ambiguous");
    expect(
      candidates
        .map((one) => one.name)
        .sort()
        .slice(0, 2),
    ).toEqual(["Kwallenbak Horeca B.V.", "Nieuwkwets Installatie B.V."]);
  });
});

describe("a part that was left out", () => {
  it.each([
    ["10432 Kwallenbak Horeca B.V.", 'left out of the comparison: "10432"'],
    ["Kwallenbak Horeca B.V. - OUD", 'left out of the comparison: "OUD"'],
    ["P. Proef h/o Zwierlicht Advies", 'left out of the comparison: "P. Proef h/o"'],
    ["Kwallenbak Horeca B.V. 123456782", "left out of the comparison: a number"],
    ["Kwallenbak Horeca B.V. inz. 1234.56.782", 'left out of the comparison: "inz. …"'],
  ])("of %s is noted, without long numbers", (name, message) => {
    expect(match(name).notes).toEqual([{ code: "left_out", message }]);
  });

  it("is not noted for a name that is compared as it stands", () => {
    expect(match("Kwallenbak Horeca B.V.", "Rommeldam").notes).toBeUndefined();
  });

  it("does not keep a number from deciding", () => {
    const query = {
      name: "t.a.v. de administratie Kwallenbak Horeca B.V.",
      kvkNumber: kvkNumberOf(90_000_001),
    };
    const { decision, candidates } = matcher.match(query, { limit: 3 });
    expect([decision, candidates[0]?.name, candidates[0]?.features.name]).toEqual([
      "matched",
      "Kwallenbak Horeca B.V.",
      1,
    ]);
  });
});

describe("a hostile name", () => {
  const pieces =
    ", _ - _/ _?a_a?b _a B.V. / _(_(a)_*_*a* _h/o _t.a.v. _1 _Ã¼_=C3_inz. _a: _ZZZ _B.V. _OUD _√├?".split(
      "_",
    );
  it.each(pieces)("of repeated %j takes no longer than many words do", (piece) => {
    const name = piece.repeat(700).slice(0, 690);
    const startedMs = workedMs();
    for (let nth = 0; nth < 10; nth++)
      for (const text of [name, `Kwallenbak ${name.slice(11)}`]) matcher.match({ name: text }, { limit: 3 });
    expect(workedMs() - startedMs).toBeLessThan(2_000);
  });
});
