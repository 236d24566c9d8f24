/** A company that must be neither returned nor stored. */
export interface SuppressedCompany {
  readonly kvkNumber: string;
  /** Its known VAT numbers, whose verdicts must not contain name and address. */
  readonly vatNumbers: readonly string[];
  /** Unix milliseconds; on the list always later than that of the previous entry, even if a clock is behind. */
  readonly forgottenAtMs: number;
}

/** The suppression list, shared by all nodes. */
export interface SuppressionStore {
  /** All entries, in the order of their numbers. */
  suppressedCompanies(): Promise<readonly SuppressedCompany[]>;
  /** The monitored companies that have ended by KVK's open data. */
  endedCompanies(): Promise<readonly string[]>;
  /** A text that changes whenever the list does. */
  suppressionMark(): Promise<string>;
  /**
   * Adds a company to the list, or adds VAT numbers to its entry, and deletes its stored data: answers of a live source, searches and
   * verdicts on its VAT numbers. Responses stored for repeated calls are no longer returned from now on, and deleted separately.
   * @returns all VAT numbers of its entry
   */
  forget(company: SuppressedCompany): Promise<readonly string[]>;
  /** Removes a company from the list; false when it was not on it. */
  undoForget(kvkNumber: string): Promise<boolean>;
}
