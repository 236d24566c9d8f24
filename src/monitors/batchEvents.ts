/** The delivery of events in a batch: its reads and writes. */

import { insertion, type Query, query, replacing, statement } from "../database/sql.ts";
import type { EventAccountRow, EventChanges, EventTables, PendingRow } from "../metering/batch/events.ts";
import { webhookMessage } from "./changeEvent.ts";
import {
  asEvent,
  type EventColumns,
  IS_DELIVERABLE,
  LEDGER_COLUMNS,
  PENDING_CHANGES,
} from "./queries/monitorRows.ts";

/** A pending change that is free, or whose monitor is not paused. */
interface ChangeRow extends PendingRow, Omit<EventColumns, "sequence" | "id"> {
  /** The enabled webhook of its monitor. */
  readonly url: string | null;
}

/**
 * Pending changes by id, oldest first. The accounts are locked. Changes that another transaction is deleting without
 * that lock are skipped.
 */
export const PENDING = statement<ChangeRow>(
  "pending_events",
  ({ isIn, lock }) => `
    select p.account_id as "accountId", p.is_test as "isTest", p.key_id as "keyId", p.price, p.id, p.monitor_id, p.kvk_number,
           p.type, p.changes, p.origin, p.as_of_ms, p.observed_at_ms,
           case when p.monitor_id is null then p.metadata else m.metadata end as metadata, e.url
    from ${PENDING_CHANGES}
    left join webhook_endpoints e on e.account_id = p.account_id and e.disabled_at_ms is null
      and e.url = case when p.monitor_id is null then p.webhook else m.webhook end
    where ${isIn("p.id", 1)} and ${IS_DELIVERABLE}
    order by p.place ${lock("p", "skip")}`,
);

export const EVENT_ACCOUNTS = statement<EventAccountRow>(
  "event_accounts",
  ({ list }) => `
    select a.account_id as "accountId", a.is_test as "isTest", a.last_sequence as "lastSequence", a.month, a.spent,
           a.max_tokens as "maxTokens"
    from ${list(1, "w", LEDGER_COLUMNS)}
    join monitor_accounts a on a.account_id = w.account_id and a.is_test = w.is_test`,
);

const EVENTS = insertion("insert_events", "events");

const DELIVERED = statement(
  "delete_delivered",
  ({ isIn }) => `delete from pending_changes where ${isIn("id", 1)}`,
);

const FIGURES = insertion(
  "event_figures",
  "monitor_accounts",
  `on conflict (account_id, is_test) do update set ${replacing("last_sequence", "month", "spent")}`,
  ...(["account_id", "is_test", "last_sequence", "month", "spent"] as const),
);

const MESSAGES = insertion("event_messages", "webhook_messages");

/** The statements that record events, delete their pending changes and queue messages about them. */
function eventWrites(
  ledgers: readonly EventChanges[],
  pending: ReadonlyMap<string, ChangeRow>,
  nowMs: number,
): readonly Query[] {
  const events = ledgers.flatMap(({ isTest, changes }) =>
    changes.events.flatMap(({ id, sequence, accountId }) => {
      const row = pending.get(id);
      return row === undefined ? [] : [{ accountId, isTest: isTest ? 1 : 0, row: { ...row, sequence } }];
    }),
  );
  if (events.length === 0) return [];
  const accounts = ledgers.flatMap(({ isTest, changes }) =>
    changes.eventAccounts.map((account) => ({ ...account, isTest: isTest ? 1 : 0 })),
  );
  const inserted = events.map(({ accountId, isTest, row }) => ({
    ...{ accountId, isTest, sequence: row.sequence, id: row.id, type: row.type, changes: row.changes },
    ...{ monitorId: row.monitor_id, kvkNumber: row.kvk_number, metadata: row.metadata },
    ...{ origin: row.origin, asOfMs: row.as_of_ms, observedAtMs: row.observed_at_ms, recordedAtMs: nowMs },
  }));
  const messages = events.flatMap(({ accountId, row }) => {
    const { url } = row;
    if (url === null) return [];
    const message = webhookMessage(asEvent(row), nowMs);
    return [
      { ...message, accountId, url, dueAtMs: nowMs, failures: 0, claims: 0, monitorId: row.monitor_id },
    ];
  });
  return [
    query(EVENTS, inserted),
    query(
      DELIVERED,
      events.map(({ row }) => row.id),
    ),
    query(FIGURES, accounts),
    ...(messages.length === 0 ? [] : [query(MESSAGES, messages)]),
  ];
}

/** The events of monitors in a batch of charges. */
export const EVENT_TABLES: EventTables = {
  pending: PENDING,
  accounts: EVENT_ACCOUNTS,
  writes: eventWrites,
};
