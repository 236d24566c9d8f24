import type { ErrorCode } from "../contract/errors.ts";
import type { LedgerOperation } from "../contract/prices.ts";

/** An account's calls are kept for so long. */
export const KEEP_CALLS_MS = 7 * 86_400_000;
/** So many calls of an account are told, the last ones. */
export const MOST_CALLS = 1_000;

/** How a call went; never what was asked. */
export interface RecordedCall {
  /** When it was answered, Unix milliseconds. */
  readonly atMs: number;
  readonly requestId: string;
  readonly keyId: string;
  readonly operation: LedgerOperation;
  /** The HTTP status. */
  readonly status: number;
  /** Of an error. */
  readonly code: ErrorCode | undefined;
  readonly tokens: number;
  /** Microseconds, whole ones. */
  readonly durationUs: number;
  /** Made with a test key: it is in the list of calls, and counts for nothing else. */
  readonly isTest?: true;
}

/** Which calls are asked for; what is absent is any. */
export interface CallFilter {
  readonly keyId?: string;
  readonly operation?: LedgerOperation;
  /** From a status to another, both included. */
  readonly statuses?: { readonly from: number; readonly to: number };
}

export interface CallPage {
  /** The last one first. */
  readonly calls: readonly RecordedCall[];
  /** On all pages. */
  readonly total: number;
  /** The keys of the account's calls, whatever is asked for. */
  readonly keyIds: readonly string[];
}

/** How many calls of a key failed on a day with an operation. */
export interface FailedCount {
  readonly keyId: string;
  /** YYYY-MM-DD, UTC */
  readonly day: string;
  readonly operation: LedgerOperation;
  readonly byCaller: number;
  readonly byService: number;
}

/** That a page called with a key that is none for browsers. */
export interface BrowserSighting {
  readonly keyId: string;
  readonly origin: string;
  /** Unix milliseconds */
  readonly atMs: number;
}

/** The parts of a recorder, which writes calls to the store now and then. */
export interface RecorderParts<Method extends keyof CallStore> {
  readonly store: Pick<CallStore, Method>;
  /** Whether charges wait for the store: then nothing is written. */
  readonly isBusy: () => boolean;
}

/** The last calls of accounts, and how many failed. */
export interface CallStore {
  /**
   * Keeps calls; those with a key that is not there any more are left out.
   * @param trimmed accounts of which only the last {@link MOST_CALLS} are kept from now on
   */
  addCalls(calls: readonly RecordedCall[], trimmed: readonly string[]): Promise<void>;
  /**
   * Adds to what is counted, for the ledger to tell; what is of a key that is not there any more is left out. Each key, day and operation
   * stands there once.
   */
  addFailedCalls(counts: readonly FailedCount[]): Promise<void>;
  /** Keeps the last sighting of each key. What is of a key that is not there any more is left out. */
  addSightings(sightings: readonly BrowserSighting[]): Promise<void>;
  /** Some of the last {@link MOST_CALLS} calls of an account since a moment. */
  calls(
    accountId: string,
    sinceMs: number,
    filter: CallFilter,
    part: { readonly offset: number; readonly limit: number },
  ): Promise<CallPage>;
}
