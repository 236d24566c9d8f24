/** The work of all processes that asks KVK about monitored companies, in SQL for every store. */

import { type Kysely, type SqlBool, sql } from "kysely";
import type { KvkNumber } from "../../contract/numbers.ts";
import type { StoreClock } from "../../database/clock.ts";
import { toObject } from "../../database/objects.ts";
import {
  countRows,
  deleteRows,
  findRow,
  findRows,
  rowsOf,
  updateRows,
  upsertRow,
} from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { columnsOf } from "../../database/sql.ts";
import { shareSuppressions } from "../../database/suppressions.ts";
import { deleteStep } from "../../database/sweeping.ts";
import type { MonitoredAnswer, Signal } from "../monitored/stored.ts";

export function monitorSourceQueries(db: Kysely<Tables>, now: StoreClock) {
  return { ...callQueries(db), ...monitoredQueries(db), ...signalQueries(db, now) };
}

function callQueries(db: Kysely<Tables>) {
  return {
    /** Counts one paid call of a day, unless `limit` are counted already, or `share` of monitors. */
    async spendMonitorCall(
      day: string,
      limit: number,
      share: number,
    ): Promise<"spent" | "day-over" | "share-over"> {
      if (limit < 1) return "day-over";
      if (share < 1) return "share-over";
      await upsertRow(db, "live_days", { day, calls: 0, free_calls: 0 });
      const incremented = { calls: sql`calls + 1`, monitor_calls: sql`monitor_calls + 1` };
      const isBelow = sql`and calls < ${limit} and monitor_calls < ${share}`;
      if ((await updateRows(db, "live_days", { day }, incremented, isBelow)) === 1) return "spent";
      const { calls } = (await findRow(db, "live_days", { day })) ?? { calls: 0 };
      return calls >= limit ? "day-over" : "share-over";
    },

    async refundMonitorCall(day: string): Promise<void> {
      const decremented = { calls: sql`calls - 1`, monitor_calls: sql`monitor_calls - 1` };
      await updateRows(db, "live_days", { day }, decremented, sql`and calls > 0 and monitor_calls > 0`);
    },

    async monitorCalls(day: string): Promise<number> {
      return (await findRow(db, "live_days", { day }))?.monitor_calls ?? 0;
    },
  };
}

function monitoredQueries(db: Kysely<Tables>) {
  return {
    /** The next account with monitored companies, after an id. */
    async nextAccountWithMonitors(afterId: string): Promise<string | undefined> {
      // Steps from account to account through the index, however many monitors each has.
      for (let last = afterId; ; ) {
        const { rows } = await sql<{ id: string; isActive: number }>`
          select a.id, case when a.suspended = 0 and exists (
            select 1 from monitors m where m.account_id = a.id and m.is_test = 0 and m.over_limit = 0
          ) then 1 else 0 end as "isActive"
          from accounts a
          where a.id = (select min(account_id) from monitors where account_id > ${last})`.execute(db);
        const [row] = rows;
        if (row === undefined || row.isActive === 1) return row?.id;
        last = row.id;
      }
    },

    /** Its companies after a number, by number. */
    async monitoredOf(accountId: string, after: string, limit: number): Promise<readonly MonitoredAnswer[]> {
      const { rows } = await sql<MonitoredAnswer>`
        select m.kvk_number as "kvkNumber", coalesce(l.told_at_ms, 0) as "answeredAtMs"
        from monitors m left join live_companies l on l.kvk_number = m.kvk_number
        where m.account_id = ${accountId} and m.is_test = 0 and m.over_limit = 0 and m.kvk_number > ${after}
        order by m.kvk_number limit ${limit}`.execute(db);
      return rows;
    },
  };
}

function signalQueries(db: Kysely<Tables>, now: StoreClock) {
  return {
    /** Stores the signals about monitored companies, each id once. @returns how many were new */
    async storeSignals(signals: readonly Signal[]): Promise<number> {
      if (signals.length === 0) return 0;
      const nowMs = await now();
      const rows = signals.map((signal) => ({ ...signal, isAboutBranch: Number(signal.isAboutBranch) }));
      const columns = columnsOf("kvk_signals", "id", "kvk_number", "is_about_branch", "at_ms");
      return db.transaction().execute(async (transaction) => {
        await shareSuppressions(transaction);
        const { numAffectedRows } = await sql`
          insert into kvk_signals (id, kvk_number, is_about_branch, at_ms, received_at_ms, due_at_ms)
          select id, kvk_number, is_about_branch, at_ms, cast(${nowMs} as bigint), cast(${nowMs} as bigint)
          from ${rowsOf(transaction, rows, "signals", columns)}
          where exists (select 1 from monitors m where m.kvk_number = signals.kvk_number and m.is_test = 0)
          order by id on conflict (id) do nothing`.execute(transaction);
        return Number(numAffectedRows);
      });
    },

    /**
     * Signals whose companies are to be refreshed now, oldest first. Those of companies that are no longer monitored
     * are deleted.
     */
    async dueSignals(limit: number): Promise<readonly Signal[]> {
      const isDue = sql<SqlBool>`due_at_ms <= ${await now()}`;
      await deleteRows(
        db,
        "kvk_signals",
        {},
        sql`and ${isDue} and not exists (
          select 1 from monitors m where m.kvk_number = kvk_signals.kvk_number and m.is_test = 0)`,
      );
      const order = sql`and ${isDue} order by due_at_ms, id limit ${limit}`;
      const rows = await findRows(db, "kvk_signals", {}, order);
      return rows.map((row) => toObject("kvk_signals", row, "received_at_ms", "due_at_ms"));
    },

    /** The companies of these signals were refreshed. */
    async completeSignals(ids: readonly string[]): Promise<void> {
      await updateRows(db, "kvk_signals", { id: ids }, { due_at_ms: null });
    },

    async postponeSignals(ids: readonly string[], waitMs: number): Promise<void> {
      await updateRows(
        db,
        "kvk_signals",
        { id: ids },
        { due_at_ms: (await now()) + waitMs },
        sql`and due_at_ms is not null`,
      );
    },

    /**
     * Deletes completed signals that are older than `completedMs`, and all that are older than `keepMs`.
     * @returns the uncompleted ones
     */
    async sweepSignals(completedMs: number, keepMs: number): Promise<number> {
      const nowMs = await now();
      const isOver = sql<SqlBool>`received_at_ms < ${nowMs - keepMs}
        or (received_at_ms < ${nowMs - completedMs} and due_at_ms is null)`;
      await deleteStep(db, [
        { table: "kvk_signals", isDue: sql<SqlBool>`(${isOver})`, age: "received_at_ms" },
      ]);
      return countRows(db, "kvk_signals", {}, sql`and due_at_ms is not null`);
    },
  };
}

/** Deletes the signals about a company that is now suppressed. */
export async function deleteSignals(db: Kysely<Tables>, kvkNumber: KvkNumber): Promise<void> {
  await deleteRows(db, "kvk_signals", { kvk_number: kvkNumber });
}

export type MonitorSourceQueries = ReturnType<typeof monitorSourceQueries>;
