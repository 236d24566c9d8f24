import { type Kysely, sql } from "kysely";
import type { JobStore, ListLifetimes } from "../../jobs/store.ts";
import type { Tables } from "../schema/tables.ts";
import type { StoreClock } from "../stateStore.ts";
import { deleteSome } from "./inSteps.ts";
import { endList } from "./jobEnds.ts";
import { deleteRows, findRow, listOf, updateRows } from "./rows.ts";

/** What was being received for so long will never be whole. */
const RECEIVED_WITHIN_MS = 600_000;
/** For so long a list that is sent again under its `Idempotency-Key` is the same one, cancelled as it is. */
const CANCELLED_KEPT_MS = 86_400_000;

type ResultQueries = Pick<
  JobStore,
  "resultSizes" | "results" | "staleResults" | "renewResults" | "sweepLists"
>;

/** What lists brought, and what is kept of it no longer. */
export function resultQueries(db: Kysely<Tables>, now: StoreClock): ResultQueries {
  // Those of a list that was cancelled or deleted are on their way out.
  const told = () =>
    db
      .selectFrom("job_results")
      .innerJoin("jobs", "jobs.id", "job_results.job_id")
      .where("status", "<>", "cancelled");
  return {
    async resultSizes(listId) {
      return told()
        .select(["job_results.step", "jsonl_bytes as jsonlBytes", "csv_bytes as csvBytes", "mark"])
        .where("job_id", "=", listId)
        .orderBy("job_results.step")
        .execute();
    },

    async results(listId, step) {
      return told()
        .select(["job_results.step", "lines"])
        .where("job_id", "=", listId)
        .where("job_results.step", "=", step)
        .executeTakeFirst();
    },

    async staleResults(mark, most, listId) {
      let rows = told()
        .select(["job_results.job_id as jobId", "job_results.step", "job_results.lines", "jobs.kind"])
        .where("mark", "<>", mark);
      if (listId !== undefined) rows = rows.where("job_id", "=", listId);
      return rows.orderBy("job_id").orderBy("job_results.step").limit(most).execute();
    },

    async renewResults({ jobId, step, lines, jsonlBytes, csvBytes, mark }) {
      const changes = { lines, jsonl_bytes: jsonlBytes, csv_bytes: csvBytes, mark };
      await updateRows(db, "job_results", { job_id: jobId, step }, changes);
    },

    async sweepLists(lifetimes) {
      const nowMs = await now();
      if (await endOverdue(db, nowMs, lifetimes)) return true;
      if (await emptyCancelled(db)) return true;
      const isOver = sql`and (ended_at_ms <= ${nowMs - lifetimes.resultsMs}
        or (status = 'cancelled' and ended_at_ms <= ${nowMs - CANCELLED_KEPT_MS})
        or (status = 'receiving' and created_at_ms <= ${nowMs - RECEIVED_WITHIN_MS}))`;
      const over = await findRow(db, "jobs", {}, sql`${isOver} limit 1`);
      if (over === undefined) return false;
      for (const table of ["job_results", "job_blocks"] as const) {
        if (await deleteSome(db, table, over.id)) return true;
      }
      await deleteRows(db, "jobs", { id: over.id });
      return true;
    },
  };
}

/** Ends a list that waited for too long. */
async function endOverdue(
  db: Kysely<Tables>,
  nowMs: number,
  { openMs, freeOpenMs, freeTiers }: ListLifetimes,
): Promise<boolean> {
  const isFree = sql`
    exists (select 1 from accounts where accounts.id = jobs.account_id and tier in ${listOf(freeTiers)})`;
  const isOverdue = sql`and status <> 'receiving' and created_at_ms <= ${nowMs - freeOpenMs}
    and (created_at_ms <= ${nowMs - openMs} or ${isFree})`;
  const overdue = await findRow(db, "jobs", { ended_at_ms: null }, sql`${isOverdue} limit 1`);
  if (overdue === undefined) return false;
  await db.transaction().execute((transaction) => endList(transaction, overdue, "expired", nowMs));
  return true;
}

/** @returns whether there was anything left to delete of lists that were cancelled */
async function emptyCancelled(db: Kysely<Tables>): Promise<boolean> {
  const hasResults = sql`and exists (select 1 from job_results where job_id = jobs.id) limit 1`;
  const cancelled = await findRow(db, "jobs", { status: "cancelled" }, hasResults);
  return cancelled !== undefined && deleteSome(db, "job_results", cancelled.id);
}
