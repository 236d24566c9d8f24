/** A stored answer of VIES. */
export interface CachedAnswer {
  readonly valid: boolean;
  /** VIES's own time, ISO 8601 UTC. */
  readonly validatedAt: string;
  readonly name?: string;
  readonly address?: string;
  /** The time of receipt, Unix milliseconds. Freshness is measured by it, because VIES has another clock. */
  readonly receivedAtMs: number;
}

/** The stored answers on a number: the last one, and the last one that says it is valid. Never an error. */
export interface CachedAnswers {
  readonly last: CachedAnswer;
  readonly lastPositive?: CachedAnswer;
}

/** A consultation with a requester, which belongs to the account that made it. */
export interface Consultation {
  readonly accountId: string;
  readonly vatNumber: string;
  /** The requester's VAT number. */
  readonly requester: string;
  readonly validatedAt: string;
  readonly consultationNumber: string;
  /** Unix milliseconds */
  readonly receivedAtMs: number;
}

/** The part of the state store for verdicts. Numbers include the country code. */
export interface VerdictStore {
  /** The stored answers on each number, in the same order; null where there are none. */
  findVerdicts(vatNumbers: readonly string[]): Promise<readonly (CachedAnswers | null)[]>;
  /** Stores an answer durably before the promise resolves, unless a newer one is stored. */
  storeVerdict(vatNumber: string, answer: CachedAnswer): Promise<void>;
  /** Stores the latest consultation of an account for a number and requester. */
  storeConsultation(consultation: Consultation): Promise<void>;
  /** The latest consultation of this account for a number and requester; null when there is none. */
  consultation(accountId: string, vatNumber: string, requester: string): Promise<Consultation | null>;
  /**
   * Deletes some of the answers that were received before a time, Unix milliseconds, judging `lastPositive` by its own age.
   * @returns whether there may be more
   */
  deleteVerdicts(beforeMs: number): Promise<boolean>;
}
