import type { ErrorCode } from "../contract/errors.ts";
import type { LedgerOperation } from "../contract/prices.ts";

/** How long an account's calls are stored. */
export const CALL_RETENTION_MS = 7 * 86_400_000;
/** How many of an account's latest calls are listed. */
export const MAX_CALLS = 1_000;

/** A call without its input. */
export interface RecordedCall {
  /** Time of the response, Unix milliseconds. */
  readonly atMs: number;
  readonly requestId: string;
  readonly keyId: string;
  readonly operation: LedgerOperation;
  /** The HTTP status. */
  readonly status: number;
  /** The error code, if the call failed. */
  readonly code: ErrorCode | undefined;
  readonly tokens: number;
  /** Whole microseconds. */
  readonly durationUs: number;
  /** Made with a test key: it is listed but not counted elsewhere. */
  readonly isTest?: true;
}

/** A filter on calls. An absent field matches everything. */
export interface CallFilter {
  readonly keyId?: string;
  readonly operation?: LedgerOperation;
  /** A range of statuses, both ends included. */
  readonly statuses?: { readonly from: number; readonly to: number };
}

export interface CallPage {
  /** Newest first. */
  readonly calls: readonly RecordedCall[];
  /** Calls on all pages. */
  readonly total: number;
  /** The keys of all of the account's calls, regardless of the filter. */
  readonly keyIds: readonly string[];
}

/** A count of failed calls per key, day and operation. */
export interface FailedCount {
  readonly keyId: string;
  /** YYYY-MM-DD, UTC */
  readonly day: string;
  readonly operation: LedgerOperation;
  readonly byCaller: number;
  readonly byService: number;
}

/** A page that used a key that is not a browser key. */
export interface BrowserSighting {
  readonly keyId: string;
  readonly origin: string;
  /** Unix milliseconds */
  readonly atMs: number;
}
