import { expect, it } from "vitest";
import { snapshotForAll, sourcedFacts } from "../../../test/kit/registry.ts";
import { inOneGo } from "../../lib/steps.ts";

const words = Array.from({ length: 100 }, (_, nth) => `woord${nth}`);
let found: (q: string) => number;
snapshotForAll(
  () =>
    [[...words, ...words], words.slice(1)].map((each, nth) => sourcedFacts(nth, { name: each.join(" ") })),
  (snapshot) => {
    found = (q) => inOneGo(snapshot.search({ q, page: 1, pageSize: 10 })).total;
  },
);

it("counts a name once per distinct word, even if it contains each twice", () => {
  expect([found("woord0"), found("woord99"), found("woord98 woord1")]).toEqual([1, 2, 2]);
});
