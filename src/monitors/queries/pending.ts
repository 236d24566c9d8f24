/** Changes that wait for their delivery. */

import { type Insertable, type Kysely, sql, type Transaction } from "kysely";
import { USUAL_CHANGE_TYPES } from "../../contract/eventTypes.ts";
import { PRICES } from "../../contract/prices.ts";
import { IS_OPEN_ACCOUNT } from "../../database/accountLock.ts";
import type { StoreClock } from "../../database/clock.ts";
import { insertRows, lockRows, rowsOf, updateRows } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { newEventId } from "../changeEvent.ts";
import type { DueAccount, MonitorOwner } from "../stored.ts";
import type { Baseline, ObservedChange } from "../types.ts";
import { IS_DELIVERABLE, LEDGER_COLUMNS, ledgerOf, PENDING_CHANGES } from "./monitorRows.ts";

type NewPending = Omit<Insertable<Tables["pending_changes"]>, "place" | "observed_at_ms">;

/** Rows written by one statement: PostgreSQL has at most 65,535 parameters, SQLite 32,766. */
const ROWS_AT_ONCE = 500;

/**
 * Reserves places for pending changes. Until the end of the transaction no other one can, so that places have the order
 * of the commits. @returns the first place
 */
export async function reservePlaces(transaction: Transaction<Tables>, count: number): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    insert into change_places (id, last) values (1, ${count})
    on conflict (id) do update set last = change_places.last + excluded.last
    returning last`.execute(transaction);
  return (rows[0]?.last ?? count) - count + 1;
}

/** Adds pending changes in order, and makes their accounts due. */
export async function addPending(
  transaction: Transaction<Tables>,
  nowMs: number,
  pending: readonly NewPending[],
): Promise<void> {
  if (pending.length === 0) return;
  const first = await reservePlaces(transaction, pending.length);
  const rows = pending.map((row, nth) => ({ ...row, place: first + nth, observed_at_ms: nowMs }));
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await insertRows(transaction, "pending_changes", ...rows.slice(from, from + ROWS_AT_ONCE));
  }
  // Accounts are locked in the order of their ids, as in other processes, which prevents deadlocks.
  const ledgers = new Map(
    pending.map(({ account_id, is_test }) => [`${account_id} ${is_test}`, { account_id, is_test }]),
  );
  const due = [...ledgers.values()]
    .sort((a, b) => (a.account_id < b.account_id ? -1 : 1))
    .map(({ account_id, is_test }) => ({ accountId: account_id, isTest: is_test }));
  await sql`
    insert into monitor_accounts (account_id, is_test, due_at_ms)
    select w.account_id, w.is_test, cast(${nowMs} as bigint)
    from ${rowsOf(transaction, due, "w", LEDGER_COLUMNS)} where true
    on conflict (account_id, is_test) do update set
      due_at_ms = case when monitor_accounts.due_at_ms is null then excluded.due_at_ms else monitor_accounts.due_at_ms end`.execute(
    transaction,
  );
}

/** The pending change of a monitor; none if the monitor excludes the type. */
export function pendingOf(
  monitor: WatchingMonitor,
  { type, changes }: ObservedChange,
  { origin, asOfMs }: Baseline,
) {
  const isWanted = monitor.events?.includes(`"${type}"`) ?? USUAL_CHANGE_TYPES.includes(type);
  if (!isWanted) return [];
  const { id, account_id, key_id, kvk_number } = monitor;
  return [
    {
      ...{ id: newEventId(), account_id, is_test: 0, key_id, monitor_id: id, kvk_number, type },
      ...{ changes: JSON.stringify(changes), origin, as_of_ms: asOfMs, price: PRICES["monitors.change"] },
    },
  ];
}

export type WatchingMonitor = Pick<
  Tables["monitors"],
  "id" | "account_id" | "key_id" | "kvk_number" | "events"
>;

export function deliveryQueries(db: Kysely<Tables>, now: StoreClock) {
  return {
    /** Accounts with changes that can be delivered now, the longest waiting first. */
    async dueAccounts(limit: number, perAccount: number): Promise<readonly DueAccount[]> {
      const nowMs = await now();
      const { rows: due } = await sql<{ accountId: string; isTest: number }>`
        select monitor_accounts.account_id as "accountId", is_test as "isTest"
        from monitor_accounts join accounts on accounts.id = monitor_accounts.account_id
        where due_at_ms <= ${nowMs} and accounts.suspended = 0 and ${IS_OPEN_ACCOUNT}
        order by due_at_ms limit ${limit}`.execute(db);
      const accounts = [];
      for (const { accountId, isTest } of due) {
        const pending = await deliverable(db, accountId, isTest, perAccount);
        const [first] = pending;
        if (first === undefined) {
          await db.transaction().execute((transaction) => clearDue(transaction, accountId, isTest));
          continue;
        }
        accounts.push({
          ...{ accountId, keyId: first.keyId, ...(isTest === 1 && ({ isTest: true } as const)) },
          pendingIds: pending.map(({ id }) => id),
        });
      }
      return accounts;
    },

    /** Excludes an account from {@link dueAccounts} for some time. @param isForTokens its tokens are used up */
    async postponeAccount(
      owner: Omit<MonitorOwner, "keyId">,
      afterMs: number,
      isForTokens: boolean,
    ): Promise<void> {
      const dueAtMs = (await now()) + afterMs;
      const waits = isForTokens && { waits: sql`case when waits = 0 then 1 else waits end` };
      const isWaiting = sql`and due_at_ms is not null`;
      await updateRows(db, "monitor_accounts", ledgerOf(owner), { due_at_ms: dueAtMs, ...waits }, isWaiting);
    },
  };
}

/** Free changes first: others may wait for tokens. */
async function deliverable(db: Kysely<Tables>, accountId: string, isTest: number, limit: number) {
  const { rows } = await sql<{ id: string; keyId: string }>`
    select p.id, p.key_id as "keyId" from ${sql.raw(PENDING_CHANGES)}
    where p.account_id = ${accountId} and p.is_test = ${isTest} and ${sql.raw(IS_DELIVERABLE)}
    order by case when p.price = 0 then 0 else 1 end, p.place limit ${limit}`.execute(db);
  return rows;
}

/** Marks an account as having nothing to deliver, unless a change was added in the meantime. */
async function clearDue(transaction: Transaction<Tables>, accountId: string, isTest: number): Promise<void> {
  const ledger = { account_id: accountId, is_test: isTest };
  // Lock the row first: a change added after this makes the account due again.
  if ((await lockRows(transaction, "monitor_accounts", ledger)).length === 0) return;
  if ((await deliverable(transaction, accountId, isTest, 1)).length > 0) return;
  await updateRows(transaction, "monitor_accounts", ledger, { due_at_ms: null, waits: 0 });
}
