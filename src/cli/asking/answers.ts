import type { Address, AutocompleteItem, Branch, SearchItem } from "../../contract/resources.ts";
import type { Total } from "../../contract/totals.ts";
import type { SearchCriteria } from "../../search/criteria.ts";

/** A company as a lookup or a batch gives it: what is shown of it by name, and more. */
export interface SomeCompany {
  readonly kvkNumber: string;
  readonly name: string;
  readonly address: Address;
  readonly isActive: boolean;
  readonly legalForm?: string;
  readonly vat?: { readonly number: string };
  readonly source?: { readonly kvk: string; readonly cachedAt: string };
}

export interface BranchesOf {
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

export interface BatchAnswers {
  readonly results: readonly SomeCompany[];
  readonly failed: readonly FailedNumber[];
  readonly tokensUsed: number;
  /** Why it ended before its end, and what was not asked; what was, was paid and is told. */
  readonly stopped?: { readonly reason: string; readonly remaining: readonly string[] };
}

/** Whoever answers for companies. What cannot be answered is thrown as what to do about it. */
export interface Answers {
  lookup(kvkNumber: string, enrich: boolean): Promise<SomeCompany>;
  branches(kvkNumber: string): Promise<BranchesOf>;
  search(criteria: SearchCriteria): Promise<SearchPage>;
  autocomplete(typed: string, limit: number): Promise<readonly AutocompleteItem[]>;
  /** Each number is asked once. @param onProgress told how many are answered */
  batch(
    numbers: readonly string[],
    enrich: boolean,
    onProgress: (done: number) => void,
  ): Promise<BatchAnswers>;
}
