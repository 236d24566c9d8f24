/**
 * Deletes old events, changes of paused monitors, and data about companies that are no longer monitored, in small
 * steps.
 */

import { type Kysely, type SqlBool, sql, type Transaction } from "kysely";
import type { KvkNumber } from "../../contract/numbers.ts";
import type { StoreClock } from "../../database/clock.ts";
import { retryCollisions } from "../../database/collisions.ts";
import { deleteRows, findRows, rowsOf, skipLocked } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { changeSome, ROWS_PER_STEP } from "../../database/sweeping.ts";
import { isMonitored } from "../../kvk/openData/queries.ts";
import { mayExpire } from "../../webhooks/clockWatch.ts";
import { LEDGER_COLUMNS } from "./monitorRows.ts";

export function monitorRetentionQueries(db: Kysely<Tables>, now: StoreClock) {
  /** The last company whose baselines were checked. */
  let sweptThrough = "";
  const sweepNextBaselines = async () => {
    const last = await retryCollisions(() => sweepBaselines(db, sweptThrough));
    sweptThrough = last ?? "";
    return last !== undefined;
  };
  return {
    /**
     * Deletes old events, changes of monitors that were paused longer than `keepMs`, and baselines without a monitor.
     * @returns whether there may be more
     */
    async sweepMonitors(keepMs: number): Promise<boolean> {
      const nowMs = await now();
      const beforeMs = nowMs - keepMs;
      if (!(await mayExpire(db, nowMs))) return sweepNextBaselines();
      const events = await retryCollisions(() =>
        db.transaction().execute((transaction) => deleteEvents(transaction, beforeMs)),
      );
      if (events > 0) return true;
      if ((await deletePaused(db, beforeMs)) > 0) return true;
      if ((await deleteInsolvencies(db, beforeMs)) > 0) return true;
      return sweepNextBaselines();
    },
  };
}

/** Deletes the oldest events, and records for each account which are gone. @returns how many */
async function deleteEvents(transaction: Transaction<Tables>, beforeMs: number): Promise<number> {
  const oldest = sql`and recorded_at_ms <= ${beforeMs}
    order by recorded_at_ms limit ${ROWS_PER_STEP} ${skipLocked(transaction)}`;
  const rows = await findRows(transaction, "events", {}, oldest);
  if (rows.length === 0) return 0;
  await deleteRows(transaction, "events", { id: rows.map(({ id }) => id) });
  const deleted = new Map<string, { accountId: string; isTest: number; through: number }>();
  for (const { account_id, is_test, sequence } of rows) {
    const key = `${account_id} ${is_test}`;
    const through = Math.max(sequence, deleted.get(key)?.through ?? 0);
    deleted.set(key, { accountId: account_id, isTest: is_test, through });
  }
  await sql`
    update monitor_accounts set deleted_through =
      case when w.through > deleted_through then w.through else deleted_through end
    from ${rowsOf(transaction, [...deleted.values()], "w", `${LEDGER_COLUMNS}, through bigint`)}
    where monitor_accounts.account_id = w.account_id and monitor_accounts.is_test = w.is_test`.execute(
    transaction,
  );
  return rows.length;
}

/** Deletes changes of monitors that have been paused for long. @returns how many */
function deletePaused(db: Kysely<Tables>, beforeMs: number): Promise<number> {
  const since = new Date(beforeMs).toISOString();
  return changeSome(
    db,
    {
      table: "pending_changes",
      isDue: sql`observed_at_ms <= ${beforeMs} and (
        exists (select 1 from accounts a where a.id = account_id and a.suspended = 1 and a.suspended_at <= ${since})
        or exists (select 1 from monitors m where m.id = monitor_id and m.over_limit = 1
          and m.over_limit_since_ms <= ${beforeMs}))`,
    },
    ROWS_PER_STEP,
  );
}

/** Deletes old responses about companies without a monitor. @returns how many */
function deleteInsolvencies(db: Kysely<Tables>, beforeMs: number): Promise<number> {
  const isDue = sql<SqlBool>`is_monitored = 0 and observed_at_ms <= ${beforeMs}`;
  return changeSome(db, { table: "insolvencies", isDue }, ROWS_PER_STEP);
}

/**
 * Checks the next companies with baselines, and deletes those without a monitor. Baselines are not deleted while there
 * are events about an address, so that shielding of the address is noticed. @returns the last company if there may be
 * more
 */
async function sweepBaselines(db: Kysely<Tables>, after: string): Promise<KvkNumber | undefined> {
  const { rows } = await sql<{ kvkNumber: KvkNumber; isMonitored: number }>`
    select kvk_number as "kvkNumber", ${isMonitored("companies")} as "isMonitored"
    from (
      select distinct kvk_number from monitor_baselines where kvk_number > ${after}
      order by kvk_number limit ${ROWS_PER_STEP}
    ) as companies order by kvk_number`.execute(db);
  const ended = rows.filter(({ isMonitored }) => isMonitored === 0).map(({ kvkNumber }) => kvkNumber);
  if (ended.length > 0) {
    const hasNone = sql`and not exists (
      select 1 from monitors m where m.kvk_number = monitor_baselines.kvk_number and m.is_test = 0)
      and not exists (
        select 1 from events where events.kvk_number = monitor_baselines.kvk_number and type = 'company.moved')`;
    await deleteRows(db, "monitor_baselines", { kvk_number: ended }, hasNone);
  }
  return rows.length === ROWS_PER_STEP ? rows.at(-1)?.kvkNumber : undefined;
}
