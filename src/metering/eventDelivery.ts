/** Charging changes of monitored companies, and numbering them as events of their account. */
import type { Tier } from "../contract/tiers.ts";
import { type AccountRow, available } from "./decide.ts";
import type { BatchLedger } from "./ledger.ts";
import type { EventDelivery } from "./store.ts";

/** A change that waits to be paid. */
export interface PendingEvent {
  readonly id: string;
  /** The key whose line in the ledger is charged. */
  readonly keyId: string;
  readonly price: number;
}

/** The events ledger of an account, of live or of test keys. */
export interface EventAccount {
  /** The number of its last event. */
  readonly lastSequence: number;
  /** The tokens spent on events in `month`, see `periods.ts`, and their monthly cap. */
  readonly month: number;
  readonly spent: number;
  readonly maxTokens?: number;
}

/** The rows that the delivery of events reads, under the lock of their account. */
export interface EventRows {
  /** Returns the changes that still exist and are not paused, oldest first. */
  pendingEvents(accountId: string, ids: readonly string[]): readonly PendingEvent[];
  eventAccount(accountId: string): EventAccount;
}

/** A change that becomes an event. */
export interface DeliveredEvent {
  readonly accountId: string;
  readonly id: string;
  readonly sequence: number;
}

export interface ChangedEventAccount {
  readonly accountId: string;
  readonly lastSequence: number;
  readonly month: number;
  readonly spent: number;
}

/** Returns the changes that can be paid: all free ones and, oldest first, the others up to a number of tokens. */
export function affordable(pending: readonly PendingEvent[], tokens: number): readonly PendingEvent[] {
  let remaining = tokens;
  return pending.filter(({ price }) => {
    if (price === 0) return true;
    // After one that is too expensive no later one is taken.
    remaining = price <= remaining ? remaining - price : Number.NEGATIVE_INFINITY;
    return remaining >= 0;
  });
}

/** The events that a batch delivers. */
export class BatchEvents {
  readonly #rows: EventRows;
  readonly #ledger: BatchLedger;
  readonly #accounts = new Map<string, EventAccount>();
  readonly #delivered = new Map<string, DeliveredEvent>();

  constructor(rows: EventRows, ledger: BatchLedger) {
    this.#rows = rows;
    this.#ledger = ledger;
  }

  /** Returns the events, and the changed figures of their accounts. */
  changes(): {
    readonly events: readonly DeliveredEvent[];
    readonly eventAccounts: readonly ChangedEventAccount[];
  } {
    const eventAccounts = [...this.#accounts].map(([accountId, { lastSequence, month, spent }]) => ({
      ...{ accountId, lastSequence, month, spent },
    }));
    return { events: [...this.#delivered.values()], eventAccounts };
  }

  /**
   * Delivers the requested changes that an account can pay for, and adds their charges to the ledger.
   * @returns the charge, the number of events, and how many changes are left
   */
  deliver(
    account: AccountRow,
    tier: Tier,
    { operation, pendingIds }: EventDelivery,
  ): { readonly charged: number; readonly delivered: number; readonly left: number } {
    const { accountId, month } = account;
    const before = this.#accounts.get(accountId) ?? this.#rows.eventAccount(accountId);
    const spent = before.month === month ? before.spent : 0;
    const cap = (before.maxTokens ?? Number.POSITIVE_INFINITY) - spent;
    const pending = this.#rows
      .pendingEvents(accountId, pendingIds)
      .filter(({ id }) => !this.#delivered.has(id));
    const events = affordable(pending, Math.min(available(account, tier), cap));
    let { lastSequence } = before;
    let charged = 0;
    for (const { id, keyId, price } of events) {
      lastSequence += 1;
      charged += price;
      this.#delivered.set(id, { accountId, id, sequence: lastSequence });
      if (price > 0) this.#ledger.line({ keyId, accountId }, month, operation).tokens += price;
    }
    if (events.length > 0)
      this.#accounts.set(accountId, { ...before, lastSequence, month, spent: spent + charged });
    return { charged, delivered: events.length, left: pending.length - events.length };
  }
}
