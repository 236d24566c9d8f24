import type { ChangedSession, SessionReservation, SessionRows, StoredReservation } from "./batchSessions.ts";
import type { KeyRow, StoredAccount } from "./decide.ts";
import type { ChargedChunk, StoredJob } from "./jobChunk.ts";
import type { LedgerDelta } from "./ledger.ts";
import type { NewKept, Repeatable, ResponseRows } from "./responses.ts";

/**
 * What a batch reads. All of it is what was committed when the transaction had locked the batch's accounts, and nobody
 * else changes it before the transaction ends. A store may read ahead or when asked.
 */
export interface BatchRows extends SessionRows, ResponseRows {
  key(keyId: string): KeyRow | undefined;
  account(accountId: string): StoredAccount | undefined;
  /** Tokens used in a month other than the one stored last: the sum of its lines in the ledger. */
  usedIn(accountId: string, month: number): number;
  /** Tokens of a month that reservations hold, once those that have expired are given back for good. */
  reservedIn(accountId: string, month: number): number;
  /** The reservation with this id, when it was made with this key. */
  reservation(reservationId: string, keyId: string): StoredReservation | undefined;
  /** A list, locked until the transaction ends. */
  job(jobId: string): StoredJob | undefined;
}

export interface NewReservation extends Omit<StoredReservation, "isGivenBack"> {
  readonly accountId: string;
  readonly keyId: string;
  readonly expiresAtMs: number;
  /** By what its request is known again while it is under way. */
  readonly keep?: Repeatable;
}

/** What a batch comes to: each row once, to be written in the transaction that read {@link BatchRows}. */
export interface BatchChanges {
  readonly windows: readonly KeyRow[];
  readonly months: readonly { readonly accountId: string; readonly month: number; readonly used: number }[];
  /** Accounts of which all months after this one are to be deleted: they were begun by a clock that was wrong. */
  readonly takenBack: readonly { readonly accountId: string; readonly month: number }[];
  readonly reserved: readonly NewReservation[];
  /** Ids of reservations that are settled, and so deleted. */
  readonly settled: readonly string[];
  readonly sessions: readonly ChangedSession[];
  /** Reservations of earlier batches that set aside something else now, or have their place now. */
  readonly shared: readonly SessionReservation[];
  readonly ledger: readonly LedgerDelta[];
  readonly kept: readonly NewKept[];
  /** Parts of lists that were worked off, and what each was charged. */
  readonly chunks: readonly ChargedChunk[];
}
