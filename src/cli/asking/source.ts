import type { Address, AutocompleteItem, Branch, SearchItem } from "../../contract/resources.ts";
import type { Total } from "../../contract/totals.ts";
import type { SearchCriteria } from "../../search/criteria.ts";

/** The fields of a company that are shown by name; a lookup or a batch may have more. */
export interface SomeCompany {
  readonly kvkNumber: string;
  readonly name: string;
  readonly address: Address;
  readonly isActive: boolean;
  readonly legalForm?: string;
  readonly vat?: { readonly number: string };
  readonly source?: { readonly kvk: string; readonly cachedAt: string };
}

export interface BranchList {
  readonly kvkNumber: string;
  readonly name: string;
  readonly branches: readonly Branch[];
}

export interface SearchPage extends Total {
  readonly results: readonly SearchItem[];
}

export interface FailedNumber {
  readonly kvkNumber: string;
  readonly error: { readonly code: string; readonly message: string };
}

export interface BatchResult {
  readonly results: readonly SomeCompany[];
  readonly failed: readonly FailedNumber[];
  readonly tokensUsed: number;
}

/** The part of the client of a service that a snapshot can serve too. */
export interface Source {
  lookup(kvkNumber: string, options: { readonly enrich: boolean }): Promise<SomeCompany>;
  branches(kvkNumber: string): Promise<BranchList>;
  search(criteria: SearchCriteria): AsyncIterator<SearchPage, void, undefined>;
  autocomplete(
    typed: string,
    options: { readonly limit: number },
  ): Promise<{ readonly results: readonly AutocompleteItem[] }>;
  batch(
    numbers: readonly string[],
    options: {
      readonly enrich: boolean;
      readonly onProgress: (progress: { readonly done: number }) => void;
    },
  ): Promise<BatchResult>;
}
