import type { JobKind, JobStatus, PauseReason, UsedColumns } from "../contract/jobs.ts";

/** A stored list. Times are Unix milliseconds. */
export interface StoredList {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  /** Sent with a test key. */
  readonly isTest?: true | undefined;
  readonly kind: JobKind;
  readonly status: JobStatus;
  readonly reason?: PauseReason;
  readonly sent: number;
  readonly duplicates: number;
  readonly estimated: number;
  readonly found: number;
  readonly failed: number;
  readonly charged: number;
  readonly maxTokens?: number;
  readonly webhook?: string;
  readonly columns?: UsedColumns;
  readonly createdAtMs: number;
  readonly startedAtMs?: number;
  readonly endedAtMs?: number;
  readonly step: number;
  readonly claim: number;
}

/** A new list, without its numbers. */
export interface NewList
  extends Pick<
    StoredList,
    "id" | "accountId" | "keyId" | "isTest" | "kind" | "sent" | "duplicates" | "estimated"
  > {
  readonly maxTokens?: number | undefined;
  readonly webhook?: string | undefined;
  readonly columns?: UsedColumns;
  /** The prefix shared by ids of the account's lists that were sent under the same `Idempotency-Key`. */
  readonly idBegins?: string | undefined;
}

export interface ListBounds {
  readonly maxOpen: number;
  readonly maxStored: number;
  readonly maxCancelled: number;
  /** Numbers that an account may store, by tier; `maxNumbersOfOthers` for tiers that are not listed. */
  readonly maxNumbers: Readonly<Record<string, number>>;
  readonly maxNumbersOfOthers: number;
  /** Numbers of all accounts together, and of accounts of free tiers. */
  readonly maxNumbersOfAll: number;
  readonly maxNumbersOfFree: number;
  readonly freeTiers: readonly string[];
}

/** How long lists and results are stored. */
export interface ListLifetimes {
  readonly resultsMs: number;
  /** From submission to expiry, for other tiers and for free tiers. */
  readonly openMs: number;
  readonly freeOpenMs: number;
  readonly freeTiers: readonly string[];
}

/** The reason for refusing a list: a limit of its account or of all accounts, or a webhook without a secret to sign with. */
export type ListRefusal = "open" | "kept" | "cancelled" | "numbers" | "full" | "no-secret";

/**
 * How a new list relates to an earlier one with the same `Idempotency-Key`: the same list (stored, or still being received), or another one.
 */
export type EarlierList = "repeated" | "receiving" | "another";

/** The next numbers to look up, all of one block. */
export interface NextNumbers {
  readonly block: number;
  /** Numbers of the block that were processed before. */
  readonly taken: number;
  readonly attempt: number;
  readonly numbers: readonly string[];
}

/** How a worker releases a list that it has claimed. */
export interface ListRelease {
  /** Milliseconds until the list may be claimed again. */
  readonly claimableAfterMs?: number;
  readonly reason?: PauseReason;
}

/** The results of one step of a list. */
export interface StoredResults {
  readonly step: number;
  readonly lines: string;
}

export interface ResultSize {
  readonly step: number;
  readonly jsonlBytes: number;
  readonly csvBytes: number;
  readonly mark: string;
}

/** Replaces results that were checked against an older suppression list. */
export interface RenewedResults extends ResultSize {
  readonly jobId: string;
  readonly lines: string;
  /** Their mark until now. If another process has renewed them since, they are not replaced. */
  readonly staleMark: string;
}

/** A change that a caller requests. */
export type ListChange =
  | { readonly kind: "pause" }
  | {
      readonly kind: "resume";
      readonly keyId: string;
      readonly isTest?: true | undefined;
      readonly maxTokens?: number | undefined;
    }
  | { readonly kind: "cancel" };

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

/** The state store of lists. Times are by the store's own clock. */
export interface JobStore {
  /** Adds a list. It is not visible before {@link beginList}. */
  addList(list: NewList, bounds: ListBounds): Promise<ListRefusal | EarlierList | "added">;
  /** Adds numbers to a list that is being received. */
  addNumbers(
    listId: string,
    accountId: string,
    firstBlock: number,
    blocks: readonly (readonly string[])[],
  ): Promise<void>;
  beginList(listId: string): Promise<StoredList | undefined>;
  list(accountId: string, listId: string): Promise<StoredList | undefined>;
  /** Returns an account's lists, newest first. */
  lists(accountId: string): Promise<readonly StoredList[]>;
  /** @returns undefined if the account has no such list; `ended` if it has ended; `cap` if resuming needs a higher `maxTokens` */
  changeList(
    accountId: string,
    listId: string,
    change: ListChange,
  ): Promise<StoredList | "ended" | "cap" | undefined>;
  /** Claims the next list for `leaseMs`: of the account whose last turn is longest ago, among those without a claimed list. */
  claimList(leaseMs: number): Promise<StoredList | undefined>;
  /** Extends a claim. @returns false if another worker has claimed the list, or it was released or has ended */
  extendClaim(listId: string, claim: number, leaseMs: number): Promise<boolean>;
  releaseList(listId: string, claim: number, release: ListRelease): Promise<void>;
  /** The kinds of waiting lists that this version does not know, and does not claim. */
  unknownKinds(): Promise<readonly string[]>;
  /** Returns the next numbers, or when to retry if only retries are left, or undefined when none are left. */
  nextNumbers(listId: string, limit: number): Promise<NextNumbers | { readonly dueInMs: number } | undefined>;
  /** Ends a list that has no numbers left and queues its webhook message. @returns false if another worker has claimed it */
  completeList(listId: string, claim: number): Promise<boolean>;
  resultSizes(listId: string): Promise<readonly ResultSize[]>;
  results(listId: string, step: number): Promise<StoredResults | undefined>;
  /** Returns results of known kinds that were checked against a suppression list other than `mark`'s, of one list or of all. */
  staleResults(
    mark: string,
    limit: number,
    listId?: string,
  ): Promise<readonly (Omit<RenewedResults, keyof Omit<ResultSize, "step">> & { readonly kind: JobKind })[]>;
  renewResults(renewed: RenewedResults): Promise<void>;
  /** Deletes some expired data. @returns whether more is left */
  sweepLists(lifetimes: ListLifetimes): Promise<boolean>;
  /** Counts lists by status. */
  listCounts(): Promise<readonly { readonly status: JobStatus; readonly count: number }[]>;
  /** Sets a new secret. Earlier ones, at most three, keep signing for `keepsMs` after they were replaced. */
  rollWebhookSecret(accountId: string, seed: string, keepsMs: number): Promise<void>;
  /**
   * Claims the next due message for `leaseMs`: accounts take turns, and so do the addresses of an account. A message about an event goes to
   * the present webhook of its monitor.
   */
  claimMessage(leaseMs: number, except?: SkippedMessages): Promise<ClaimedMessage | undefined>;
  /** Removes a message that was accepted. */
  endMessage(id: string, claim: number): Promise<void>;
  /**
   * Schedules a retry. Dropping a message about an event disables its webhook if that accepted nothing since the message was queued.
   * @param reason contains no address
   * @param change disables the address at once, or pauses it, at most until the end of the message's life, when it is tried a last time
   * @returns false if the message was dropped: its lifetime is over, or its address is gone
   */
  deferMessage(
    id: string,
    claim: number,
    afterMs: number,
    reason: string,
    change?: AddressChange,
  ): Promise<boolean>;
}
