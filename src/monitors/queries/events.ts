/** Recorded events, and messages about them. */

import { type Kysely, sql, type Transaction } from "kysely";
import { attemptQueries } from "../../accounts/queries/tokens.ts";
import { MONITOR_BOUNDS } from "../../contract/monitors.ts";
import { withAccount } from "../../database/accountLock.ts";
import type { StoreClock } from "../../database/clock.ts";
import {
  countRows,
  deleteRows,
  findRow,
  findRows,
  insertRows,
  updateRows,
  upsertRow,
} from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { webhookMessage } from "../changeEvent.ts";
import type {
  EventFilter,
  EventPage,
  LatestEvents,
  MonitorOwner,
  SandboxEvent,
  StoredEvent,
} from "../stored.ts";
import { asEvent, enabledWebhook, ledgerOf, monitorsIn } from "./monitorRows.ts";

/** Events read for one page, including those that the filter does not match. */
const MAX_READ = 1_000;
/** The maximum number of test events of an account. */
export const MAX_TEST_EVENTS = 1_000;

const HOUR_MS = 3_600_000;

export function eventQueries(db: Kysely<Tables>, now: StoreClock) {
  return {
    /**
     * @returns `expired` with the oldest place that can be continued from, if events after `after` were deleted for
     * their age
     */
    async events(
      owner: Omit<MonitorOwner, "keyId">,
      after: number,
      limit: number,
      { kvkNumber, type }: EventFilter,
    ): Promise<EventPage | { readonly expired: number }> {
      const ledger = ledgerOf(owner);
      const isFiltered = kvkNumber !== undefined || type !== undefined;
      const read = isFiltered ? await lastOf(db, ledger, after) : undefined;
      const upTo = isFiltered ? sql`and sequence <= ${read ?? after}` : sql``;
      const ofCompany = kvkNumber === undefined ? sql`` : sql`and kvk_number = ${kvkNumber}`;
      const ofType = type === undefined ? sql`` : sql`and type = ${type}`;
      const matching = sql`${upTo} ${ofCompany} ${ofType} and sequence > ${after} order by sequence limit ${limit}`;
      const rows = await findRows(db, "events", ledger, matching);
      // Read last: events that were deleted in between are missing from the page.
      const account = await findRow(db, "monitor_accounts", ledger);
      const expired = account?.deleted_through ?? 0;
      if (after < expired) return { expired };
      const last = rows.at(-1)?.sequence;
      const isFull = rows.length === limit;
      return { events: rows.map(asEvent), read: (isFull || !isFiltered ? last : read) ?? after };
    },

    /**
     * Events before a place in the sequence, newest first. The page may end early if the filter does not match many
     * events.
     */
    async latestEvents(
      owner: Omit<MonitorOwner, "keyId">,
      before: number,
      limit: number,
      { kvkNumber, type }: EventFilter,
    ): Promise<LatestEvents> {
      const ledger = ledgerOf(owner);
      const isFiltered = kvkNumber !== undefined || type !== undefined;
      const first = isFiltered ? await firstOf(db, ledger, before) : 0;
      const ofCompany = kvkNumber === undefined ? sql`` : sql`and kvk_number = ${kvkNumber}`;
      const ofType = type === undefined ? sql`` : sql`and type = ${type}`;
      const rows = await findRows(
        db,
        "events",
        ledger,
        sql`and sequence >= ${first} ${ofCompany} ${ofType} and sequence < ${before}
          order by sequence desc limit ${limit}`,
      );
      const isFull = rows.length === limit;
      return { events: rows.map(asEvent), read: (isFull ? rows.at(-1)?.sequence : first) ?? 0 };
    },

    async event(owner: Omit<MonitorOwner, "keyId">, id: string): Promise<StoredEvent | undefined> {
      const row = await findRow(db, "events", { id, ...ledgerOf(owner) });
      return row && asEvent(row);
    },

    /** Queues a message about an event again. @returns as {@link addTestEvent}; the limit holds for test keys */
    async redeliver(owner: Omit<MonitorOwner, "keyId">, eventId: string): Promise<boolean | number> {
      const nowMs = await now();
      const ledger = ledgerOf(owner);
      return withAccount(db, owner.accountId, false, async (transaction) => {
        const row = await findRow(transaction, "events", { id: eventId, ...ledger });
        if (row === undefined) return false;
        const monitor = await monitorWithWebhook(transaction, owner, row.monitor_id ?? "");
        if (monitor === undefined) return false;
        if (ledger.is_test === 1 && (await isFullOfTests(transaction, owner.accountId))) return HOUR_MS;
        await queueMessage(transaction, ledger, monitor.url, asEvent(row), nowMs);
        return true;
      });
    },

    /**
     * Queues a message of type `monitor.test`, without an event.
     * @returns false if the monitor has no enabled webhook; milliseconds to wait if the account is at a limit of tests
     */
    async addTestEvent(
      owner: Omit<MonitorOwner, "keyId">,
      { id, monitorId }: { readonly id: string; readonly monitorId: string },
    ): Promise<boolean | number> {
      const nowMs = await now();
      const { accountId } = owner;
      return withAccount(db, accountId, false, async (transaction) => {
        const monitor = await monitorWithWebhook(transaction, owner, monitorId);
        if (monitor === undefined) return false;
        if (await isFullOfTests(transaction, accountId)) return HOUR_MS;
        const { countAttempt } = attemptQueries(transaction);
        const { count, endsAtMs } = await countAttempt(`webhook test ${accountId}`, nowMs, HOUR_MS);
        if (count > MONITOR_BOUNDS.testsPerHour) return endsAtMs - nowMs;
        const columns = {
          ...monitor,
          id,
          monitor_id: monitorId,
          changes: "{}",
          origin: null,
          as_of_ms: null,
        };
        const test = { ...columns, type: "monitor.test" as const, observed_at_ms: nowMs, sequence: 0 };
        await queueMessage(transaction, ledgerOf(owner), monitor.url, asEvent(test), nowMs);
        return true;
      });
    },

    /**
     * Records events of monitors of test keys at once and free of charge. An account keeps the latest 1,000. Unknown
     * monitors are skipped, and messages of an account that has {@link MONITOR_BOUNDS.maxWaitingTests} already.
     */
    async addSandboxEvents(accountId: string, events: readonly SandboxEvent[]): Promise<void> {
      const nowMs = await now();
      await withAccount(db, accountId, undefined, (transaction) =>
        addSandboxEvents(transaction, accountId, events, nowMs),
      );
    },
  };
}

/** The last event read for a filtered page. */
async function lastOf(
  db: Kysely<Tables>,
  { account_id, is_test }: ReturnType<typeof ledgerOf>,
  after: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ last: number | null }>`
    select max(sequence) as last from (
      select sequence from events where account_id = ${account_id} and is_test = ${is_test} and sequence > ${after}
      order by sequence limit ${MAX_READ}
    ) as page`.execute(db);
  return rows[0]?.last ?? undefined;
}

/** The first event read for a filtered page of the latest events; 0 if there is none. */
async function firstOf(
  db: Kysely<Tables>,
  { account_id, is_test }: ReturnType<typeof ledgerOf>,
  before: number,
): Promise<number> {
  const { rows } = await sql<{ first: number | null }>`
    select min(sequence) as first from (
      select sequence from events
      where account_id = ${account_id} and is_test = ${is_test} and sequence < ${before}
      order by sequence desc limit ${MAX_READ}
    ) as page`.execute(db);
  return rows[0]?.first ?? 0;
}

/** A monitor with its webhook; undefined without an enabled one. */
async function monitorWithWebhook(db: Kysely<Tables>, owner: Omit<MonitorOwner, "keyId">, monitorId: string) {
  const { account_id, is_test } = ledgerOf(owner);
  const monitor = await monitorsIn(db)
    .where("monitors.id", "=", monitorId)
    .where("monitors.account_id", "=", account_id)
    .where("monitors.is_test", "=", is_test)
    .executeTakeFirst();
  if (monitor === undefined) return undefined;
  const url = enabledWebhook(monitor);
  return url === null ? undefined : { ...monitor, url };
}

/** Whether the account, which the caller has locked, may queue no message of a test. */
async function isFullOfTests(db: Kysely<Tables>, accountId: string): Promise<boolean> {
  const { maxWaitingTests } = MONITOR_BOUNDS;
  const some = sql`and test_of is not null limit ${maxWaitingTests}`;
  return (await countRows(db, "webhook_messages", { account_id: accountId }, some)) === maxWaitingTests;
}

/** Queues the message about an event, or starts its delivery again. */
async function queueMessage(
  transaction: Transaction<Tables>,
  { account_id, is_test }: ReturnType<typeof ledgerOf>,
  url: string,
  event: StoredEvent,
  nowMs: number,
): Promise<void> {
  const { id, payload, dropAtMs } = webhookMessage(event, nowMs);
  const monitor_id = event.monitorId ?? null;
  const message = { url, payload, monitor_id, due_at_ms: nowMs, drop_at_ms: dropAtMs, failures: 0 };
  const isTest = is_test === 1 || event.type === "monitor.test";
  const row = { id, account_id, claims: 0, ...message, test_of: isTest ? (event.kvkNumber ?? null) : null };
  await upsertRow(transaction, "webhook_messages", row, message);
}

/** Records events of monitors of test keys and deletes the oldest. The caller has locked the account. */
async function addSandboxEvents(
  transaction: Transaction<Tables>,
  accountId: string,
  events: readonly SandboxEvent[],
  nowMs: number,
): Promise<void> {
  const ledger = ledgerOf({ accountId, isTest: true });
  const latest = events.slice(-MAX_TEST_EVENTS);
  const ids = [...new Set(latest.map(({ monitorId }) => monitorId))];
  if (ids.length === 0) return;
  const found = await monitorsIn(transaction)
    .where("monitors.id", "in", ids)
    .where("monitors.account_id", "=", ledger.account_id)
    .where("monitors.is_test", "=", ledger.is_test)
    .execute();
  const monitors = new Map(found.map((row) => [row.id, row]));
  await upsertRow(transaction, "monitor_accounts", ledger);
  const account = await findRow(transaction, "monitor_accounts", ledger);
  let sequence = account?.last_sequence ?? 0;
  const rows = latest.flatMap(({ id, monitorId, type, changes, source }) => {
    const monitor = monitors.get(monitorId);
    if (monitor === undefined) return [];
    sequence += 1;
    return [
      {
        ...{ ...ledger, id, monitor_id: monitorId, kvk_number: monitor.kvk_number, sequence, type },
        ...{ changes: JSON.stringify(changes), metadata: monitor.metadata },
        ...{ origin: source?.origin ?? null, as_of_ms: source?.asOfMs ?? null },
        ...{ observed_at_ms: nowMs, recorded_at_ms: nowMs },
      },
    ];
  });
  if (rows.length === 0) return;
  await insertRows(transaction, "events", ...rows);
  const deletedThrough = Math.max(sequence - MAX_TEST_EVENTS, account?.deleted_through ?? 0);
  await deleteRows(transaction, "events", ledger, sql`and sequence <= ${deletedThrough}`);
  const figures = { last_sequence: sequence, deleted_through: deletedThrough };
  await updateRows(transaction, "monitor_accounts", ledger, figures);
  for (const row of rows) {
    const monitor = monitors.get(row.monitor_id);
    const url = monitor === undefined ? null : enabledWebhook(monitor);
    if (url !== null && !(await isFullOfTests(transaction, accountId)))
      await queueMessage(transaction, ledger, url, asEvent(row), nowMs);
  }
}
