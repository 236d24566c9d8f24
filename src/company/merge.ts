import type { Source } from "../contract/resources.ts";
import { known } from "../lib/values.ts";
import { hideShielded } from "./address.ts";
import { isRegistrationDay } from "./dates.ts";
import { asOfToday } from "./ending.ts";
import type { CompanyFacts, FactsAddress, FactsBranch, SourcedFacts } from "./facts.ts";

/** One company from the facts of its origins, and the origin named as its source. */
export interface MergedCompany {
  readonly facts: CompanyFacts;
  readonly source: Source;
}

/**
 * Merges the facts of one or more origins into one company. The freshest value of each field wins; a field that the
 * fresher origin does not have comes from the other. The address is one field, never mixed: shielding by any origin
 * wins, then a visiting address over a correspondence address, then the fresher. The date of deregistration comes from
 * an origin that agrees on whether the company is active. `source` is the source of the address, or without one of the
 * name. Facts of a fund count only where there are no others: its number may belong to the company that manages it. The
 * order of `sourced` matters only between facts of one origin and date, of which the last count.
 * @throws {RangeError} when there are no facts, or facts of two companies
 */
export function mergeFacts(sourced: readonly SourcedFacts[]): MergedCompany {
  const newest = newestOfEachOrigin(sourced, (one) => ({
    origin: one.origin,
    asOfMs: Date.parse(one.asOf),
    isFund: one.isFund === true,
  }));
  const companies = newest.filter(({ isFund }) => isFund !== true);
  const freshestFirst = (companies.length === 0 ? newest : companies)
    .map((one) => ({ ...one, asOfMs: Date.parse(one.asOf), facts: cleanFacts(one.facts) }))
    .sort(byFreshness);
  const [first] = freshestFirst;
  if (first === undefined) throw new RangeError("a company needs the facts of at least one origin");
  if (freshestFirst.some(({ facts }) => facts.kvkNumber !== first.facts.kvkNumber)) {
    throw new RangeError("facts of two companies cannot be merged");
  }
  const agreeing = freshestFirst.filter(({ facts }) => facts.isActive === first.facts.isActive);
  const end = agreeing.find(({ facts }) => facts.deregistrationDate !== undefined);
  const [addressed] = freshestFirst
    .filter(({ facts }) => facts.address !== undefined)
    .sort((a, b) => weightOf(b.facts.address) - weightOf(a.facts.address));
  let merged = first.facts;
  for (const older of freshestFirst) merged = { ...older.facts, ...merged };
  const { deregistrationDate: _, ...facts } = merged;
  const { origin, asOf } = addressed ?? first;
  return {
    facts: asOfToday(
      cleanFacts({
        ...facts,
        ...known("address", addressed?.facts.address),
        ...known("deregistrationDate", end?.facts.deregistrationDate),
      }),
    ),
    source: { kvk: origin, cachedAt: asOf },
  };
}

/** The freshest first. On one date the last origin in alphabetical order goes first: kvk-api, import:…, gleif, demo. */
export function byFreshness<Facts extends Dated>(a: Facts, b: Facts): number {
  return b.asOfMs - a.asOfMs || (a.origin < b.origin ? 1 : -1);
}

function weightOf(address: FactsAddress | undefined): number {
  return (address?.isShielded === true ? 2 : 0) + (address?.kind === "visiting" ? 1 : 0);
}

/**
 * The facts as they may be stored and shown: the date of registration is possible, a shielded address has only city and
 * country, the company and its main branch are shielded together, a branch's address has no country, and the main
 * branch comes first.
 */
export function cleanFacts(given: CompanyFacts): CompanyFacts {
  const facts = withPossibleDates(given);
  const { address, branches } = facts;
  if (address?.isShielded !== true && branches === undefined) return facts;
  const isShielded =
    address?.isShielded === true ||
    branches?.some((branch) => branch.isMain && branch.address?.isShielded === true) === true;
  const cleanAddress =
    address && isShielded ? { ...hideShielded({ ...address, isShielded }), kind: address.kind } : address;
  return {
    ...facts,
    ...known("address", cleanAddress),
    ...known("branches", branches && cleanBranches(branches, isShielded)),
  };
}

function withPossibleDates(facts: CompanyFacts): CompanyFacts {
  const { registrationDate, ...others } = facts;
  return registrationDate === undefined || isRegistrationDay(registrationDate) ? facts : others;
}

function cleanBranches(branches: readonly FactsBranch[], isMainShielded: boolean): readonly FactsBranch[] {
  const cleaned = branches.map((branch): FactsBranch => {
    const { address, ...rest } = branch;
    if (address === undefined) return branch;
    const isShielded = address.isShielded === true || (isMainShielded && branch.isMain);
    const { country: _, ...shown } = isShielded ? hideShielded({ ...address, isShielded }) : address;
    return { ...rest, ...(Object.keys(shown).length > 0 && { address: shown }) };
  });
  return cleaned.sort((a, b) => Number(b.isMain) - Number(a.isMain));
}

type Dated = { readonly origin: string; readonly asOfMs: number };

/** Decides which of several records of one company counts. */
interface Precedence {
  readonly origin: string | number;
  readonly asOfMs: number;
  /** The record of a fund. */
  readonly isFund: boolean;
}

/**
 * The record that counts for each origin, whole: the newest, of one date the last in the list. The record of a fund
 * counts only where the origin has no other.
 */
export function newestOfEachOrigin<Record>(
  records: readonly Record[],
  precedenceOf: (record: Record) => Precedence,
): Record[] {
  const bestLast = records
    .map((record) => ({ record, ...precedenceOf(record) }))
    .sort((a, b) => Number(b.isFund) - Number(a.isFund) || a.asOfMs - b.asOfMs);
  return [...new Map(bestLast.map(({ origin, record }) => [origin, record])).values()];
}
