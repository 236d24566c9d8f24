/** The court's register of the test companies. */
import type { Insolvency } from "../../contract/insolvency.ts";
import type { CourtCase, CourtCases } from "../../insolvency/types.ts";
import type { InsolvencyRule } from "../companyInsolvency.ts";
import { TEST_COMPANIES } from "./companies.ts";

const answers = new Map<string, Insolvency | undefined>(
  TEST_COMPANIES.map(({ facts, court }) => [facts.kvkNumber, court]),
);
const numbersWith = (isIncluded: (type: Insolvency["type"] | undefined) => boolean) =>
  new Set(TEST_COMPANIES.flatMap(({ facts, court }) => (isIncluded(court?.type) ? facts.kvkNumber : [])));

/** The answers of the test companies; those without one have KVK's open data alone. */
export const TEST_INSOLVENCY: InsolvencyRule = {
  noCourt: undefined,
  of: ({ kvkNumber }, openData) => answers.get(kvkNumber) ?? openData,
};

/** An open case of each insolvent company. */
const OPEN: CourtCase = {
  ...{ id: "", caseNumber: "", publication: "", publications: [], type: "bankruptcy", court: "", since: "" },
  ...{ isLegalPerson: true, kvkNumbers: [], names: [], addresses: [], curators: [] },
};

/** For searches. */
export const TEST_COURT: CourtCases = {
  currency: { isCurrent: true, observedAtMs: 0 },
  casesOf: () => [OPEN],
  unplaced: [],
  insolvent: numbersWith((type) => type !== undefined && type !== "none"),
  uncertain: numbersWith((type) => type === undefined),
};
