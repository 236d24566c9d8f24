import { describe, expect, it } from "vitest";
import { type OpenSnapshot, snapshotForAll, sourcedFacts } from "../../test/kit/registry.ts";
import type { CompanyFacts } from "../company/facts.ts";
import { inOneGo } from "../lib/steps.ts";

const AT: readonly (readonly [name: string, city: string, postalCode: string])[] = [
  ["Kwispelcafé Roos", "Amsterdam", "1011 AB"],
  ["Kwispelbakkerij Jansma", "Utrecht", "3511 ZX"],
  ["Kwispelbakkerij Jansma", "Zwolle", "8011 YZ"],
  ["Kwispelwinkel Iris", "Capelle aan den IJssel", "2901 AA"],
  ["Kwispelschool Tulp", "Sint Annaparochie", "9076 AA"],
  ["Kwispelbos Anjer", "Alphen aan den Rijn", "2401 AA"],
  ["Kwispelhof Lelie", "'s-Hertogenbosch", "5211 AA"],
  ["Kwispelhof Viool", "'s-Gravenhage", "2511 AA"],
  ["Kwispelzaal Aster", "Rijswijk (GLD)", "4284 AA"],
  ["Kwispelzaal Dahlia", "Rijswijk", "2281 AA"],
  ["Kwispelduin Phlox", "Bergen (NH)", "1861 AA"],
  ["Kwispelmolen Klaver", "Hengelo", "7551 AA"],
  ["Kwispelbeek Mos", "Beek en Donk", "5741 AA"],
];

const IN_PLACES: readonly (readonly [q: string, city: string])[] = [
  ["kwispelcafe 1011 AB", "Amsterdam"],
  ["kwispelcafe 1011ab", "Amsterdam"],
  ["kwispelcafe 1011", "Amsterdam"],
  ["kwispelcafe 10", "Amsterdam"],
  ["1011 AB", "Amsterdam"],
  ["1011ab", "Amsterdam"],
  ["1011 AB kwispelcafe", "Amsterdam"],
  ["kwispelcafe 1011 AB amsterdam", "Amsterdam"],
  ["kwispelcafe amsterdam 1011", "Amsterdam"],
  ["kwispelbakkerij jansma 8011yz", "Zwolle"],
  ["kwispelbakkerij jansma utrecht", "Utrecht"],
  ["kwispelbakkerij jansma utr", "Utrecht"],
  ["kwispelbakkerij jansma u", "Utrecht"],
  ["kwispelbakkerij jansma zwol", "Zwolle"],
  ["kwispelwinkel capelle a/d ijssel", "Capelle aan den IJssel"],
  ["kwispelwinkel capelle ad ijssel", "Capelle aan den IJssel"],
  ["kwispelwinkel capelle aan d", "Capelle aan den IJssel"],
  ["kwispelschool st. annaparochie", "Sint Annaparochie"],
  ["kwispelschool sint annap", "Sint Annaparochie"],
  ["kwispelbos alphen a.d. rijn", "Alphen aan den Rijn"],
  ["kwispelhof den bosch", "'s-Hertogenbosch"],
  ["kwispelhof den bo", "'s-Hertogenbosch"],
  ["kwispelhof s-hertogenbosch", "'s-Hertogenbosch"],
  ["kwispelhof den haag", "'s-Gravenhage"],
  ["kwispelhof gravenhage", "'s-Gravenhage"],
  ["kwispelzaal rijswijk gld", "Rijswijk (GLD)"],
  ["kwispelzaal rijswijk (gelderland)", "Rijswijk (GLD)"],
  ["kwispelzaal rijswijk zh", "Rijswijk"],
  ["kwispelduin bergen", "Bergen (NH)"],
  ["kwispelduin bergen noord-holland", "Bergen (NH)"],
  ["kwispelduin bergen (", "Bergen (NH)"],
  ["kwispelduin bergen (n", "Bergen (NH)"],
  ["kwispelduin bergen (nh", "Bergen (NH)"],
  ["kwispelduin bergen noord", "Bergen (NH)"],
  ["kwispelduin bergen n-h", "Bergen (NH)"],
  ["kwispelduin bergen noord-hol", "Bergen (NH)"],
  ["kwispelzaal rijswijk geld", "Rijswijk (GLD)"],
  ["kwispelzaal rijswijk (z", "Rijswijk"],
  ["kwispelzaal rijswijk z.h.", "Rijswijk"],
  ["kwispelmolen hengelo o", "Hengelo"],
  ["kwispelmolen hengelo ov", "Hengelo"],
  ["kwispelmolen hengelo (over", "Hengelo"],
  ["kwispelbeek beek en donk nb", "Beek en Donk"],
  ["kwispelbeek beek en donk (n", "Beek en Donk"],
  ["kwispelbeek beek en do", "Beek en Donk"],
  ["1861aa 7", "Bergen (NH)"],
  ["1861 AA 7a", "Bergen (NH)"],
  ["1861AA, 7", "Bergen (NH)"],
  ["7, 1861 AA", "Bergen (NH)"],
  ["1861aa nr 7", "Bergen (NH)"],
  ["1861aa 7-2 bergen", "Bergen (NH)"],
  ["1861 AA Bergen", "Bergen (NH)"],
  ["1861 AA Bergen NH", "Bergen (NH)"],
  ["kwispelduin 1861aa 7", "Bergen (NH)"],
  ["kwispelduin 7, 1861 aa bergen", "Bergen (NH)"],
];

const SHIELDED = "Kwispelstal Verborgen";

let snapshot: OpenSnapshot;
snapshotForAll(
  () => {
    const companies: readonly Partial<CompanyFacts>[] = [
      ...AT.map(
        ([name, city, postalCode]): Partial<CompanyFacts> => ({
          name,
          address: { kind: "visiting", street: "Kade", houseNumber: "7", city, postalCode, country: "NL" },
        }),
      ),
      {
        name: SHIELDED,
        address: {
          kind: "visiting",
          city: "Goes",
          isShielded: true,
          postalCode: "4461 AA",
          houseNumber: "7",
        },
      },
    ];
    return companies.map((facts, number) => sourcedFacts(number, facts));
  },
  (opened) => {
    snapshot = opened;
  },
);

describe("a place in a query", () => {
  it.each(IN_PLACES)("is recognised in %s", (q, city) => {
    expect(snapshot.autocomplete(q, 8).map((one) => [one.city, one.isFuzzy])).toEqual([[city, undefined]]);
    expect(inOneGo(snapshot.search({ q, page: 1, pageSize: 10 }))).toMatchObject({
      total: 1,
      results: [{ city }],
    });
  });

  it.each(["1861aa 8", "8, 1861 AA", "1861aa 17 bergen"])("does not find another house: %s", (q) => {
    expect(snapshot.autocomplete(q, 8)).toEqual([]);
  });

  it.each([
    "4461 AA",
    "4461",
    "4461aa 7",
    "4461aa 7 goes",
    "kwispelstal 4461 AA",
    "kwispelstal 4461",
    "kwispelstal 44",
  ])("does not reveal a shielded address: %s", (q) => {
    const names = snapshot.autocomplete(q, 8).map(({ name, isFuzzy }) => [name, isFuzzy]);
    expect(names).not.toContainEqual([SHIELDED, undefined]);
  });

  it.each([
    ["Capelle a/d IJssel", ["Kwispelwinkel Iris"]],
    ["Alphen a.d. Rijn", ["Kwispelbos Anjer"]],
    ["St. Annaparochie", ["Kwispelschool Tulp"]],
    ["Den Bosch", ["Kwispelhof Lelie"]],
    ["Hertogenbosch", ["Kwispelhof Lelie"]],
    ["Rijswijk", ["Kwispelzaal Aster", "Kwispelzaal Dahlia"]],
    ["Rijswijk Gld.", ["Kwispelzaal Aster"]],
    ["Bergen", ["Kwispelduin Phlox"]],
    ["Rijs", []],
  ])("is matched by the city filter %s", (city, names) => {
    const { results } = inOneGo(snapshot.search({ q: "kwispel", city, page: 1, pageSize: 10 }));
    expect(results.map(({ name }) => name).sort()).toEqual(names);
  });
});
