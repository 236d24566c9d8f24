/** A company that must not be told any more, nor kept. */
export interface SuppressedCompany {
  readonly kvkNumber: string;
  /** The VAT numbers that were known to be its own: name and address are not told with their verdicts. */
  readonly vatNumbers: readonly string[];
  /** Unix milliseconds. On the list it is later than that of every company before it, also where a clock is behind. */
  readonly forgottenAtMs: number;
}

/** The list of what is to be forgotten, shared by all nodes. */
export interface SuppressionStore {
  /** All of them, in the order of their numbers. */
  suppressedCompanies(): Promise<readonly SuppressedCompany[]>;
  /** A word that is another one whenever the list is. */
  suppressionMark(): Promise<string>;
  /**
   * Puts a company on the list, and deletes what was kept of it: what a live source told, searches, verdicts on its VAT numbers.
   * One that is on it gets the VAT numbers that are new. Answers that are kept for repeated calls are withdrawn apart from this, step by
   * step: nobody is told them from now on.
   * @returns all VAT numbers that it has on the list
   */
  forget(company: SuppressedCompany): Promise<readonly string[]>;
  /** Takes a company from the list; false when it was not on it. */
  undoForget(kvkNumber: string): Promise<boolean>;
}
