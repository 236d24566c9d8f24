/** For tests: cases of the court's register in memory. */
import type { KvkNumber } from "../../src/contract/numbers.ts";
import type { CourtCase, CourtCases, Currency } from "../../src/insolvency/types.ts";

export const COURT_OBSERVED_AT = "2026-11-21T03:30:00.000Z";

/** A bankruptcy that was declared on 3 November 2026; by default without a number. */
export function courtCase(more: Partial<CourtCase> = {}): CourtCase {
  return {
    id: more.caseNumber ?? "F.16/26/100",
    caseNumber: "F.16/26/100",
    publication: "16.mne.26.100.F.1300.1.00",
    publications: ["16.mne.26.100.F.1300.1.00"],
    type: "bankruptcy",
    court: "Rechtbank Midden-Nederland",
    isLegalPerson: true,
    kvkNumbers: [],
    names: [],
    addresses: [],
    since: "2026-11-03",
    curators: [],
    ...more,
  };
}

/** The case without `since`. */
export function undated({ since: _, ...rest }: CourtCase): CourtCase {
  return rest;
}

export interface CourtOptions {
  /** Undefined as before the first load. */
  readonly currency?: Currency | undefined;
}

/** The replica of some cases; current by default. A case that may not be shown is {@link undated}. */
export function courtCases(
  cases: readonly CourtCase[],
  { currency = { isCurrent: true, observedAtMs: Date.parse(COURT_OBSERVED_AT) } }: CourtOptions = {},
): CourtCases {
  const newestFirst = cases.toSorted((a, b) => (b.since ?? "").localeCompare(a.since ?? ""));
  const open = newestFirst.filter(({ endedOn }) => endedOn === undefined);
  const numbers = (some: readonly CourtCase[]) => new Set(some.flatMap(({ kvkNumbers }) => kvkNumbers));
  return {
    currency,
    casesOf: (kvkNumber: KvkNumber) => newestFirst.filter((one) => one.kvkNumbers.includes(kvkNumber)),
    unplaced: open.filter(({ kvkNumbers }) => kvkNumbers.length === 0),
    insolvent: numbers(open.filter(({ since }) => since !== undefined)),
    uncertain: numbers(cases.filter(({ since, isContinued }) => since === undefined || isContinued === true)),
  };
}

/** The replica as before its first load, or while the state cannot be read. */
export const UNREADABLE_COURT: CourtCases = { ...courtCases([]), currency: undefined };
