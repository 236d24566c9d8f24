/** The rule of a company's insolvency, for lookups, batches and lists. */
import { COURT_ORIGIN, type Insolvency } from "../contract/insolvency.ts";
import { isLegalPerson, type LegalForm } from "../contract/legalForms.ts";
import { parseKvkNumber } from "../contract/numbers.ts";
import { isPossible } from "../insolvency/rules.ts";
import type { CourtCase, CourtCases } from "../insolvency/types.ts";
import { known } from "../lib/values.ts";
import type { NoCourt } from "./answer.ts";
import type { LookupRegistry } from "./companies.ts";
import { caseByName, mayHaveUnplacedCase, type Subject } from "./unplacedCases.ts";

export interface InsolvencyParts {
  readonly cases: CourtCases;
  readonly registry: LookupRegistry;
  /** Called when the court's register and KVK's open data give a company different types. */
  readonly onDifference?: () => void;
}

export interface InsolvencyRule {
  /** Why the court's register cannot answer; undefined if it can. */
  readonly noCourt: NoCourt | undefined;
  /**
   * Returns the insolvency of a company. The court's register comes before KVK's open data.
   * @param openData the answer of KVK's open data, if there is one
   */
  of(company: Subject, openData: Insolvency | undefined): Insolvency | undefined;
}

export function insolvencyRule({ cases, registry, onDifference }: InsolvencyParts): InsolvencyRule {
  return {
    get noCourt(): NoCourt | undefined {
      return cases.currency === undefined ? { kind: "no-court", problem: "not-loaded" } : undefined;
    },
    of(company, openData) {
      const court = courtAnswer(cases, registry, company);
      if (court === "doubt") return openData?.type === "none" ? undefined : openData;
      if (court !== undefined && openData !== undefined && court.type !== openData.type) onDifference?.();
      return court ?? openData;
    },
  };
}

/** Why there is no court's register to answer from; undefined if there is. */
export function noCourtOf(rule: InsolvencyRule | undefined): NoCourt | undefined {
  return rule === undefined ? { kind: "no-court", problem: "not-set-up" } : rule.noCourt;
}

/** Curators are people: they are shown in single lookups and batches only. */
export function withoutCurators<T extends { readonly insolvency?: Insolvency }>(company: T): T {
  if (company.insolvency?.curators === undefined) return company;
  const { curators: _, ...insolvency } = company.insolvency;
  return { ...company, insolvency };
}

/** Returns the open case of a company that names its number, if any. @param own its cases, newest first */
export function openCase(own: readonly CourtCase[], legalForm: LegalForm | undefined): CourtCase | undefined {
  return own.find((one) => one.since !== undefined && isOpen(one) && isPossible(one, legalForm));
}

/** Returns the answer of the court's register; `doubt` when a case may be the company's, so that it gets no `none`. */
function courtAnswer(
  cases: CourtCases,
  registry: LookupRegistry,
  company: Subject,
): Insolvency | "doubt" | undefined {
  const { currency } = cases;
  const kvkNumber = parseKvkNumber(company.kvkNumber);
  if (currency === undefined || kvkNumber === undefined) return undefined;
  const seen = { observedAt: new Date(currency.observedAtMs).toISOString(), source: COURT_ORIGIN };
  const own = cases.casesOf(kvkNumber);
  const open = openCase(own, company.legalForm);
  if (open !== undefined) return { type: open.type, ...seen, ...detailsOf(open), ...curatorsOf(open) };
  if (cases.uncertain.has(kvkNumber) || own.some(isOpen)) return "doubt";
  const unplaced = caseByName(cases, registry.current, company);
  if (unplaced !== undefined) {
    const details = { ...detailsOf(unplaced), ...curatorsOf(unplaced), matchedBy: "name" as const };
    return { type: unplaced.type, ...seen, ...details };
  }
  if (mayHaveUnplacedCase(cases, company)) return "doubt";
  if (!currency.isCurrent || !isLegalPerson(company.legalForm)) return undefined;
  const ended = lastEnded(own.filter((one) => one.isLegalPerson));
  return { type: "none", ...seen, ...(ended && detailsOf(ended)) };
}

function isOpen({ endedOn }: CourtCase): boolean {
  return endedOn === undefined;
}

/** Returns the case that ended last, if any has. */
export function lastEnded(own: readonly CourtCase[]): CourtCase | undefined {
  return own.reduce<CourtCase | undefined>((last, one) => (isLater(one, last) ? one : last), undefined);
}

function isLater({ endedOn = "" }: CourtCase, last: CourtCase | undefined): boolean {
  return endedOn > (last?.endedOn ?? "");
}

function detailsOf({ since, endedOn, court, caseNumber }: CourtCase) {
  return { ...known("since", since), ...known("endedOn", endedOn), court, caseNumber };
}

function curatorsOf({ curators }: CourtCase): Pick<Insolvency, "curators"> {
  return curators.length === 0 ? {} : { curators: [...curators] };
}
