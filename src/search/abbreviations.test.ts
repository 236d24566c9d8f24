import { describe, expect, it } from "vitest";
import { type OpenSnapshot, snapshotForAll, sourcedFacts } from "../../test/kit/registry.ts";

/** Names, each with queries in other words. */
type Table = readonly (readonly [name: string, ...typed: string[]])[];

/** The name abbreviates with a dot or a hyphen. */
const SIGNED: Table = [
  ["Ing.bureau Kwibus", "ingenieursbureau kwibus", "kwibus ingenieursbureau"],
  ["Ing. Bureau Kwezel", "ingenieursbureau kwezel"],
  ["Transp.bedr. Kwalm", "transportbedrijf kwalm", "transportbedrijf kwalm bv"],
  ["Aann.bedr. Kwartel", "aannemersbedrijf kwartel", "aannemingsbedrijf kwartel"],
  ["Loonw.bedr. Kwispel", "loonwerkersbedrijf kwispel"],
  ["Gem. Kwikstaart Adm.kantoor", "gemeente kwikstaart administratiekantoor"],
  ["Loodg. Kwakkel", "loodgietersbedrijf kwakkel"],
  ["Bouwond. Kwikzilver", "bouwonderneming kwikzilver"],
  ["Schilders- en Afwerkingsbedrijf Kwink", "schildersbedrijf kwink", "schilderbedrijf kwink"],
  ["Land- en Tuinbouwcoöperatie Kwast", "landbouwcooperatie kwast", "landbouwcoöperatie kwast"],
  ["Zuivel-, Kaas- & Eierhandel Kwark", "zuivelhandel kwark", "kaashandel kwark"],
  ["Jeugd- en Ouderenzorg Kwiek", "jeugdzorg kwiek"],
  ["Verz.kantoor Kwelder", "verzekeringskantoor kwelder"],
];
/** The name or the query abbreviates without a sign, or more vaguely: a likely reading. */
const VAGUE: Table = [
  ["Ing. Kwakel", "ingenieursbureau kwakel"],
  ["Communicatie Groep Kwalster", "communicatie grp kwalster"],
  ["Facility Services Kwakzalver", "facility srvces kwakzalver", "facility srvcs kwakzalver"],
  ["Kwadraat Beheer", "kwadraat bhr"],
  ["Kwartier Dvlpmnt", "kwartier development"],
  ["Transportbedrijf Kwelgeest", "transp.bedr. kwelgeest", "transp bedr kwelgeest"],
  ["Kwintet Instal", "kwintet installaties"],
];
/** The query has a usual abbreviation of the first part of a compound. */
const USUAL: Table = [
  ["Administratiekantoor Kwelling", "adm kantoor kwelling", "adm. kantoor kwelling"],
  ["Assurantiekantoor Kwatta", "ass kantoor kwatta"],
];
const OTHERS = ["Kwabbel Gras", "Bar Kwalitaria", "De Energy Kwalificatie", "Kwaal B.V.", "Bedr. Kwant"];

let snapshot: OpenSnapshot;
snapshotForAll(
  () =>
    [...SIGNED, ...VAGUE, ...USUAL, ...OTHERS.map((name) => [name])].map(([name = ""], nth) =>
      sourcedFacts(nth, { name }),
    ),
  (opened) => {
    snapshot = opened;
  },
);

const found = (q: string) => snapshot.autocomplete(q, 8).map(({ name, isFuzzy }) => [name, isFuzzy]);

describe("a registered name with an abbreviation", () => {
  it.each(SIGNED)("%s is found by the word in full, as no typo", (name, ...typed) => {
    for (const q of typed) {
      expect([q, found(q)]).toEqual([q, [[name, undefined]]]);
    }
  });
});

it.each(USUAL)("%s is found exactly", (name, ...typed) => {
  for (const q of typed) expect([q, found(q)]).toEqual([q, [[name, undefined]]]);
});

describe("an abbreviation without a sign", () => {
  it.each(VAGUE)("%s is found as a likely reading", (name, ...typed) => {
    for (const q of typed) expect([q, found(q)]).toEqual([q, [[name, true]]]);
  });
});

it.each([
  "kwabbel groep",
  "bakkerij kwalitaria",
  "development kwalificatie",
  "kwaal bedrijfskunde",
  "communicatie gras kwalster",
  "bureau-ingenieurs kwebbel",
  "transportkwalm",
  "landbouwbank kwast",
  "tuinhandel kwark",
])("finds no other word: %s", (q) => {
  expect(found(q)).toEqual([]);
});
