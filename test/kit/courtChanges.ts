/** Changes of a company's cases between two lists of the court, with the events about them. */
import type { Changes } from "../../src/contract/eventTypes.ts";
import type { CourtCase } from "../../src/insolvency/types.ts";

export const CASE = { since: "2026-11-03", court: "Rechtbank Midden-Nederland", caseNumber: "F.16/26/100" };
const OTHER = { caseNumber: "F.09/26/7", court: "Rechtbank Den Haag", since: "2026-11-10" };
const BANKRUPT = "bankruptcy";
const SUSPENDED = { type: "suspension_of_payments", caseNumber: "S.16/26/9", since: "2026-10-20" } as const;
const SUSPENSION = { ...CASE, caseNumber: "S.16/26/9", since: "2026-10-20" };

export interface CourtChange {
  readonly title: string;
  readonly before: readonly Partial<CourtCase>[];
  readonly after: readonly Partial<CourtCase>[];
  /** Whether no publication declares the cases after. */
  readonly isUndated?: true;
  readonly changes: Changes | undefined;
}

export const COURT_CHANGES: readonly CourtChange[] = [
  {
    title: "declared",
    before: [],
    after: [{}],
    changes: { insolvency: { previous: "none", current: BANKRUPT }, insolvencyCase: { current: CASE } },
  },
  {
    title: "declared after an earlier case that ended",
    before: [{ caseNumber: "F.16/20/1", since: "2020-01-02", endedOn: "2026-06-01" }],
    after: [{}, { caseNumber: "F.16/20/1", since: "2020-01-02", endedOn: "2026-06-01" }],
    changes: {
      insolvency: { previous: "none", current: BANKRUPT },
      insolvencyCase: {
        previous: { ...CASE, caseNumber: "F.16/20/1", since: "2020-01-02", endedOn: "2026-06-01" },
        current: CASE,
      },
    },
  },
  {
    title: "converted",
    before: [SUSPENDED],
    after: [{ previousCaseNumber: "S.16/26/9" }, { ...SUSPENDED, endedOn: "2026-11-03" }],
    changes: {
      insolvency: { previous: "suspension_of_payments", current: BANKRUPT },
      insolvencyCase: { previous: SUSPENSION, current: CASE },
    },
  },
  {
    title: "converted while the old case disappears",
    before: [SUSPENDED],
    after: [{}],
    changes: {
      insolvency: { previous: "suspension_of_payments", current: BANKRUPT },
      insolvencyCase: { previous: SUSPENSION, current: CASE },
    },
  },
  {
    title: "moved to another court",
    before: [{}],
    after: [{ ...OTHER, previousCaseNumber: "F.16/26/100" }, { endedOn: "2026-11-10" }],
    changes: { insolvencyCase: { previous: CASE, current: OTHER } },
  },
  {
    title: "nothing: converted, while the new case is not listed yet",
    before: [SUSPENDED],
    after: [{ ...SUSPENDED, endedOn: "2026-11-03", isContinued: true }],
    changes: undefined,
  },
  {
    title: "converted, and the new case ended too",
    before: [SUSPENDED],
    after: [
      { previousCaseNumber: "S.16/26/9", endedOn: "2026-11-20" },
      { ...SUSPENDED, endedOn: "2026-11-03", isContinued: true },
    ],
    changes: {
      insolvency: { previous: "suspension_of_payments", current: "none" },
      insolvencyCase: { previous: SUSPENSION, current: { ...CASE, endedOn: "2026-11-20" } },
    },
  },
  {
    title: "moved to another court, where it ended, while the old case disappears",
    before: [{}],
    after: [{ ...OTHER, endedOn: "2026-11-20" }],
    changes: {
      insolvency: { previous: BANKRUPT, current: "none" },
      insolvencyCase: { previous: CASE, current: { ...OTHER, endedOn: "2026-11-20" } },
    },
  },
  {
    title: "ended",
    before: [{}],
    after: [{ endedOn: "2026-11-20" }],
    changes: {
      insolvency: { previous: BANKRUPT, current: "none" },
      insolvencyCase: { previous: CASE, current: { ...CASE, endedOn: "2026-11-20" } },
    },
  },
  {
    title: "ended, of a sole trader",
    before: [{ isLegalPerson: false }],
    after: [{ isLegalPerson: false, names: [], curators: [], endedOn: "2026-11-20" }],
    changes: {
      insolvency: { previous: BANKRUPT, current: "none" },
      insolvencyCase: { previous: CASE, current: { ...CASE, endedOn: "2026-11-20" } },
    },
  },
  {
    title: "removed without an end",
    before: [{}],
    after: [],
    changes: {
      insolvency: { previous: BANKRUPT, current: "none", reason: "removed" },
      insolvencyCase: { previous: CASE },
    },
  },
  {
    title: "removed without an end, of a sole trader",
    before: [{ isLegalPerson: false }],
    after: [],
    changes: {
      insolvency: { previous: BANKRUPT, current: "none", reason: "removed" },
      insolvencyCase: { previous: CASE },
    },
  },
  {
    title: "removed while a case that ended long ago stays",
    before: [{}, { caseNumber: "F.16/20/1", since: "2020-01-02", endedOn: "2026-06-01" }],
    after: [{ caseNumber: "F.16/20/1", since: "2020-01-02", endedOn: "2026-06-01" }],
    changes: {
      insolvency: { previous: BANKRUPT, current: "none", reason: "removed" },
      insolvencyCase: { previous: CASE },
    },
  },
  {
    title: "open again",
    before: [{ endedOn: "2026-11-20" }],
    after: [{}],
    changes: {
      insolvency: { previous: "none", current: BANKRUPT },
      insolvencyCase: { previous: { ...CASE, endedOn: "2026-11-20" }, current: CASE },
    },
  },
  {
    title: "nothing: an ended case is removed",
    before: [{ endedOn: "2026-11-20" }],
    after: [],
    changes: undefined,
  },
  {
    title: "nothing: a corrected date",
    before: [{}],
    after: [{ since: "2026-11-02" }],
    changes: undefined,
  },
  {
    title: "nothing: another curator",
    before: [{}],
    after: [{ curators: [{ name: "mr. B. Sage" }] }],
    changes: undefined,
  },
  {
    title: "nothing: a case that no publication declares",
    before: [],
    after: [{}],
    isUndated: true,
    changes: undefined,
  },
  {
    title: "nothing: a case that no publication declares any more",
    before: [{}],
    after: [{}],
    isUndated: true,
    changes: undefined,
  },
  {
    title: "nothing: another case without a number has the name",
    before: [{}],
    after: [{ kvkNumbers: [] }],
    changes: undefined,
  },
];
