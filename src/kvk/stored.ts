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
