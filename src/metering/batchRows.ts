import type { ChangedSession, SessionReservation, SessionRows, StoredReservation } from "./batchSessions.ts";
import type { KeyRow, StoredAccount } from "./decide.ts";
import type { ChangedEventAccount, DeliveredEvent, EventRows } from "./eventDelivery.ts";
import type { ChargedChunk, StoredJob } from "./jobChunk.ts";
import type { LedgerDelta } from "./ledger.ts";
import type { IdempotencyKey, NewStoredResponse, ResponseRows } from "./responses.ts";

/**
 * The rows that a batch reads, as committed when the transaction had locked the batch's accounts. No other transaction
 * changes them before this one ends. A store may read them ahead or on demand.
 */
export interface BatchRows extends SessionRows, ResponseRows, EventRows {
  key(keyId: string): KeyRow | undefined;
  account(accountId: string): StoredAccount | undefined;
  /** Returns the tokens used in a month other than the last stored one: the sum of its ledger lines. */
  usedIn(accountId: string, month: number): number;
  /** Returns the tokens of a month that reservations hold, after releasing expired ones permanently. */
  reservedIn(accountId: string, month: number): number;
  /** Returns the reservation with this id if this key made it. */
  reservation(reservationId: string, keyId: string): StoredReservation | undefined;
  /** Returns a list, locked until the transaction ends. */
  job(jobId: string): StoredJob | undefined;
}

export interface NewReservation extends Omit<StoredReservation, "isGivenBack"> {
  readonly accountId: string;
  readonly keyId: string;
  readonly expiresAtMs: number;
  /** Identifies its request, to recognise a repetition while it is running. */
  readonly idempotency?: IdempotencyKey;
}

/** The result of a batch: each changed row once, to be written in the transaction that read {@link BatchRows}. */
export interface BatchChanges {
  readonly windows: readonly KeyRow[];
  readonly months: readonly { readonly accountId: string; readonly month: number; readonly used: number }[];
  /** Accounts whose months after this one are deleted, because a wrong clock began them. */
  readonly rewound: readonly { readonly accountId: string; readonly month: number }[];
  readonly reserved: readonly NewReservation[];
  /** Ids of settled reservations, to be deleted. */
  readonly settled: readonly string[];
  readonly sessions: readonly ChangedSession[];
  /** Reservations of earlier batches whose tokens or place in a session changed. */
  readonly changedReservations: readonly SessionReservation[];
  readonly ledger: readonly LedgerDelta[];
  readonly responses: readonly NewStoredResponse[];
  /** Processed parts of lists, with their charges. */
  readonly chunks: readonly ChargedChunk[];
  /** Pending changes that become events. */
  readonly events: readonly DeliveredEvent[];
  readonly eventAccounts: readonly ChangedEventAccount[];
}
