/** An answer of VIES as it is kept. */
export interface KeptAnswer {
  readonly valid: boolean;
  /** VIES's own time, ISO 8601 UTC. */
  readonly validatedAt: string;
  readonly name?: string;
  readonly address?: string;
  /** When it came here, Unix milliseconds: what freshness is measured by, as VIES's clock is not ours. */
  readonly receivedAtMs: number;
}

/** What is held of a number: the last answer, and the last that said it is valid. Never an error. */
export interface CachedAnswers {
  readonly last: KeptAnswer;
  readonly lastPositive?: KeptAnswer;
}

/** A consultation with a requester, which belongs to the account that asked. */
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

/** What verdicts need of a state store. Numbers are whole VAT numbers such as `NL…`. */
export interface VerdictStore {
  /** What is held of each number, in their order; null where nothing is. */
  findVerdicts(vatNumbers: readonly string[]): Promise<readonly (CachedAnswers | null)[]>;
  /** Keeps an answer, durable before the promise is fulfilled; an older one than is held changes nothing. */
  keepVerdict(vatNumber: string, answer: KeptAnswer): Promise<void>;
  /** Keeps the latest consultation of an account for a number and requester. */
  keepConsultation(consultation: Consultation): Promise<void>;
  /** The latest consultation of this account for a number and requester; null when there is none. */
  consultation(accountId: string, vatNumber: string, requester: string): Promise<Consultation | null>;
  /**
   * Deletes some of what came before a moment, Unix milliseconds. A last positive goes with its own age.
   * @returns whether there may be more
   */
  forgetVerdicts(beforeMs: number): Promise<boolean>;
}
