import type { LedgerOperation } from "../contract/prices.ts";
import type { ChangedSession, SessionReservation, SessionRows } from "./batchSessions.ts";
import type { KeyRow } from "./decide.ts";
import type { ChargedChunk, StoredJob } from "./jobChunk.ts";
import type { AnswerToKeep } from "./kept.ts";

/** An account as its rows are, with the latest month that anything was decided in; month 0 when there is none. */
export interface StoredAccount {
  readonly accountId: string;
  readonly tierName: string;
  readonly isSuspended: boolean;
  readonly month: number;
  readonly used: number;
}

/** A reservation that was not settled yet. */
export interface StoredReservation
  extends Pick<SessionReservation, "month" | "tokens" | "spendingDay" | "beganAtMs"> {
  readonly operation: LedgerOperation;
  /** It has expired, now or earlier, so that the account may spend its tokens again. */
  readonly isGivenBack: boolean;
  /** See {@link SessionReservation}; null for one that is of no session. */
  readonly session: string | null;
}

/** What an id of an account stands for, whether or not its time is over. */
export interface StoredKept {
  /** Its text is empty when it was withdrawn. */
  readonly answer?: Omit<AnswerToKeep, "lifetimeMs"> & {
    readonly requestHash: string;
    readonly expiresAtMs: number;
  };
  /** Work under way: a reservation that is not given back. */
  readonly mark?: {
    readonly requestHash: string;
    readonly reservationId: string;
    readonly expiresAtMs: number;
  };
}

/** What is kept for an account and counts against its bounds. */
export interface KeptTotals {
  readonly answers: number;
  readonly bytes: number;
}

/**
 * What a batch reads. All of it is what was committed when the transaction had locked the batch's accounts, and nobody
 * else changes it before the transaction ends. A store may read ahead or when asked.
 */
export interface BatchRows extends SessionRows {
  key(keyId: string): KeyRow | undefined;
  account(accountId: string): StoredAccount | undefined;
  /** Tokens used in a month other than the one stored last: the sum of its lines in the ledger. */
  usedIn(accountId: string, month: number): number;
  /** Tokens of a month that reservations hold, once those that have expired are given back for good. */
  reservedIn(accountId: string, month: number): number;
  /** The reservation with this id, when it was made with this key. */
  reservation(reservationId: string, keyId: string): StoredReservation | undefined;
  /** What is kept and under way under an id that a request of the batch names. */
  kept(accountId: string, id: string): StoredKept | undefined;
  keptTotals(accountId: string): KeptTotals;
  /** The bytes of all accounts, as they were a minute ago at most. */
  readonly keptBytesOfAll: number;
  /** A list, locked until the transaction ends. */
  job(jobId: string): StoredJob | undefined;
}

export interface NewReservation extends Omit<StoredReservation, "isGivenBack"> {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly expiresAtMs: number;
  /** By what its request is known again while it is under way. */
  readonly keep?: { readonly id: string; readonly requestHash: string };
}

/** An answer to keep; one under the same id is over, and goes. */
export interface NewKept {
  readonly accountId: string;
  readonly id: string;
  readonly requestHash: string;
  readonly status: number;
  readonly text: string;
  readonly names: readonly string[];
  readonly expiresAtMs: number;
  /** What it counts against the bounds of its account; 0 when it does not. */
  readonly bytes: number;
}

/** What is added to one line of the ledger. */
export interface LedgerDelta {
  readonly accountId: string;
  readonly keyId: string;
  readonly day: string;
  readonly operation: LedgerOperation;
  readonly requests: number;
  readonly tokens: number;
  readonly refusedByRate: number;
  readonly refusedByAllowance: number;
  /** Sessions of typing that were begun. */
  readonly sessions: number;
  /** Calls that were delivered in one, those that began it among them. */
  readonly sessionCalls: number;
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
