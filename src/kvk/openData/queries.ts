/** Responses of KVK's open data. */

import { type Kysely, type RawBuilder, type Selectable, sql } from "kysely";
import { isKvkNumber, type KvkNumber } from "../../contract/numbers.ts";
import { retryCollisions } from "../../database/collisions.ts";
import { toObject } from "../../database/objects.ts";
import { findRows, lockRows, updateRows } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { shareSuppressions } from "../../database/suppressions.ts";
import type { OpenData } from "./readOpenData.ts";

/** The answer of KVK's open data about one company; without fields if there is no data about it. */
export interface StoredOpenData extends OpenData {
  /** When it was received, Unix milliseconds. */
  readonly observedAtMs: number;
}

interface DueRow {
  readonly kvkNumber: KvkNumber;
  readonly atMs: number;
  readonly hasData: number;
  readonly isMonitored: number;
}

const DUE_PAGE = 500;

export type OpenDataQueries = ReturnType<typeof openDataQueries>;

export function openDataQueries(db: Kysely<Tables>) {
  return {
    /**
     * Monitored companies whose open data is missing or oldest: older than `beforeMs`, or older than `noDataBeforeMs`
     * (by default the same) if there was none about the company.
     */
    async openDataDue(
      beforeMs: number,
      limit: number,
      noDataBeforeMs: number = beforeMs,
    ): Promise<readonly KvkNumber[]> {
      const due: KvkNumber[] = [];
      // In pages, because many young rows without data may have to be passed.
      for (let afterMs = -1, after = ""; ; ) {
        const { rows } = await sql<DueRow>`
          select i.kvk_number as "kvkNumber", i.observed_at_ms as "atMs",
            case when i.insolvency is null and i.is_active is null then 0 else 1 end as "hasData",
            ${isMonitored("i")} as "isMonitored"
          from (
            select * from insolvencies
            where is_monitored = 1 and observed_at_ms < ${beforeMs} and observed_at_ms >= ${afterMs}
              and (observed_at_ms > ${afterMs} or kvk_number > ${after})
            order by observed_at_ms, kvk_number limit ${DUE_PAGE}
          ) as i order by i.observed_at_ms, i.kvk_number`.execute(db);
        const ended = rows.filter(({ isMonitored }) => isMonitored === 0).map(({ kvkNumber }) => kvkNumber);
        if (ended.length > 0) await noteEnded(db, ended);
        const dueRows = rows.filter(
          ({ isMonitored, hasData, atMs }) => isMonitored === 1 && (hasData === 1 || atMs < noDataBeforeMs),
        );
        due.push(...dueRows.map(({ kvkNumber }) => kvkNumber));
        const last = rows.at(-1);
        if (due.length >= limit || last === undefined || rows.length < DUE_PAGE) return due.slice(0, limit);
        ({ atMs: afterMs, kvkNumber: after } = last);
      }
    },

    /** Stores an answer; suppressed companies are not stored. */
    async storeInsolvency(
      kvkNumber: KvkNumber,
      { insolvency, isActive, activities, startDate, observedAtMs }: StoredOpenData,
    ): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await shareSuppressions(transaction);
        const active = isActive === undefined ? null : Number(isActive);
        const listed = activities === undefined ? null : JSON.stringify(activities);
        await sql`
          insert into insolvencies (kvk_number, insolvency, is_active, activities, start_date, observed_at_ms, is_monitored)
          select cast(${kvkNumber} as text), cast(${insolvency ?? null} as text), cast(${active} as integer),
            cast(${listed} as text), cast(${startDate ?? null} as text), cast(${observedAtMs} as bigint), 0
          where not exists (select 1 from forgotten where kvk_number = ${kvkNumber})
          on conflict (kvk_number) do update set insolvency = excluded.insolvency, is_active = excluded.is_active,
            activities = excluded.activities, start_date = excluded.start_date,
            observed_at_ms = excluded.observed_at_ms
          where insolvencies.observed_at_ms <= excluded.observed_at_ms`.execute(transaction);
      });
    },

    /** In the order of the numbers; null where open data was never asked. */
    async insolvencies(kvkNumbers: readonly string[]): Promise<readonly (StoredOpenData | null)[]> {
      const rows = await findRows(db, "insolvencies", { kvk_number: kvkNumbers.filter(isKvkNumber) });
      const byNumber = new Map<string, StoredOpenData | null>(
        rows.map((row) => [row.kvk_number, asRecord(row)]),
      );
      return kvkNumbers.map((kvkNumber) => byNumber.get(kvkNumber) ?? null);
    },
  };
}

/** Companies without a monitor are no longer due, unless one was added in the meantime. */
async function noteEnded(db: Kysely<Tables>, kvkNumbers: readonly KvkNumber[]): Promise<void> {
  const hasNone = sql`and not exists (
    select 1 from monitors m where m.kvk_number = insolvencies.kvk_number and m.is_test = 0)`;
  const note = () =>
    db.transaction().execute(async (transaction) => {
      // Locks the rows first, as adding a monitor does.
      await lockRows(transaction, "insolvencies", { kvk_number: kvkNumbers });
      await updateRows(transaction, "insolvencies", { kvk_number: kvkNumbers }, { is_monitored: 0 }, hasNone);
    });
  await retryCollisions(note);
}

function asRecord(row: Selectable<Tables["insolvencies"]>): StoredOpenData | null {
  return row.observed_at_ms === 0 ? null : toObject("insolvencies", row, "kvk_number", "is_monitored");
}

/**
 * 1 if a company has a monitor of a live key, otherwise 0. The limit makes PostgreSQL look each company up by index; it
 * may answer `exists` by reading all monitors.
 */
export function isMonitored(table: string): RawBuilder<number> {
  return sql<number>`coalesce((
    select 1 from monitors m where m.kvk_number = ${sql.ref(`${table}.kvk_number`)} and m.is_test = 0 limit 1), 0)`;
}
