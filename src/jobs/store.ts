import type { JobKind, JobStatus, PauseReason } from "../contract/jobs.ts";

/** A list as it is stored. Moments are Unix milliseconds. */
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
  readonly createdAtMs: number;
  readonly startedAtMs?: number;
  readonly endedAtMs?: number;
  readonly step: number;
  readonly claim: number;
}

/** A list that begins, without its numbers. */
export interface NewList
  extends Pick<
    StoredList,
    "id" | "accountId" | "keyId" | "isTest" | "kind" | "sent" | "duplicates" | "estimated"
  > {
  readonly maxTokens?: number | undefined;
  readonly webhook?: string | undefined;
  /** With what the ids of the account's lists begin that were sent under the same `Idempotency-Key`. */
  readonly idBegins?: string | undefined;
}

export interface ListBounds {
  readonly mostOpen: number;
  readonly mostKept: number;
  readonly mostCancelled: number;
  /** Numbers that an account may keep, by its tier; those of other tiers may keep `maxNumbersOfOthers`. */
  readonly maxNumbers: Readonly<Record<string, number>>;
  readonly maxNumbersOfOthers: number;
  /** Numbers of all accounts together, and of those of free tiers. */
  readonly maxNumbersOfAll: number;
  readonly maxNumbersOfFree: number;
  readonly freeTiers: readonly string[];
}

/** After how long lists are over. */
export interface ListLifetimes {
  readonly resultsMs: number;
  /** From when a list was sent until it expires, with a free tier and with any other. */
  readonly openMs: number;
  readonly freeOpenMs: number;
  readonly freeTiers: readonly string[];
}

/** Why a list is not taken: bounds of its account, of all accounts, or a webhook without a secret to sign it with. */
export type ListRefusal = "open" | "kept" | "cancelled" | "numbers" | "full" | "no-secret";

/**
 * What became of a list whose id begins as that of an earlier one: it is that list, that list is being received, or the earlier one is another
 * list.
 */
export type EarlierList = "repeated" | "receiving" | "another";

/** Numbers that are to be worked next, of one block. */
export interface NextNumbers {
  readonly block: number;
  readonly taken: number;
  readonly attempt: number;
  readonly numbers: readonly string[];
}

/** How a worker leaves a list that it holds. */
export interface Leaving {
  /** Milliseconds until it may be worked on again. */
  readonly againAfterMs?: number;
  readonly reason?: PauseReason;
}

/** Some of the results of a list, which belong to one step of it. */
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

/** What takes the place of results that were held against an older suppression list. */
export interface RenewedResults extends ResultSize {
  readonly jobId: string;
  readonly lines: string;
}

/** What a caller asks of a list. `cap`: it cannot go on below the cap that it has. */
export type ListChange =
  | { readonly kind: "pause" }
  | {
      readonly kind: "resume";
      readonly keyId: string;
      readonly isTest?: true | undefined;
      readonly maxTokens?: number | undefined;
    }
  | { readonly kind: "cancel" };

/** A message that is to be delivered now, by who claimed it. */
export interface ClaimedMessage {
  readonly id: string;
  readonly accountId: string;
  readonly tierName: string;
  readonly url: string;
  readonly payload: string;
  readonly claim: number;
  readonly failures: number;
  /** What its account signs with now: the newest first. */
  readonly seeds: readonly string[];
}

/** Messages that are not claimed now. */
export interface PassedOver {
  readonly accounts?: readonly string[];
  readonly tiers?: readonly string[];
  /** All that were tried before. */
  readonly failed?: boolean;
}

/** What lists need of a state store. Moments are by its own clock. */
export interface JobStore {
  /** Makes room for a list; nobody is told of it before {@link beginList}. */
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
  /** Of an account, the newest first. */
  lists(accountId: string): Promise<readonly StoredList[]>;
  /** Undefined when the account has no such list; `ended` when it is over, `cap` when resuming it needs a higher cap. */
  changeList(
    accountId: string,
    listId: string,
    change: ListChange,
  ): Promise<StoredList | "ended" | "cap" | undefined>;
  /** Takes the next list for a while: of the account that had its turn longest ago and has none now. */
  claimList(leaseMs: number): Promise<StoredList | undefined>;
  /** Holds it on; false when it is another's by now, or over. */
  holdList(listId: string, claim: number, leaseMs: number): Promise<boolean>;
  leaveList(listId: string, claim: number, leaving: Leaving): Promise<void>;
  /** Gives lists back that a process of before held: only where there is one process. */
  freeLists(): Promise<void>;
  /** The next numbers; `later` with milliseconds when all that are left are tried again later; undefined when none is left. */
  nextNumbers(listId: string, most: number): Promise<NextNumbers | { readonly laterMs: number } | undefined>;
  /** Ends a list that has no numbers left; false when it is another's by now. Its end is told by a message where it names a webhook. */
  completeList(listId: string, claim: number): Promise<boolean>;
  resultSizes(listId: string): Promise<readonly ResultSize[]>;
  results(listId: string, step: number): Promise<StoredResults | undefined>;
  /** Results that were held against another suppression list than the one of `mark`; of one list, or of any. */
  staleResults(
    mark: string,
    most: number,
    listId?: string,
  ): Promise<readonly (StoredResults & { readonly jobId: string; readonly kind: JobKind })[]>;
  renewResults(renewed: RenewedResults): Promise<void>;
  /** Deletes some of what is kept no longer. @returns whether more is left */
  sweepLists(lifetimes: ListLifetimes): Promise<boolean>;
  /** Lists by status. */
  listCounts(): Promise<readonly { readonly status: JobStatus; readonly count: number }[]>;
  /** A new secret for an account; those before, the last three at most, sign on for so long from when each was followed. */
  rollWebhookSecret(accountId: string, seed: string, keepsMs: number): Promise<void>;
  /** Takes the next message that is due for a while; those never tried go first. */
  claimMessage(leaseMs: number, except?: PassedOver): Promise<ClaimedMessage | undefined>;
  endMessage(id: string, claim: number): Promise<void>;
  /** Tries it again later; false when that would be too late: then it is dropped. */
  deferMessage(id: string, claim: number, afterMs: number): Promise<boolean>;
}
