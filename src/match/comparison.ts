import type { KvkNumber } from "../contract/numbers.ts";
import type { NameCandidate } from "./candidates.ts";
import type { Evidence } from "./evidence.ts";
import { type NameComparison, nameEvidence } from "./nameEvidence.ts";
import { type NameParts, nameParts, withoutNumbers } from "./nameParts.ts";
import { placeEvidence } from "./placeEvidence.ts";
import type { PreparedQuery } from "./preparedQuery.ts";

/** A name of a company that is compared with a query. */
export interface ComparedName extends NameCandidate {
  readonly parts: NameParts;
  readonly evidence: Evidence;
  /** Undefined without a name. */
  readonly name: NameComparison | undefined;
}

/** A company that may be meant, with its name that fits best. */
export interface Compared extends ComparedName {
  readonly kvkNumber: KvkNumber;
  /** The logarithm of the odds that it is meant; see scoring.ts. */
  readonly odds: number;
  /** Whether a number of the query is not this company's, which has another one. */
  readonly isOtherNumber?: boolean;
  /** Whether the name was read in a way that leaves out what may be a part of it. */
  readonly isDoubtful?: boolean;
  /** The query, its name read as it fits best; absent if as it stands. */
  readonly readAs?: PreparedQuery;
}

/**
 * Compares a query with a name by all that the index knows: words, city, postal code and status.
 * @param names the number of names in the registry
 */
export function compareName(query: PreparedQuery, candidate: NameCandidate, names: number): ComparedName {
  const { index, rank, text } = candidate;
  const { records } = index;
  const registeredParts = nameParts(text);
  const parts = query.reading.isWithoutNumbers ? withoutNumbers(registeredParts) : registeredParts;
  const evidence: Evidence = {
    any: 1,
    ...placeEvidence(query, candidate),
    ...(!records.isActive(rank) && { inactive: 1 }),
    ...(text !== records.text(index.mainRank(rank)) && { otherName: 1 }),
  };
  if (query.name === undefined) {
    return { ...candidate, parts, evidence: { ...evidence, noName: 1 }, name: undefined };
  }
  const registered = {
    parts,
    legalForm: records.legalForm(rank),
    city: records.cities.text(rank) ?? "",
    registryNames: names,
  };
  const ofName = nameEvidence(query.name, registered, query);
  return { ...candidate, parts, evidence: { ...evidence, ...ofName.evidence }, name: ofName.compared };
}
