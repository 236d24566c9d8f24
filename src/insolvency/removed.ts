/** Cases that are no longer stored, until what was derived from them is erased. */

import { type Kysely, sql, type Transaction } from "kysely";
import { COURT_ORIGIN } from "../contract/insolvency.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { StoreClock } from "../database/clock.ts";
import { deleteRows, rowsOf } from "../database/rows.ts";
import type { Tables } from "../database/schema/tables.ts";
import { columnsOf } from "../database/sql.ts";
import type { CourtCase } from "./types.ts";

const HOUR_MS = 3_600_000;
/** Within this time after a removal, monitors report it. */
const ERASED_AFTER_MS = 12 * HOUR_MS;
/** Then it is erased even if they could not. */
const ERASED_WITHIN_MS = 23 * HOUR_MS;

/** A removed case and a company that it named; the number is empty for a case without one. */
export interface NotedRemoval {
  readonly caseNumber: string;
  readonly kvkNumber: KvkNumber | "";
  readonly removedAtMs: number;
}

/** Notes cases that are deleted in the same transaction, or that lose a company. */
export async function noteRemoved(
  transaction: Transaction<Tables>,
  cases: readonly Pick<CourtCase, "caseNumber" | "kvkNumbers">[],
  removedAtMs: number,
): Promise<void> {
  const noted = cases.flatMap(({ caseNumber, kvkNumbers }) =>
    (kvkNumbers.length === 0 ? [""] : kvkNumbers).map((kvkNumber) => ({
      caseNumber,
      kvkNumber,
      removedAtMs,
    })),
  );
  if (noted.length === 0) return;
  const rows = [...new Map(noted.map((row) => [`${row.caseNumber} ${row.kvkNumber}`, row])).values()];
  await sql`
    insert into court_removed (case_number, kvk_number, removed_at_ms)
    select case_number, kvk_number, removed_at_ms
    from ${rowsOf(transaction, rows, "w", columnsOf("court_removed"))} where true
    on conflict (case_number, kvk_number) do update set removed_at_ms = excluded.removed_at_ms`.execute(
    transaction,
  );
}

export function removedCaseQueries(db: Kysely<Tables>, now: StoreClock) {
  return {
    /** Removed cases whose traces must be erased now, the longest removed first. */
    async removalsToErase(limit: number): Promise<readonly NotedRemoval[]> {
      const nowMs = await now();
      const { rows } = await sql<NotedRemoval>`
        select case_number as "caseNumber", kvk_number as "kvkNumber", removed_at_ms as "removedAtMs"
        from court_removed r
        where removed_at_ms <= ${nowMs - ERASED_AFTER_MS} and (removed_at_ms <= ${nowMs - ERASED_WITHIN_MS}
          or not exists (
            select 1 from monitor_baselines b where b.kvk_number = r.kvk_number and b.origin = ${COURT_ORIGIN}
              and b.fields like '%"' || r.case_number || '"%'))
        order by removed_at_ms limit ${limit}`.execute(db);
      return rows;
    },

    /** Ends removals whose traces are erased, unless the case was removed again since. */
    async endRemovals(removals: readonly NotedRemoval[]): Promise<void> {
      for (const { caseNumber, kvkNumber, removedAtMs } of removals) {
        const row = { case_number: caseNumber, kvk_number: kvkNumber, removed_at_ms: removedAtMs };
        await deleteRows(db, "court_removed", row);
      }
    },
  };
}

export type RemovedCaseQueries = ReturnType<typeof removedCaseQueries>;
