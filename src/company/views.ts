import type { KvkNumber } from "../contract/numbers.ts";
import type { BasicCompany, Branch, Company } from "../contract/resources.ts";
import { basicCompany, enrichedCompany } from "./company.ts";
import type { MergedCompany } from "./merge.ts";

/** An enriched company, with its VAT number where the registry holds one. */
export interface EnrichedFound {
  readonly company: Company;
  readonly vatNumber?: string;
}

/** A company with its branches; undefined when nobody told them. */
export interface BranchesFound {
  readonly kvkNumber: KvkNumber;
  readonly name: string;
  readonly branches: Branch[] | undefined;
  /** Which origin told of the company. */
  readonly origin: string;
}

/** What can be asked of a company. */
export interface ByNeed {
  readonly basic: BasicCompany;
  readonly enriched: EnrichedFound;
  readonly branches: BranchesFound;
}
export type Need = keyof ByNeed;

/** Where whole answers are read from: a snapshot. Undefined for a company that it does not hold. */
export interface HoldsViews {
  basic(kvkNumber: KvkNumber): BasicCompany | undefined;
  enriched(kvkNumber: KvkNumber): EnrichedFound | undefined;
  /** The branches, the main one first; `branches` is undefined when the origin does not hold them. */
  branches(kvkNumber: KvkNumber): BranchesFound | undefined;
}

/** How one kind of answer is made. */
interface View<Found> {
  /** Undefined when the snapshot does not hold the company. */
  ofSnapshot(snapshot: HoldsViews, kvkNumber: KvkNumber): Found | undefined;
  /** The date of what was found in the snapshot, ISO 8601 UTC. */
  dateOf(found: Found, snapshot: HoldsViews, kvkNumber: KvkNumber): string | undefined;
  /** Whether its origin holds the part that is wanted; else another one is asked for it. */
  isWhole(found: Found): boolean;
  ofFacts(merged: MergedCompany): Found;
}

export const VIEWS: { readonly [N in Need]: View<ByNeed[N]> } = {
  basic: {
    ofSnapshot: (snapshot, kvkNumber) => snapshot.basic(kvkNumber),
    dateOf: ({ source }) => source?.cachedAt,
    isWhole: () => true,
    ofFacts: ({ facts, source }) => basicCompany(facts, source),
  },
  enriched: {
    ofSnapshot: (snapshot, kvkNumber) => snapshot.enriched(kvkNumber),
    dateOf: ({ company }) => company.source?.cachedAt,
    isWhole: ({ company }) => company.activities !== undefined,
    ofFacts: ({ facts, source }) => {
      const { branches: _branches, vatNumber, ...shown } = facts;
      const company = enrichedCompany(shown, basicCompany(facts, source));
      return vatNumber === undefined ? { company } : { company, vatNumber };
    },
  },
  branches: {
    ofSnapshot: (snapshot, kvkNumber) => snapshot.branches(kvkNumber),
    dateOf: (_found, snapshot, kvkNumber) => snapshot.basic(kvkNumber)?.source?.cachedAt,
    isWhole: ({ branches }) => branches !== undefined,
    ofFacts: ({ facts: { kvkNumber, name, branches }, source }) => ({
      kvkNumber,
      name,
      origin: source.kvk,
      branches: branches === undefined ? undefined : [...branches],
    }),
  },
};
