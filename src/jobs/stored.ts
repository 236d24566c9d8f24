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

/** A new list, without its items. */
export interface NewList
  extends Pick<
    StoredList,
    "id" | "accountId" | "keyId" | "isTest" | "kind" | "sent" | "duplicates" | "estimated"
  > {
  readonly maxTokens?: number | undefined;
  readonly webhook?: string | undefined;
  readonly columns?: UsedColumns;
  /** The prefix shared by ids of the account's lists that were sent under the same `Idempotency-Key`. */
  readonly idPrefix?: string | undefined;
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

/**
 * The reason for refusing a list: a limit of its account or of all accounts, or a webhook without a secret to sign
 * with.
 */
export type ListRefusal = "open" | "kept" | "cancelled" | "numbers" | "full" | "no-secret";

/**
 * How a new list relates to an earlier one with the same `Idempotency-Key`: the same list (stored, or still being
 * received), or another one.
 */
export type EarlierList = "repeated" | "receiving" | "another";

/** The next items to process, all of one block. */
export interface NextItems {
  readonly block: number;
  /** Items of the block that were processed before. */
  readonly taken: number;
  readonly attempt: number;
  readonly items: readonly string[];
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
