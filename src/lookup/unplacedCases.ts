/** Cases of the court's register without a KVK number, and the companies that may be meant. */
import type { CompanyFacts } from "../company/facts.ts";
import { kvkNumberOf } from "../contract/numbers.ts";
import type { Address } from "../contract/resources.ts";
import { isPossible } from "../insolvency/rules.ts";
import type { CaseAddress, CourtCase, CourtCases } from "../insolvency/types.ts";
import { namesWithKeys } from "../search/exactNames.ts";
import { postalCodeWord } from "../search/facets.ts";
import { exactKey, exactKeys } from "../search/legalFormWords.ts";
import { normalise, withoutSpaces } from "../search/normalise.ts";
import type { LookupRegistry } from "./companies.ts";

/** The parts of a company that the rule of its insolvency reads. */
export interface Subject extends Pick<CompanyFacts, "name" | "statutoryName" | "tradingNames" | "legalForm"> {
  readonly kvkNumber: string;
  readonly address?: Address;
}

/** More namesakes at one postal code are not compared: then nobody is meant for certain. */
const MAX_COMPARED = 100;

/** Cases by the exact keys of their names; one map for each version of the replica. */
const mapsByKey = new WeakMap<readonly CourtCase[], ReadonlyMap<string, readonly CourtCase[]>>();

/** Open cases without a number by the exact keys of their names, which ignore legal forms. */
export function unplacedByKey({ unplaced }: Pick<CourtCases, "unplaced">) {
  const known = mapsByKey.get(unplaced);
  if (known !== undefined) return known;
  const byKey = new Map<string, CourtCase[]>();
  for (const one of unplaced) {
    for (const key of new Set(one.names.flatMap(keysOf))) {
      const same = byKey.get(key);
      if (same === undefined) byKey.set(key, [one]);
      else same.push(one);
    }
  }
  mapsByKey.set(unplaced, byKey);
  return byKey;
}

/**
 * Whether an open case without a number may be the company's: it has one of its names, except for the legal form, which
 * is often left out.
 */
export function mayHaveUnplacedCase(cases: Pick<CourtCases, "unplaced">, company: Subject): boolean {
  const byKey = unplacedByKey(cases);
  return byKey.size > 0 && namesOf(company).some((name) => keysOf(name).some((key) => byKey.has(key)));
}

/**
 * Returns the newest open case without a number that has the company's whole registered or statutory name and its
 * address, if no other company of the registry has both. A shielded address is not compared.
 */
export function caseByName(
  cases: Pick<CourtCases, "unplaced">,
  snapshot: LookupRegistry["current"],
  company: Subject,
): CourtCase | undefined {
  if (snapshot?.isFindable !== true || cases.unplaced.length === 0) return undefined;
  const { name, statutoryName = name, legalForm } = company;
  for (const normal of new Set([name, statutoryName].map(normalise))) {
    for (const one of unplacedByKey(cases).get(exactKey(normal)) ?? []) {
      if (!isPossible(one, legalForm) || one.since === undefined || !hasName(one.names, normal)) continue;
      const address = one.addresses.find((place) => isAt(company.address, place));
      if (address !== undefined && isAlone(snapshot, normal, address, company.kvkNumber)) return one;
    }
  }
  return undefined;
}

/** Whether one company alone has a normalised name at an address. */
function isAlone(
  snapshot: NonNullable<LookupRegistry["current"]>,
  normal: string,
  address: CaseAddress,
  kvkNumber: string,
): boolean {
  const holders = new Set<string>();
  let compared = 0;
  for (const index of snapshot.indexes) {
    const atPostalCode = index.postalCodeTerm(postalCodeWord(address.postalCode) ?? "");
    for (const [rank] of namesWithKeys(index, exactKeys(normal))) {
      if (!atPostalCode.matches(rank)) continue;
      if (++compared > MAX_COMPARED) return false;
      const facts = snapshot.facts(kvkNumberOf(index.records.kvk(rank)))?.facts;
      if (facts === undefined || !isAt(facts.address, address)) continue;
      if (hasName(namesOf(facts), normal)) holders.add(facts.kvkNumber);
    }
  }
  return holders.size === 1 && holders.has(kvkNumber);
}

function namesOf({ name, statutoryName = name, tradingNames = [] }: Subject): readonly string[] {
  return [name, statutoryName, ...tradingNames];
}

function hasName(names: readonly string[], normal: string): boolean {
  return names.some((name) => normalise(name) === normal);
}

function keysOf(name: string): readonly string[] {
  return exactKeys(normalise(name));
}

/** Whether postal code and house number agree, with its letter and addition. */
function isAt(own: Subject["address"], { postalCode, houseNumber }: CaseAddress): boolean {
  if (own?.postalCode === undefined || own.houseNumber === undefined || own.isShielded === true) return false;
  return sameText(own.postalCode, postalCode) && sameText(own.houseNumber, houseNumber);
}

function sameText(one: string, other: string): boolean {
  return withoutSpaces(one).toUpperCase() === withoutSpaces(other).toUpperCase();
}
