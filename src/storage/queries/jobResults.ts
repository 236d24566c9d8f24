import type { Kysely } from "kysely";
import type { JobStore, ListLifetimes } from "../../jobs/store.ts";
import type { Tables } from "../schema/tables.ts";
import type { StoreClock } from "../stateStore.ts";
import { deleteSome } from "./inSteps.ts";
import { endList } from "./jobEnds.ts";
import { deleteRows, updateRows } from "./rows.ts";

/** What was being received for so long will never be whole. */
export const RECEIVED_WITHIN_MS = 600_000;
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
      const over = await db
        .selectFrom("jobs")
        .select("id")
        .where((where) =>
          where.or([
            where("ended_at_ms", "<=", nowMs - lifetimes.resultsMs),
            where.and([
              where("status", "=", "cancelled"),
              where("ended_at_ms", "<=", nowMs - CANCELLED_KEPT_MS),
            ]),
            where.and([
              where("status", "=", "receiving"),
              where("created_at_ms", "<=", nowMs - RECEIVED_WITHIN_MS),
            ]),
          ]),
        )
        .limit(1)
        .executeTakeFirst();
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
  const overdue = await db
    .selectFrom("jobs")
    .selectAll()
    .where("ended_at_ms", "is", null)
    .where("status", "<>", "receiving")
    .where("created_at_ms", "<=", nowMs - freeOpenMs)
    .where((where) =>
      where.or([
        where("created_at_ms", "<=", nowMs - openMs),
        where.exists(
          where
            .selectFrom("accounts")
            .select("id")
            .whereRef("id", "=", "jobs.account_id")
            .where("tier", "in", freeTiers),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  if (overdue === undefined) return false;
  await db.transaction().execute((transaction) => endList(transaction, overdue, "expired", nowMs));
  return true;
}

/** @returns whether there was anything left to delete of lists that were cancelled */
async function emptyCancelled(db: Kysely<Tables>): Promise<boolean> {
  const cancelled = await db
    .selectFrom("jobs")
    .select("id")
    .where("status", "=", "cancelled")
    .where(({ exists, selectFrom }) =>
      exists(selectFrom("job_results").select("step").whereRef("job_id", "=", "jobs.id")),
    )
    .limit(1)
    .executeTakeFirst();
  return cancelled !== undefined && deleteSome(db, "job_results", cancelled.id);
}
