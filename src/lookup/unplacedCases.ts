/** Cases of the court's register without a KVK number, and the companies that may be meant. */
import { isLegalPerson } from "../contract/legalForms.ts";
import { kvkNumberOf } from "../contract/numbers.ts";
import type { CaseAddress, CourtCase, CourtCases } from "../insolvency/types.ts";
import { namesWithKeys } from "../search/exactNames.ts";
import { postalCodeWord } from "../search/facets.ts";
import { exactKeys } from "../search/legalFormWords.ts";
import { normalise, withoutSpaces } from "../search/normalise.ts";
import type { LookupRegistry } from "./companies.ts";
import type { Subject } from "./companyInsolvency.ts";

/** More namesakes at one postal code are not compared: then nobody is meant for certain. */
const MAX_COMPARED = 100;

/** Whether an open case without a number has one of the company's names, so that it may be the company's. */
export function hasUnplacedName(
  { unplacedNames }: Pick<CourtCases, "unplacedNames">,
  { name, statutoryName = "", tradingNames = [] }: Subject,
): boolean {
  if (unplacedNames.size === 0) return false;
  return [name, statutoryName, ...tradingNames].some((one) => unplacedNames.has(normalise(one)));
}

/**
 * Returns the newest open case without a number that has the company's registered or statutory name and its address,
 * if no other company of the registry has both. A shielded address is not compared.
 */
export function caseByName(
  cases: CourtCases,
  snapshot: LookupRegistry["current"],
  company: Subject,
): CourtCase | undefined {
  const { name, statutoryName = name, legalForm } = company;
  if (snapshot?.isFindable !== true || cases.unplacedNames.size === 0) return undefined;
  for (const key of new Set([name, statutoryName].map(normalise))) {
    for (const one of cases.unplaced(key)) {
      const isPossible = one.isLegalPerson ? legalForm !== "EMZ" : !isLegalPerson(legalForm);
      if (!isPossible || one.since === undefined || one.endedOn !== undefined) continue;
      const address = one.addresses.find((place) => isAt(company.address, place));
      if (address !== undefined && isAlone(snapshot, key, address, company.kvkNumber)) return one;
    }
  }
  return undefined;
}

/** Whether one company alone has a name, in search form, at an address. */
function isAlone(
  snapshot: NonNullable<LookupRegistry["current"]>,
  nameKey: string,
  address: CaseAddress,
  kvkNumber: string,
): boolean {
  const holders = new Set<string>();
  let compared = 0;
  for (const index of snapshot.indexes) {
    const atPostalCode = index.postalCodeTerm(postalCodeWord(address.postalCode) ?? "");
    for (const [rank] of namesWithKeys(index, exactKeys(nameKey))) {
      if (!atPostalCode.matches(rank)) continue;
      if (++compared > MAX_COMPARED) return false;
      const facts = snapshot.facts(kvkNumberOf(index.records.kvk(rank)))?.facts;
      if (facts === undefined || !isAt(facts.address, address)) continue;
      if (hasUnplacedName({ unplacedNames: new Set([nameKey]) }, facts)) holders.add(facts.kvkNumber);
    }
  }
  return holders.size === 1 && holders.has(kvkNumber);
}

/** Whether postal code and house number agree, with its letter and addition. */
function isAt(own: Subject["address"], { postalCode, houseNumber }: CaseAddress): boolean {
  if (own?.postalCode === undefined || own.houseNumber === undefined || own.isShielded === true) return false;
  return sameText(own.postalCode, postalCode) && sameText(own.houseNumber, houseNumber);
}

function sameText(one: string, other: string): boolean {
  return withoutSpaces(one).toUpperCase() === withoutSpaces(other).toUpperCase();
}
