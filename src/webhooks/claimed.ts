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
  /** Those to addresses that failed last, of all accounts or of these. */
  readonly failing?: "all" | readonly string[];
}

/** A wish of a receiver about all messages of an account to its address: no more of them, or none for a while. */
export type AddressChange = "gone" | { readonly pauseMs: number };
