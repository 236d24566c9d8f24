import type { CallStore } from "./budget/callStore.ts";

/** What a live source told of a company, as it is kept. */
export interface StoredCompany {
  /** CompanyFacts without branches, as JSON; null: the source knows no such company. */
  readonly facts: string | null;
  /** When the source said so, Unix milliseconds. */
  readonly toldAtMs: number;
  /** The company's branches as JSON; null: they were not asked for. They stay when the company is told anew. */
  readonly branches: string | null;
  /** Null as long as `branches` is. */
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

/** What was told before these moments (Unix milliseconds) or counted before this day, and how much of it to delete at once. */
export interface TooOld {
  readonly companiesBeforeMs: number;
  readonly searchesBeforeMs: number;
  /** YYYY-MM-DD */
  readonly beforeDay: string;
  readonly maxRows: number;
}

/** What a live registry needs of a state store. Days are YYYY-MM-DD. */
export interface LiveStore extends CallStore {
  /** What is held of each number, in their order; null where nothing is. */
  findCompanies(kvkNumbers: readonly string[]): Promise<readonly (StoredCompany | null)[]>;
  /**
   * Keeps what was told of a company, durable before the promise is fulfilled; an older word than is held changes nothing. Facts
   * of null take the branches with them. A number that is forgotten is not kept.
   */
  keepCompany(kvkNumber: string, facts: string | null, toldAtMs: number): Promise<void>;
  /** Adds branches, and the facts as they are with them, to what was told at `toldAtMs`; nothing if that is held no longer. */
  keepBranches(
    kvkNumber: string,
    toldAtMs: number,
    told: { readonly facts: string; readonly branches: string; readonly branchesAtMs: number },
  ): Promise<void>;
  /** The numbers that were told anew most often, so many at most: each time somebody had asked for a company again. */
  maxTold(most: number): Promise<readonly string[]>;
  /** The companies that were told at a moment or after it, in the order of their numbers, from the one behind `after` on. */
  toldSince(sinceMs: number, after: string, most: number): Promise<readonly NumberedCompany[]>;
  heldSearch(criteria: string): Promise<StoredSearch | null>;
  keepSearch(criteria: string, search: StoredSearch): Promise<void>;
  /** Deletes what is too old, a bounded number of rows of each kind. */
  clearLive(tooOld: TooOld): Promise<void>;
}
