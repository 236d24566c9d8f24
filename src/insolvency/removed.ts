/** Cases that are no longer stored, until what was derived from them is erased. */

import { type Kysely, sql, type Transaction } from "kysely";
import type { KvkNumber } from "../contract/numbers.ts";
import type { StoreClock } from "../database/clock.ts";
import { toObject } from "../database/objects.ts";
import { deleteRows, findRows, rowsOf } from "../database/rows.ts";
import type { Tables } from "../database/schema/tables.ts";
import { columnsOf } from "../database/sql.ts";
import type { CourtCase } from "./types.ts";

/** Less than a day, so that monitors have reported the removal before, and its traces are gone within a day. */
const ERASED_AFTER_MS = 20 * 3_600_000;

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
      const isDue = sql`and removed_at_ms <= ${(await now()) - ERASED_AFTER_MS}
        order by removed_at_ms limit ${limit}`;
      return (await findRows(db, "court_removed", {}, isDue)).map((row) => toObject("court_removed", row));
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
