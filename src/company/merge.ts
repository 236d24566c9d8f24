import type { Address, Branch, Source } from "../contract/resources.ts";
import { present } from "../lib/values.ts";
import { hideShielded } from "./address.ts";
import { asOfToday } from "./ending.ts";
import type { CompanyFacts, FactsAddress, SourcedFacts } from "./facts.ts";

/** One company out of what its origins say, and the origin that speaks for it. */
export interface MergedCompany {
  readonly facts: CompanyFacts;
  readonly source: Source;
}

/**
 * One company out of the facts of one or more origins. Of each field the freshest value counts, and a field that
 * the fresher origin does not hold is kept from the other. The address is one field, never mixed: shielding by any
 * origin wins, then a visiting address over a correspondence address, then the fresher. A date of deregistration
 * goes with the word of whoever says that the company ended. `source` is that of the address, else of the name.
 * Facts of a fund count only where there are no others: its number may be that of the company that manages it.
 * The order of `sourced` matters only between facts of one origin and date, of which the last count.
 * @throws {RangeError} when there are no facts, or facts of two companies
 */
export function mergeFacts(sourced: readonly SourcedFacts[]): MergedCompany {
  const newest = newestOfEachOrigin(sourced, (one) => ({
    origin: one.origin,
    asOfMs: Date.parse(one.asOf),
    isFund: one.isFund === true,
  }));
  const companies = newest.filter(({ isFund }) => isFund !== true);
  const fresh = freshestFirst(companies.length === 0 ? newest : companies).map((one) => ({
    ...one,
    facts: cleanFacts(one.facts),
  }));
  const [first] = fresh;
  if (first === undefined) throw new RangeError("a company needs the facts of one origin at least");
  if (fresh.some(({ facts }) => facts.kvkNumber !== first.facts.kvkNumber)) {
    throw new RangeError("facts of two companies cannot be merged");
  }
  const address = chooseAddress(fresh);
  const { isActive } = first.facts;
  const agreeing = fresh.filter(({ facts }) => facts.isActive === isActive);
  const { origin, asOf } = address?.from ?? first;
  return {
    facts: asOfToday(
      cleanFacts(
        present<CompanyFacts>({
          kvkNumber: first.facts.kvkNumber,
          name: first.facts.name,
          isActive,
          address: address?.address,
          tradingNames: freshest(fresh, "tradingNames"),
          legalForm: freshest(fresh, "legalForm"),
          registrationDate: freshest(fresh, "registrationDate"),
          deregistrationDate: freshest(agreeing, "deregistrationDate"),
          statutoryName: freshest(fresh, "statutoryName"),
          rsin: freshest(fresh, "rsin"),
          nonMailing: freshest(fresh, "nonMailing"),
          employees: freshest(fresh, "employees"),
          mainBranchNumber: freshest(fresh, "mainBranchNumber"),
          branchCount: freshest(fresh, "branchCount"),
          websites: freshest(fresh, "websites"),
          activities: freshest(fresh, "activities"),
          branches: freshest(fresh, "branches"),
          vatNumber: freshest(fresh, "vatNumber"),
        }),
      ),
    ),
    source: { kvk: origin, cachedAt: asOf },
  };
}

/**
 * The facts as they may be stored and shown: of a shielded address city and country are all that is left, the company
 * and its main branch are shielded together, a branch's address has no country, and the main branch comes first.
 */
export function cleanFacts(facts: CompanyFacts): CompanyFacts {
  const { address, branches } = facts;
  if (address?.isShielded !== true && (branches === undefined || areClean(branches))) return facts;
  const isShielded = address?.isShielded === true || branches?.some(isShieldedMain) === true;
  return {
    ...facts,
    ...(address === undefined ? {} : { address: cleanAddress(address, isShielded) }),
    ...(branches === undefined ? {} : { branches: cleanBranches(branches, isShielded) }),
  };
}

function isShieldedMain({ isMain, address }: Branch): boolean {
  return isMain && address?.isShielded === true;
}

function cleanAddress(address: FactsAddress, isShielded: boolean): FactsAddress {
  return isShielded ? { ...hideShielded({ ...address, isShielded }), kind: address.kind } : address;
}

/** Whether cleaning would change nothing, which is so in nearly all cases. */
function areClean(branches: readonly Branch[]): boolean {
  return branches.every(
    ({ address, isMain }, nth) =>
      (!isMain || nth === 0 || branches[nth - 1]?.isMain === true) &&
      (address === undefined || isClean(address)),
  );
}

function isClean(address: Address): boolean {
  if (address.isShielded !== undefined || "country" in address) return false;
  for (const _ in address) return true;
  return false;
}

function cleanBranches(branches: readonly Branch[], isMainShielded: boolean): readonly Branch[] {
  const cleaned = branches.map((branch): Branch => {
    const { address, ...rest } = branch;
    if (address === undefined) return branch;
    const isShielded = address.isShielded === true || (isMainShielded && branch.isMain);
    const { country: _country, ...shown } = isShielded ? hideShielded({ ...address, isShielded }) : address;
    return Object.keys(shown).length === 0 ? rest : { ...rest, address: shown };
  });
  return cleaned.sort((a, b) => Number(b.isMain) - Number(a.isMain));
}

/** Decides which of several records of one company count. */
interface Precedence {
  readonly origin: string | number;
  readonly asOfMs: number;
  /** The record of a fund. */
  readonly isFund: boolean;
}

/**
 * The record of each origin that counts, whole: its newest one, of one date the last in the list. The record of a fund counts only where the origin has
 * no other.
 */
export function newestOfEachOrigin<Record>(
  records: readonly Record[],
  precedenceOf: (record: Record) => Precedence,
): Record[] {
  const newest = new Map<string | number, { readonly record: Record; readonly precedence: Precedence }>();
  for (const record of records) {
    const precedence = precedenceOf(record);
    const held = newest.get(precedence.origin)?.precedence;
    const wins =
      held === undefined ||
      (held.isFund === precedence.isFund ? precedence.asOfMs >= held.asOfMs : held.isFund);
    if (wins) newest.set(precedence.origin, { record, precedence });
  }
  return [...newest.values()].map(({ record }) => record);
}

/** On one date the last origin in the order of the alphabet goes first: kvk-api, import:…, gleif, demo. */
function freshestFirst(sourced: readonly SourcedFacts[]): readonly SourcedFacts[] {
  return [...sourced].sort(
    (a, b) => Date.parse(b.asOf) - Date.parse(a.asOf) || compareText(b.origin, a.origin),
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function freshest<Field extends keyof CompanyFacts>(
  fresh: readonly SourcedFacts[],
  field: Field,
): CompanyFacts[Field] | undefined {
  for (const { facts } of fresh) {
    if (facts[field] !== undefined) return facts[field];
  }
  return undefined;
}

function chooseAddress(
  fresh: readonly SourcedFacts[],
): { address: FactsAddress; from: SourcedFacts } | undefined {
  let best: { address: FactsAddress; from: SourcedFacts; weight: number } | undefined;
  for (const from of fresh) {
    const { address } = from.facts;
    if (address === undefined) continue;
    const weight = (address.isShielded === true ? 2 : 0) + (address.kind === "visiting" ? 1 : 0);
    if (best === undefined || weight > best.weight) best = { address, from, weight };
  }
  return best;
}
