import { describe, expect, it } from "vitest";
import { type OpenSnapshot, snapshotForAll, sourcedFacts } from "../../test/kit/registry.ts";
import { soundAlikes, spellingVariants } from "./spellingVariants.ts";

/** Each name with other spellings, which must find it and no other name. */
const VARIANTS: readonly (readonly [name: string, ...typed: string[]])[] = [
  ["Meijer Verfwaren", "meyer verfwaren", "MEŸER verfwaren", "meĳer verfwaren"],
  ["Lysbeth Keramiek", "lijsbeth keramiek", "lijsbeth ceramiek"],
  ["Cobus Sierbestrating", "kobus sierbestrating"],
  ["Photohuis Zonneveld", "fotohuis zonneveld"],
  ["Grafisch Atelier Wilg", "graphisch atelier wilg"],
  ["Gebroeders Waterman", "gebr. waterman", "gebr waterman"],
  ["Gebr. Zandstra", "gebroeders zandstra"],
  ["Tuinen van der Lely", "tuinen v/d lely", "tuinen vd lely", "tuinen v.d. lely", "tuinen v d lely"],
  ["Kwekerij van de Beek", "kwekerij v/d beek", "kwekerij vd beek"],
  ["Sint Odulfus Apotheek", "st. odulfus apotheek", "st odulfus apotheek"],
  ["St. Radboud Drukkerij", "sint radboud drukkerij"],
  ["Stichting Molenpad", "st. molenpad", "molenpad"],
  ["Drie Linden Advies", "3 linden advies"],
  ["12 Provinciën Transport", "twaalf provincien transport"],
  ["Hamer & Beitel", "hamer en beitel", "hamer + beitel", "hamer+beitel", "hamer&beitel", "hamer beitel"],
  ["Zout en Peper", "zout & peper", "zout + peper"],
  ["Olie+Azijn", "olie & azijn", "olie en azijn"],
  ["Vermeulen en Zonen", "vermeulen & zn", "vermeulen en zn."],
  ["Stoomvaart Maatschappij Noord", "stoomvaart mij noord"],
];

let snapshot: OpenSnapshot;
snapshotForAll(
  () => VARIANTS.map(([name], number) => sourcedFacts(number, { name })),
  (opened) => {
    snapshot = opened;
  },
);

describe("Dutch spelling variants", () => {
  it.each(VARIANTS)("find %s in every spelling", (name, ...typed) => {
    for (const q of typed) {
      expect([q, snapshot.autocomplete(q, 8).map((hit) => hit.name)]).toEqual([q, [name]]);
    }
  });

  it("are not marked as misspelled, except for homophones", () => {
    const corrected = VARIANTS.flatMap(([, ...typed]) =>
      typed.filter((q) => snapshot.autocomplete(q, 1)[0]?.isFuzzy === true),
    );
    expect(corrected).toEqual([
      "lijsbeth ceramiek",
      "kobus sierbestrating",
      "fotohuis zonneveld",
      "graphisch atelier wilg",
    ]);
  });
});

describe("spellingVariants", () => {
  const variantsOf = (typed: string) => {
    const words = typed.split(" ");
    return [...spellingVariants(words)].map(({ position, count, words: others }) =>
      words.toSpliced(position, count, ...others).join(" "),
    );
  };

  it("replaces one phrase at a time", () => {
    expect(variantsOf("gebr vd berg")).toEqual([
      "gebrs vd berg",
      "gebroeders vd berg",
      "gebr van de berg",
      "gebr van den berg",
      "gebr van der berg",
    ]);
    expect(variantsOf("huis van drie")).toEqual(["huis van 3"]);
    expect(variantsOf("administratiekantoor bouwmij")).toEqual([
      "admkantoor bouwmij",
      "administratiekantoor bouwmaatschappij",
    ]);
    expect(variantsOf("jansen")).toEqual([]);
  });
});

describe("soundAlikes", () => {
  it("replaces one sound and swaps ji to ij", () => {
    expect(soundAlikes("photo")).toEqual(["foto"]);
    expect(soundAlikes("eiland")).toEqual(["ijland"]);
    expect(soundAlikes("blauw")).toEqual(["blouw"]);
    expect(soundAlikes("thea")).toEqual(["tea"]);
    expect(soundAlikes("maxima")).toEqual(["maksima"]);
    expect(soundAlikes("bakkerji")).toEqual(["bakkerij"]);
    expect(soundAlikes("huis")).toEqual([]);
  });
});
