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

/** The requests about numbers of one state within one time slot. */
export interface ViesSlot {
  /** Two letters, as VIES writes them: `EL` for Greece. */
  readonly state: string;
  /** The start of the slot, Unix milliseconds; a multiple of {@link SLOT_MS}. */
  readonly slotAtMs: number;
  readonly answered: number;
  readonly unanswered: number;
}
