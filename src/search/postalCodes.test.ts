import { expect, it } from "vitest";
import { type OpenSnapshot, snapshotForAll, sourcedFacts } from "../../test/kit/registry.ts";
import { inOneGo } from "../lib/steps.ts";

const COMPANIES = {
  "Voorbeeld Eerste": "4461 IJ",
  "Voorbeeld Tweede": "4461 YB",
  "Voorbeeld Derde": "4461 IK",
  "Voorbeeld Vierde": "4461 YI",
};

let snapshot: OpenSnapshot;
snapshotForAll(
  () =>
    Object.entries(COMPANIES).map(([name, postalCode], number) =>
      sourcedFacts(number, { name, address: { kind: "visiting", postalCode, city: "Goes", country: "NL" } }),
    ),
  (opened) => {
    snapshot = opened;
  },
);

const found = (criteria: { postalCode: string; q?: string; city?: string }) =>
  inOneGo(snapshot.search({ ...criteria, page: 1, pageSize: 10 }))
    .results.map(({ postalCode }) => postalCode)
    .sort();

it.each([
  ["4461 IJ", ["4461 IJ"]],
  ["4461ij", ["4461 IJ"]],
  ["4461 I", ["4461 IJ", "4461 IK"]],
  ["4461 Y", ["4461 YB", "4461 YI"]],
  ["4461 YB", ["4461 YB"]],
  ["4461 YI", ["4461 YI"]],
  ["4461", ["4461 IJ", "4461 IK", "4461 YB", "4461 YI"]],
  ["4462 IJ", []],
])("distinguishes IJ from Y in a search by postal code %s", (postalCode, expected) => {
  expect(found({ postalCode })).toEqual(expected);
  expect(found({ postalCode, q: "voorbeeld", city: "Goes" })).toEqual(expected);
});
