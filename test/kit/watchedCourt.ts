import type { KvkNumber } from "../../src/contract/numbers.ts";
import { areUncertain } from "../../src/insolvency/rules.ts";
import type { CourtCase, CourtCases, Currency } from "../../src/insolvency/types.ts";

/** For tests: the court's register in memory, with the cases of a test. */
export class WatchedCourt implements CourtCases {
  currency: Currency | undefined;
  cases: readonly CourtCase[] = [];
  /** Numbers whose cases may not be shown. */
  readonly withheld = new Set<KvkNumber>();

  /** The state after the list of a day. */
  list(day: string, ...cases: readonly CourtCase[]): void {
    this.currency = { isCurrent: true, observedAtMs: Date.parse(`${day}T04:00:00.000Z`) };
    this.cases = cases;
  }

  casesOf(kvkNumber: KvkNumber): readonly CourtCase[] {
    const own = this.cases
      .filter(({ kvkNumbers }) => kvkNumbers.includes(kvkNumber))
      .sort((a, b) => (b.since ?? "").localeCompare(a.since ?? ""));
    return this.withheld.has(kvkNumber) ? own.map(undated) : own;
  }

  get unplaced(): readonly CourtCase[] {
    return this.cases.filter(({ kvkNumbers }) => kvkNumbers.length === 0);
  }

  get uncertain(): ReadonlySet<KvkNumber> {
    const numbers = this.cases.flatMap(({ kvkNumbers }) => kvkNumbers);
    return new Set(numbers.filter((kvkNumber) => areUncertain(this.casesOf(kvkNumber))));
  }

  get insolvent(): ReadonlySet<KvkNumber> {
    const open = this.cases.filter(({ endedOn }) => endedOn === undefined);
    return new Set(open.flatMap(({ kvkNumbers }) => kvkNumbers));
  }
}

/** A case that may not be shown, or that no publication declares. */
export function undated({ since: _, endedOn: __, ...rest }: CourtCase): CourtCase {
  return rest;
}

/** An open bankruptcy of a fictional company. */
export function courtCase(kvkNumber: KvkNumber | undefined, fields: Partial<CourtCase> = {}): CourtCase {
  const { caseNumber = "F.16/26/100" } = fields;
  return {
    ...{
      id: `${caseNumber} 16`,
      caseNumber,
      publication: `${caseNumber}.1`,
      publications: [`${caseNumber}.1`],
    },
    ...{ type: "bankruptcy", court: "Rechtbank Midden-Nederland", isLegalPerson: true, since: "2026-11-03" },
    kvkNumbers: kvkNumber === undefined ? [] : [kvkNumber],
    names: ["Fabel B.V."],
    addresses: [],
    curators: [{ name: "mr. A. Fabel", city: "Rommeldam", phone: "010-0000000" }],
    ...fields,
  };
}
