import type { Query, Statement } from "../../database/sql.ts";
import type { BatchChanges } from "../batchRows.ts";
import type { EventAccount, PendingEvent } from "../eventDelivery.ts";
import type { AccountLedger } from "./reads.ts";

/** The stored events ledger of an account. */
export interface EventAccountRow extends AccountLedger, Omit<EventAccount, "maxTokens"> {
  readonly maxTokens: number | null;
}

/** The changes of a batch to the events of live keys or of test keys. */
export interface EventChanges {
  readonly isTest: boolean;
  readonly changes: Pick<BatchChanges, "events" | "eventAccounts">;
}

/** A pending change with its account. */
export interface PendingRow extends AccountLedger, PendingEvent {}

/** The tables of events, which a batch reads and writes for their owner. */
export interface EventTables {
  /** Pending changes by id, oldest first. */
  readonly pending: Statement<PendingRow>;
  readonly accounts: Statement<EventAccountRow>;
  /** The statements that record events and delete their pending changes. */
  writes(
    ledgers: readonly EventChanges[],
    pending: ReadonlyMap<string, PendingRow>,
    nowMs: number,
  ): readonly Query[];
}
