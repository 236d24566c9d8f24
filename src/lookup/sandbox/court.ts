/** The court's register of the test companies. */
import { kvkNumberOf } from "../../contract/numbers.ts";
import type { CourtCase, CourtCases } from "../../insolvency/types.ts";
import { type InsolvencyRule, insolvencyRule } from "../companyInsolvency.ts";
import { TEST_COMPANIES } from "./companies.ts";
import { testRegistry } from "./sources.ts";

const OBSERVED_AT_MS = Date.UTC(2026, 0, 8, 3, 30);

/** Nothing is known of the other companies, as with a case that may not be shown. */
const UNKNOWN: readonly CourtCase[] = [
  {
    ...{ id: "", caseNumber: "", publication: "", publications: [], type: "bankruptcy", court: "" },
    ...{ isLegalPerson: true, kvkNumbers: [], names: [], addresses: [], curators: [] },
  },
];
const cases = new Map(
  TEST_COMPANIES.flatMap(({ facts: { kvkNumber }, court }) =>
    court === undefined ? [] : [[kvkNumber, court === "no case" ? [] : [court]] as const],
  ),
);
const isOpen = ({ endedOn }: CourtCase) => endedOn === undefined;
const others = TEST_COMPANIES.filter(({ court }) => court === undefined).map(({ facts }) => facts.kvkNumber);

export const TEST_COURT: CourtCases = {
  currency: { isCurrent: true, observedAtMs: OBSERVED_AT_MS },
  casesOf: (kvkNumber) => cases.get(kvkNumber) ?? UNKNOWN,
  unplaced: [],
  insolvent: new Set([...cases].flatMap(([kvkNumber, own]) => (own.some(isOpen) ? kvkNumber : []))),
  uncertain: new Set(others),
};

/** The rule for test companies. Those of which the court's test register knows nothing have KVK's open data alone. */
export function testInsolvency(): InsolvencyRule {
  const rule = insolvencyRule({ cases: TEST_COURT, registry: testRegistry() });
  return {
    noCourt: undefined,
    of: (company, openData) =>
      TEST_COURT.uncertain.has(kvkNumberOf(Number(company.kvkNumber)))
        ? openData
        : rule.of(company, openData),
  };
}
