/** The answers about one company, made from its facts. */
import { euidOf, type KvkNumber } from "../contract/numbers.ts";
import type { BasicCompany, Branch, Company, Source } from "../contract/resources.ts";
import { known } from "../lib/values.ts";
import { describedActivity } from "./activities.ts";
import type { CompanyFacts } from "./facts.ts";
import { shownBranch } from "./geo.ts";
import type { MergedCompany } from "./merge.ts";

/** An enriched company, with its VAT number where the registry has one. */
export interface EnrichedFound {
  readonly company: Company;
  readonly vatNumber?: string;
}

/** A company with its branches; undefined when no origin has them. */
export interface BranchesFound {
  readonly kvkNumber: KvkNumber;
  readonly name: string;
  readonly branches: Branch[] | undefined;
  /** The origin of the company. */
  readonly origin: string;
}

/** The answer for each kind of lookup. */
export interface ViewResults {
  readonly basic: BasicCompany;
  readonly enriched: EnrichedFound;
  readonly branches: BranchesFound;
}
export type ViewName = keyof ViewResults;

/** A store of whole answers, such as a snapshot. Undefined for a company that it does not have. */
export type ViewSource = {
  readonly [N in ViewName]: (kvkNumber: KvkNumber) => ViewResults[N] | undefined;
};

interface View<Found> {
  /** Whether the origin has the requested part; if not, another origin supplies it. */
  isWhole(found: Found): boolean;
  ofFacts(merged: MergedCompany): Found;
  /** The answer about a company that has ended since. */
  asEnded(found: Found): Found;
}

export const VIEWS: { readonly [N in ViewName]: View<ViewResults[N]> } = {
  basic: {
    isWhole: () => true,
    ofFacts: ({ facts, source }) => basicCompany(facts, source),
    asEnded: (found) => ({ ...found, isActive: false }),
  },
  enriched: {
    isWhole: ({ company }) => company.activities !== undefined,
    ofFacts: ({ facts: { branches: _, vatNumber, ...facts }, source }) => ({
      company: enrichedCompany(facts, basicCompany(facts, source)),
      ...known("vatNumber", vatNumber),
    }),
    asEnded: (found) => ({ ...found, company: { ...found.company, isActive: false } }),
  },
  branches: {
    isWhole: ({ branches }) => branches !== undefined,
    ofFacts: ({ facts: { kvkNumber, name, branches }, source }) => ({
      kvkNumber,
      name,
      origin: source.kvk,
      branches: branches?.map(shownBranch),
    }),
    asEnded: ({ branches, ...found }) => ({
      ...found,
      branches: branches?.map((branch) => ({ ...branch, isActive: false })),
    }),
  },
};

function basicCompany(facts: CompanyFacts, source: Source): BasicCompany {
  const { kvkNumber, name, isActive, registrationDate } = facts;
  const { kind: _kind, geo: _geo, ...address } = facts.address ?? {};
  return { kvkNumber, name, address, isActive, source, ...known("registrationDate", registrationDate) };
}

/** An enriched company: a basic one with the other facts. */
export function enrichedCompany(
  facts: Omit<CompanyFacts, "branches" | "vatNumber">,
  basic: BasicCompany,
): Company {
  const { tradingNames, websites, activities, identifiers, ...rest } = facts;
  return {
    ...rest,
    ...basic,
    ...facts.address?.geo,
    identifiers: { euid: euidOf(facts.kvkNumber), ...identifiers, ...known("rsin", facts.rsin) },
    ...known("tradingNames", tradingNames && [...tradingNames]),
    ...known("websites", websites && [...websites]),
    ...known("activities", activities?.map(describedActivity)),
  };
}
