/** A message to deliver now. */
export interface ClaimedMessage {
  readonly id: string;
  readonly accountId: string;
  readonly tierName: string;
  readonly url: string;
  readonly payload: string;
  readonly claim: number;
  readonly failures: number;
  /** Failures of its address since the last delivery there. */
  readonly addressFailures: number;
  /** Seeds of the account's current secrets, newest first. */
  readonly seeds: readonly string[];
}

/** Messages to skip when claiming. */
export interface SkippedMessages {
  readonly accounts?: readonly string[];
  readonly tiers?: readonly string[];
  readonly addresses?: readonly Pick<ClaimedMessage, "accountId" | "url">[];
  /** Messages to addresses whose last delivery failed, of all accounts or of these. */
  readonly failing?: "all" | readonly string[];
}

/** The request of a receiver to get no further messages of an account, or none for a while. */
export type AddressChange = "gone" | { readonly pauseMs: number };
