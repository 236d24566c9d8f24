import type { AutocompleteAnswer, BatchOf, BranchList, SearchAnswer } from "../../../client/src/index.ts";
import type { Address } from "../../contract/resources.ts";
import type { SearchCriteria } from "../../search/criteria.ts";

/** The fields of a company that are shown by name; a lookup or batch may have more. */
export interface CompanySummary {
  readonly kvkNumber: string;
  readonly name: string;
  readonly address: Address;
  readonly isActive: boolean;
  readonly legalForm?: string;
  readonly vat?: { readonly number: string };
  readonly source?: { readonly kvk: string; readonly cachedAt: string };
}

interface BatchOptions {
  readonly enrich: boolean;
  readonly onProgress: (progress: { readonly done: number }) => void;
}

/** The part of a service's client that a snapshot supports too. */
export interface CommandSource {
  lookup(kvkNumber: string, options: { readonly enrich: boolean }): Promise<CompanySummary>;
  branches(kvkNumber: string): Promise<BranchList>;
  search(criteria: SearchCriteria): AsyncIterator<Omit<SearchAnswer, "page" | "pageSize">, void, undefined>;
  autocomplete(typed: string, options: { readonly limit: number }): Promise<AutocompleteAnswer>;
  batch(numbers: readonly string[], options: BatchOptions): Promise<BatchOf<CompanySummary>>;
}
