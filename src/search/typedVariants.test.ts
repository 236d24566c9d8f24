import { describe, expect, it } from "vitest";
import { kvkNumber } from "../../test/kit/companies.ts";
import { type OpenSnapshot, snapshotForAll, sourcedFacts } from "../../test/kit/registry.ts";
import type { CompanyFacts } from "../company/facts.ts";
import { inOneGo } from "../lib/steps.ts";

/** Names, each with typed variants. Every variant must find the name first, without correction. */
type Kind = readonly (readonly [name: string, ...typed: string[]])[];

const KINDS: Readonly<Record<string, Kind>> = {
  "equivalence of and, en, & and +": [
    ["Zwaluw Painting & Decorating", "zwaluw painting and decorating", "painting and decorating zwaluw"],
    ["Zwenk en Zwier", "zwenk and zwier", "zwenk & zwier", "zwenk + zwier", "zwenk+zwier"],
    ["Zilt and Zoet Events", "zilt & zoet events", "zilt en zoet events", "zilt zoet events", "Zilt+ Zoet"],
    ["Rock-and-Roll Zwiep", "rock & roll zwiep", "rock en roll zwiep", "rock and roll zwiep"],
  ],
  "initials with and without spaces": [
    ["H.L.F Images", "h l f", "h.l.f.", "hlf", "h l f images", "h l f im"],
    ["G4S Rommeldam", "g 4 s", "g4s", "g.4.s", "g 4 s rommel"],
    ["A B C Dakwerken", "abc", "a b c", "a.b.c.", "abc dakwerken", "ABC dak"],
    ["X Y Z Zwembaden", "xyz", "x y z zwembaden"],
  ],
  "an elided article": [
    ["d’Oude Smidse", "oude smidse", "de oude smidse", "d'oude smidse", "d oude smidse", "doude smidse"],
    ["L'Oréale Zwam", "oreale zwam", "l'oreale zwam", "loreale zwam", "de oreale zwam", "l`oréale"],
    ["'t Zwaantje", "het zwaantje", "t zwaantje", "’t zwaantje", "zwaantje"],
    ["Het Zwijnshoofd", "'t zwijnshoofd", "t zwijnshoofd"],
    ["'sZomers Buiten", "'s zomers buiten", "s zomers buiten", "szomers buiten"],
  ],
  "a legal form in full": [
    ["Zwachtel B.V.", "zwachtel besloten vennootschap", "besloten vennootschap zwachtel", "zwachtel bv"],
    ["Zwadder Naamloze Vennootschap", "zwadder nv", "zwadder n.v.", "nv zwadder", "zwadder"],
    ["Stichting Zwanenpad", "st. zwanenpad", "stg zwanenpad", "zwanenpad"],
    ["St. Zwerfsteen", "stichting zwerfsteen", "sint zwerfsteen"],
    ["V.O.F. Zweep en Zoom", "vennootschap onder firma zweep en zoom", "zweep & zoom vof"],
    [
      "Zwalp Kozijn B.V.",
      ...["ZwalpKozijnB.V.", "ZwalpKozijnBV", "zwalpkozijnbv", "zwalpkozijn", "ZWALPKOZIJNBV"],
      ...["BVZwalpKozijn", "B.V.Zwalp Kozijn", "bvzwalp kozijn", "zwalp kozijnbv"],
    ],
    ["Zweetdruppel N.V.", "zweetdruppeln.v.", "ZWEETDRUPPELNV", "nvzweetdruppel"],
    ["Stichting Zwerk Op", "StichtingZwerkOp", "stichtingzwerk op", "stichtingzwerk"],
    ["Vereniging Zwichtvlag", "VerenigingZwichtvlag", "zwichtvlag"],
    ["Zwingel GmbH", "ZwingelGmbH", "ZWINGELGMBH"],
    ["Zwoord U.A.", "zwoordua", "zwoordu.a."],
    ["Zwobnv Kwats B.V.", "zwobnv kwats", "zwob kwats", "zwobnv"],
    ["Zwart ApS", "zwart aps", "zwart oy", "zwart bvba", "zwart ab"],
    ["VvE Zwaluwstraat 12", "vereniging van eigenaars zwaluwstraat 12", "zwaluwstraat 12"],
  ],
  "abbreviations in both directions": [
    ["Wed. Zwabbel", "weduwe zwabbel", "wed zwabbel", "wed. zwabb"],
    ["Weduwe Zwoerd", "wed. zwoerd"],
    [
      "Adm.kantoor Zwart-Wit",
      "administratiekantoor zwart-wit",
      "adm kantoor zwart wit",
      "admkantoor zwart-wit",
    ],
    ["Kon. Zwemvereniging", "koninklijke zwemvereniging", "kon zwemvereniging"],
    ["Koninklijke Zwaanwerf", "kon. zwaanwerf"],
    ["Prof. Zwank Instituut", "professor zwank", "professor zwank inst."],
    ["Ned. Zwavelbond", "nederlandse zwavelbond", "nederlands zwavelbond"],
    ["Fa. Zwik & Zn.", "firma zwik en zoon", "fa zwik en zonen", "firma zwik & zn"],
    ["Zwaard v/h Zwerver", "zwaard voorheen zwerver", "zwaard vh zwerver", "zwaard v.h. zwerver"],
    ["Zwijger voorheen Zwets", "zwijger v/h zwets", "zwijger v.h. zwets"],
    ["Gebr. Zwartjes", "gebroeders zwartjes"],
    ["Stoomvaart Mij. Zwalk", "stoomvaart maatschappij zwalk"],
    ["Bouwmij. Zwenkgras", "bouwmaatschappij zwenkgras"],
    ["Ver. Zwemles", "vereniging zwemles"],
    ["Int. Zwartbont Transport", "internationaal zwartbont transport", "international zwartbont transport"],
    ["Fam. Zwinkels", "familie zwinkels"],
    ["Dr. Zwaai Kliniek", "doctor zwaai kliniek", "dokter zwaai kliniek"],
    ["Mr. Zwolsman Advocatuur", "meester zwolsman advocatuur"],
    ["Drs. Zwieten Advies", "doctorandus zwieten"],
    ["Bakkerij v.d. Zwet", "bakkerij van der zwet", "bakkerij v/d zwet", "bakkerij vd zwet"],
    ["Tuinen van den Zwam", "tuinen v.d. zwam", "tuinen vd zwam"],
  ],
  "compounds typed with and without spaces": [
    ["PostNL Pakketten Zwolland", "post nl", "post nl pakketten", "postnl pakketten"],
    ["Zwerf Kei Reizen", "zwerf kei", "zwerf kei reizen"],
  ],
  "numbers and ordinals in words": [
    ["2e Kans Zwaantjes", "tweede kans zwaantjes", "2de kans zwaantjes"],
    ["Eerste Hulp Zwikken", "1e hulp zwikken", "1ste hulp zwikken"],
    ["Nr. 1 Zwembroek", "nummer 1 zwembroek", "nummer een zwembroek", "nr 1 zwembroek"],
    ["Duizend Zwanen", "1000 zwanen"],
    ["Zwart 1000", "zwart duizend"],
    ["Zevenentwintig Zwanen", "27 zwanen"],
    ["Three Swans Zwolland", "3 swans"],
    ["50 Plus Zwoerdkoor", "vijftigplus zwoerdkoor", "vijftig plus zwoerdkoor", "50plus zwoerdkoor"],
    ["Zestigplus Zwoegers", "60 plus zwoegers", "60plus zwoegers", "zestig plus zwoegers"],
    ["Driesprong Zwenkwiel", "3 sprong zwenkwiel", "3sprong zwenkwiel"],
    ["Zwager 7 Heuvelen", "zwager zevenheuvelen", "zwager 7heuvelen"],
    ["Eerstelijns Zwachtelaars", "1e lijns zwachtelaars", "1elijns zwachtelaars"],
    ["24Uurs Zwemservice", "vierentwintiguurs zwemservice", "24 uurs zwemservice"],
  ],
  "a sign after a word": [
    ["C++ Experts", "c++", "C++ experts", "c plus plus"],
    ["C# Academy", "c#", "c# academy", "c sharp"],
    ["Zwaar+", "zwaar+", "zwaar plus"],
  ],
  "an article behind the name": [
    ["Zwarte Kat, De", "de zwarte kat", "zwarte kat"],
    ["Zwijnen, Van der & Partners", "van der zwijnen"],
    ["Zwaard, Het", "het zwaard", "'t zwaard"],
  ],
  "a compound shortened by a hyphen": [
    [
      "Timmer- en Onderhoudsbedrijf Zwiersen",
      "timmerbedrijf zwiersen",
      "timmer en onderhoudsbedrijf zwiersen",
      "timmer & onderhoudsbedrijf zwiersen",
      "onderhoudsbedrijf zwiersen",
      "timmerenonderhoudsbedrijf zwiersen",
    ],
    ["Schilders- & Afwerkingsbedrijf Zwaal", "schildersbedrijf zwaal", "schilderbedrijf zwaal"],
  ],
  "text copied from a page": [
    [
      "Zwebbel & Co",
      "zwebbel &amp; co",
      "zwebbel &amp;amp; co",
      "zwebbel &AMP; co",
      "zwebbel &#38; co",
      "zwebbel &#x26; co",
      "zweb\u00adbel co",
      "zweb\u200bbel & co",
      "\ufeffzwebbel & co",
    ],
    ["Zwaai's Eetcafé", "zwaai&#39;s eetcafe", "zwaai&rsquo;s eetcaf&eacute;", "zwaai&apos;s eetcafé"],
  ],
};

/** Similar names that must rank lower. */
const LOOK_ALIKES = [
  "De Zwarte Kater",
  "De Zwarte Kat Verhuur",
  "H. Post",
  "G. Post",
  "Hotel Lake Fransum",
  "Garage 4 Seizoenen",
  "Abcoude Fietsen",
  "C. Mendes",
  "C. Post",
  "Rock Andrea Rollema Zwiep",
  "Zwaluw Painting Andreas Decorating",
  "Nlitex Post",
];

const LONG_NAME =
  `Zweefvliegstichting ${Array.from({ length: 60 }, (_, nth) => `deelnemer${nth}`).join(" ")}`.slice(0, 620);

let snapshot: OpenSnapshot;
snapshotForAll(
  () => {
    const companies: readonly Partial<CompanyFacts>[] = [
      ...Object.values(KINDS).flatMap((kind) => kind.map(([name]) => ({ name }))),
      ...LOOK_ALIKES.map((name) => ({ name })),
      {
        name: "Kwispelbos Anjer",
        address: { kind: "visiting", city: "Alphen aan den Rijn", postalCode: "2401 AA", country: "NL" },
      },
      { name: LONG_NAME },
      { name: "Kwispel Project 2401" },
      { name: "Molen De Hoop", kvkNumber: kvkNumber("61000119") },
    ];
    return companies.map((facts, number) => sourcedFacts(number, facts));
  },
  (opened) => {
    snapshot = opened;
  },
);

describe.each(Object.entries(KINDS))("%s", (_kind, names) => {
  it.each(names)("finds %s first", (name, ...typed) => {
    for (const q of typed) {
      const [first] = snapshot.autocomplete(q, 8);
      const searched = inOneGo(snapshot.search({ q, page: 1, pageSize: 10 }));
      expect([q, first?.name, first?.isFuzzy, searched.results[0]?.name]).toEqual([q, name, undefined, name]);
      expect([q, searched.total]).toEqual([q, searched.results.length]);
    }
  });

  it.each(names)("finds %s first by its name", (name) => {
    expect(snapshot.autocomplete(name, 8)[0]?.name).toBe(name);
  });
});

it("does not interpret four digits as a postal code if a name contains them", () => {
  expect(snapshot.autocomplete("kwispel 2401", 8).map(({ name }) => name)).toEqual(["Kwispel Project 2401"]);
  expect(snapshot.autocomplete("kwispel 2401 aa", 8).map(({ name }) => name)).toEqual(["Kwispelbos Anjer"]);
});

describe("a KVK number with other text", () => {
  it.each([
    "KVK 61000119",
    "kvk-nummer: 61000119",
    "KvK nr. 61000119",
    "K.v.K. 61000119",
    "KvK61000119",
    "Molen De Hoop (61000119)",
    "De Hoop KvK 61000119",
    "61.000.119",
    "6100 0119",
    "KVK: 61.000.119",
    "(61000119)",
    "kvk 610001",
  ])("is recognised in %s", (q) => {
    expect(snapshot.autocomplete(q, 8)).toMatchObject([{ kvkNumber: "61000119" }]);
    expect(inOneGo(snapshot.search({ q, page: 1, pageSize: 10 }))).toMatchObject({
      total: 1,
      results: [{ kvkNumber: "61000119" }],
    });
  });

  it("is not recognised within a longer number", () => {
    expect(snapshot.autocomplete("NL91 ABNA 6100 0119 00", 8)).toEqual([]);
  });
});

it("finds a name of 620 letters", () => {
  const [first] = snapshot.autocomplete(LONG_NAME, 8);
  expect([first?.name, first?.isFuzzy]).toEqual([LONG_NAME, undefined]);
});
