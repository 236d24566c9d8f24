import type { CallStore } from "./budget/callStore.ts";

/** A stored answer of a live source about a company. */
export interface StoredCompany {
  /** CompanyFacts without branches, as JSON; null when the source does not know the company. */
  readonly facts: string | null;
  /** When the source answered, Unix milliseconds. */
  readonly answeredAtMs: number;
  /** The branches as JSON; null when they were not requested. Newer facts leave them as they are. */
  readonly branches: string | null;
  /** Null if `branches` is. */
  readonly branchesAtMs: number | null;
}

export interface NumberedCompany extends StoredCompany {
  readonly kvkNumber: string;
}

/** A page of a search, as JSON. */
export interface StoredSearch {
  readonly page: string;
  /** Unix milliseconds */
  readonly foundAtMs: number;
}

/** Data to delete: from before these moments (Unix milliseconds) or this day, at most `maxRows` of each kind. */
export interface RetentionCutoffs {
  readonly companiesBeforeMs: number;
  readonly searchesBeforeMs: number;
  /** YYYY-MM-DD */
  readonly beforeDay: string;
  readonly maxRows: number;
}

/** The state store of a live source. Days are YYYY-MM-DD. */
export interface LiveStore extends CallStore {
  /** The stored answers in the order of the numbers; null where there is none. */
  findCompanies(kvkNumbers: readonly string[]): Promise<readonly (StoredCompany | null)[]>;
  /**
   * Stores an answer, durable before the promise is fulfilled. An answer older than the stored one changes nothing. Facts of null
   * delete the branches. Suppressed companies are not stored.
   */
  storeCompany(kvkNumber: string, facts: string | null, answeredAtMs: number): Promise<void>;
  /** Adds branches, and the facts as updated by them, to the answer of `answeredAtMs`, if that is still stored. */
  storeBranches(
    kvkNumber: string,
    answeredAtMs: number,
    answer: { readonly facts: string; readonly branches: string; readonly branchesAtMs: number },
  ): Promise<void>;
  /** The numbers that were renewed most often, which are those that are requested most. */
  mostRenewed(limit: number): Promise<readonly string[]>;
  /** The answers from `sinceMs` on, in the order of their numbers, starting after `after`. */
  answeredSince(sinceMs: number, after: string, limit: number): Promise<readonly NumberedCompany[]>;
  findSearch(criteria: string): Promise<StoredSearch | null>;
  storeSearch(criteria: string, search: StoredSearch): Promise<void>;
  clearLive(tooOld: RetentionCutoffs): Promise<void>;
}
