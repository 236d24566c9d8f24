/** The part of a company's facts that monitors compare. */
import { hideShielded } from "../company/address.ts";
import type { CompanyFacts, FactsAddress } from "../company/facts.ts";
import { cleanFacts } from "../company/merge.ts";
import type { Branch } from "../contract/resources.ts";
import { known } from "../lib/values.ts";
import type { WatchedFields } from "./types.ts";

/** The version of what {@link watchedFields} returns. Raise it when the same facts yield different values, which must not be compared. */
export const FIELDS_FORMAT = 1;
/** The maximum number of compared branches of a company. */
export const MAX_BRANCHES = 300;

/**
 * The watched fields of facts as they are today (see `asOfToday`). An inactive company has no branches here:
 * their end is not a further change.
 */
export function watchedFields(facts: CompanyFacts): WatchedFields {
  const { address, branches, isActive, ...others } = cleanFacts(facts);
  const { name, statutoryName, tradingNames, legalForm, deregistrationDate, branchCount } = others;
  return {
    name,
    ...known("statutoryName", statutoryName),
    ...known("tradingNames", tradingNames),
    ...known("address", address && watchedAddress(address)),
    ...known("legalForm", legalForm),
    ...known("activities", others.activities),
    ...(isActive && known("branchCount", branchCount)),
    ...(isActive && known("branches", branches && watchedBranches(branches))),
    isActive,
    ...known("deregistrationDate", deregistrationDate),
  };
}

function watchedAddress(address: FactsAddress): WatchedFields["address"] {
  const { kind: _, ...shown } = address;
  return Object.keys(shown).length === 0 ? undefined : shown;
}

/** Sorted by number, so that a long list is always cut at the same branch. */
function watchedBranches(branches: readonly Branch[]): WatchedFields["branches"] {
  return branches
    .filter((branch) => branch.isActive)
    .map(({ branchNumber, name, address }) => ({
      branchNumber,
      ...known("name", name),
      ...known("city", address?.city),
    }))
    .sort((a, b) => (a.branchNumber < b.branchNumber ? -1 : 1))
    .slice(0, MAX_BRANCHES);
}

/** The fields without the hidden parts of a shielded address; the same object if there is nothing to hide. */
export function withoutHiddenParts(fields: WatchedFields): WatchedFields {
  const { address } = fields;
  if (address === undefined || address.isShielded === true) return fields;
  const { isShielded: _, ...shown } = hideShielded({ ...address, isShielded: true });
  return Object.keys(shown).length === Object.keys(address).length ? fields : { ...fields, address: shown };
}
