import { describe, expect, it } from "vitest";
import { type OpenSnapshot, snapshotForAll, sourcedFacts } from "../../test/kit/registry.ts";
import type { CompanyFacts } from "../company/facts.ts";

/** In the expected order for `wilg hof`. KVK numbers are in the opposite order, except where they decide. */
const IN_ORDER: readonly (readonly [number: number, facts: Partial<CompanyFacts>])[] = [
  // Exact names: larger, then older, then inactive.
  [90, { name: "Wilg Hof B.V.", employees: { total: 500 } }],
  [70, { name: "Wilg Hof B.V." }],
  [80, { name: "WilgHof V.O.F." }],
  [60, { name: "Wilg Hof B.V.", employees: { total: 900 }, isActive: false }],
  // Begins with the query.
  [59, { name: "Wilg Hofstede en Tuinen Nederland B.V." }],
  // Contains the words in order, then in another order.
  [58, { name: "Landgoed de Wilg en Hof Rommeldam" }],
  [57, { name: "Hof bij de Wilg" }],
  // Contains the words as prefixes in order, then in another order.
  [56, { name: "Wilgenroos Hoflaan Beheer" }],
  [55, { name: "Hofkring Wilgers" }],
  // The same for inactive companies.
  [54, { name: "Wilg Hofstee", isActive: false }],
  [53, { name: "Hofje Wilgendam", isActive: false }],
];

let snapshot: OpenSnapshot;
snapshotForAll(
  () => [
    ...IN_ORDER.map(([number, facts]) => sourcedFacts(number, facts)),
    sourcedFacts(1, { name: "Zilverreiger", employees: { total: 1 } }),
    sourcedFacts(2, { name: "Zilverrieger", employees: { total: 900 } }),
    sourcedFacts(3, { name: "Zilverreigers Transport" }),
    sourcedFacts(4, { name: "Reigersbek", tradingNames: ["Zilverreiger Catering"] }),
  ],
  (opened) => {
    snapshot = opened;
  },
);

const numbers = (q: string) => snapshot.autocomplete(q, 20).map((hit) => Number(hit.kvkNumber) - 50_000_000);

describe("the order of hits", () => {
  it("is by match, with active companies first, then by size and age", () => {
    expect(numbers("wilg hof")).toEqual(IN_ORDER.map(([number]) => number));
  });

  it("excludes corrections if a name matches as typed, and two edits if one edit suffices", () => {
    expect(numbers("zilverreiger")).toEqual([1, 4, 3]);
    expect(numbers("zilverrieger")).toEqual([2]);
    // One swap away from the first name and those that begin with it, two from the second.
    expect(numbers("zilverreigre").sort()).toEqual([1, 3, 4]);
    expect(snapshot.autocomplete("zilverreigre", 8).every(({ isFuzzy }) => isFuzzy === true)).toBe(true);
    expect(numbers("zilvereigre").sort()).toEqual([1, 3, 4]);
  });

  it("includes the matching trading name, even if misspelled", () => {
    expect(snapshot.autocomplete("zilverreigr catering", 8)).toEqual([
      {
        kvkNumber: "50000004",
        name: "Reigersbek",
        matchedName: "Zilverreiger Catering",
        isFuzzy: true,
      },
    ]);
  });
});
