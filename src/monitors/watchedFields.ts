/** The part of a company's facts that monitors compare. */
import { hideShielded } from "../company/address.ts";
import type { CompanyFacts, FactsAddress, FactsBranch } from "../company/facts.ts";
import { cleanFacts } from "../company/merge.ts";
import { known } from "../lib/values.ts";
import { FIELDS, type Field, MAX_BRANCHES } from "./differences.ts";
import type { WatchedFields } from "./types.ts";

/**
 * The version of what {@link watchedFields} returns. Raise it when the same facts yield different values, which must
 * not be compared.
 */
export const FIELDS_FORMAT = 1;
/** The compared facts that are watched as they are. */
const AS_THEY_ARE = FIELDS.filter((field) => !["address", "branchCount", "branches"].includes(field));

/**
 * The watched fields of facts as they are today (see `asOfToday`). An inactive company has no branches here:
 * their end is not a further change.
 */
export function watchedFields(given: CompanyFacts): WatchedFields {
  const facts = cleanFacts(given);
  const { address, branches, branchCount, isActive, deregistrationDate } = facts;
  const fields = {
    ...known("address", address && watchedAddress(address)),
    ...(isActive && known("branchCount", branchCount)),
    ...(isActive && known("branches", branches && watchedBranches(branches))),
    isActive,
    ...known("deregistrationDate", deregistrationDate),
  };
  const compared: Partial<Record<Field, unknown>> = fields;
  const stated: Partial<Record<Field, unknown>> = facts;
  for (const field of AS_THEY_ARE) {
    if (stated[field] !== undefined) compared[field] = stated[field];
  }
  return fields;
}

function watchedAddress(address: FactsAddress): WatchedFields["address"] {
  const { kind: _kind, geo: _geo, ...shown } = address;
  return Object.keys(shown).length === 0 ? undefined : shown;
}

/** Sorted by number, so that a long list is always cut at the same branch. */
function watchedBranches(branches: readonly FactsBranch[]): WatchedFields["branches"] {
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
