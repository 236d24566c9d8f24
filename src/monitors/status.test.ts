/** One rule says whether a company is active, in lookups and for monitors, whichever source said it. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { KVK } from "../../test/kit/watchedCompany.ts";
import type { SourcedFacts } from "../company/facts.ts";
import { mergeFacts } from "../company/merge.ts";
import { compareCompany, type SeenFacts } from "./compare.ts";
import { decidingBaseline } from "./firstFacts.ts";
import type { Baseline, Observation } from "./types.ts";

const [ENDED, ACTIVE, END] = ["company.deregistered", "company.reactivated", "company.insolvency_changed"];
const LISTED = ["import:crm", "gleif", "kvk-api"] as const;
const OPEN = "kvk-open-data";

/** The status of a company by some origins, and their insolvency. */
type Step = readonly (readonly [
  origin: string,
  asOfMs: number,
  isActive: boolean,
  insolvency?: "bankruptcy" | "none",
])[];

class History {
  baselines: Baseline[] = [];
  take(step: Step): readonly Observation[] {
    const seen = step.map(
      ([origin, asOfMs, isActive, insolvency]): SeenFacts => ({
        ...{
          origin,
          asOfMs,
          ...(LISTED.some((one) => one === origin) && origin !== "kvk-api" && { serialMs: asOfMs }),
        },
        fields: { isActive, ...(insolvency && { insolvency }) },
      }),
    );
    const observed = compareCompany(KVK, this.baselines, seen);
    const latest = new Map(this.baselines.map((one) => [one.origin, one]));
    for (const { baseline } of observed) latest.set(baseline.origin, baseline);
    this.baselines = [...latest.values()];
    return observed;
  }
  get isActive(): boolean | undefined {
    return decidingBaseline(this.baselines)?.fields.isActive;
  }
}

it.each<[string, Step[], (string | undefined)[]]>([
  ["ends by an import", [[["import:crm", 1, true]], [["import:crm", 2, false]]], [ENDED]],
  ["ends by GLEIF", [[["gleif", 1, true]], [["gleif", 2, false]]], [ENDED]],
  ["ends by KVK's API", [[["kvk-api", 1, true]], [["kvk-api", 2, false]]], [ENDED]],
  ["ends by open data", [[["gleif", 1, true]], [[OPEN, 2, true]], [[OPEN, 3, false]]], [ENDED]],
  ["ends at the first look at open data", [[["gleif", 9, true]], [[OPEN, 2, false]]], [ENDED]],
  ["ends at the first look at a fresher source", [[["gleif", 1, true]], [["import:crm", 2, false]]], [ENDED]],
  ["ended by an older source", [[["gleif", 2, true]], [["import:crm", 1, false]]], []],
  [
    "ends by two sources at once",
    [
      [["gleif", 1, true]],
      [
        ["gleif", 2, false],
        ["kvk-api", 3, false],
      ],
    ],
    [ENDED],
  ],
  [
    "ends by two sources in turn",
    [
      [
        ["gleif", 1, true],
        ["kvk-api", 1, true],
      ],
      [["gleif", 2, false]],
      [["kvk-api", 3, false]],
    ],
    [ENDED],
  ],
  [
    "ended by open data, is no news to others",
    [[["gleif", 1, true]], [[OPEN, 2, false]], [["gleif", 3, false]]],
    [ENDED],
  ],
  [
    "is active again by open data",
    [[["gleif", 1, true]], [[OPEN, 2, false]], [[OPEN, 3, true]]],
    [ENDED, ACTIVE],
  ],
  [
    "stays ended although open data has it",
    [[["gleif", 1, true]], [["gleif", 2, false]], [[OPEN, 3, true]]],
    [ENDED],
  ],
  ["comes back", [[["gleif", 1, true]], [["gleif", 2, false]], [["gleif", 3, true]]], [ENDED, ACTIVE]],
  [
    "is insolvent at the first look",
    [[["gleif", 1, true]], [[OPEN, 2, true, "bankruptcy"]], [[OPEN, 3, true, "bankruptcy"]]],
    [END],
  ],
  ["is solvent at the first look", [[["gleif", 1, true]], [[OPEN, 2, true, "none"]]], []],
])("a company that %s", (_, steps, expected) => {
  const history = new History();
  const types = steps.flatMap((step, nth) => {
    const changes = history.take(step).flatMap((one) => [...one.changes]);
    return nth === 0 ? [] : changes.map(({ type }) => type);
  });
  expect(types).toEqual(expected);
});

it("shows no earlier value at the first look at an origin", () => {
  const history = new History();
  history.take([["gleif", 1, true]]);
  const [observed] = history.take([["import:crm", 2, false]]);
  expect(observed?.changes).toEqual([{ type: ENDED, changes: { isActive: { current: false } } }]);
  expect(observed?.baseline.origin).toBe("import:crm");
});

it("agrees with lookups over any sequence, and reports each change of the status once", () => {
  const said = fc.tuple(fc.constantFrom(...LISTED), fc.integer({ min: 1, max: 50 }), fc.boolean());
  fc.assert(
    fc.property(
      fc.array(fc.uniqueArray(said, { selector: ([origin]) => origin, minLength: 1 }), { maxLength: 12 }),
      (steps) => {
        const history = new History();
        let status: boolean | undefined;
        for (const step of steps) {
          const changes = history.take(step).flatMap((one) => [...one.changes]);
          const facts = history.baselines.map(
            ({ origin, asOfMs, fields }): SourcedFacts => ({
              origin,
              asOf: new Date(asOfMs).toISOString(),
              facts: { kvkNumber: KVK, name: "Fabel", isActive: fields.isActive === true },
            }),
          );
          const { isActive } = mergeFacts(facts).facts;
          expect(history.isActive).toBe(isActive);
          const expected = isActive === (status ?? true) ? [] : [isActive ? ACTIVE : ENDED];
          expect(changes.map(({ type }) => type)).toEqual(expected);
          status = isActive;
        }
      },
    ),
    { numRuns: 300 },
  );
});
