import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { JOB_KINDS, type JobKind } from "../../contract/jobs.ts";
import type { StoreClock } from "../../database/clock.ts";
import { claimRow, isFree } from "../../database/leases.ts";
import { deleteRows, findRow, listOf, MAX_CANDIDATES, textsIn, updateRows } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { deleteSome } from "../../database/sweeping.ts";
import { mayExpire } from "../../webhooks/clockWatch.ts";
import type {
  ListLifetimes,
  ListRelease,
  NextItems,
  RenewedResults,
  ResultSize,
  StoredList,
  StoredResults,
} from "../stored.ts";
import { asList, endList } from "./ends.ts";

/** Lists of other kinds were sent to a newer version, which processes them. */
const IS_KNOWN = sql<SqlBool>`kind in ${listOf(JOB_KINDS)}`;

/** The list is neither paused nor ended. */
const IS_DUE = sql`and due_at_ms is not null`;

/** Claiming, processing and releasing lists. */
export function workQueries(db: Kysely<Tables>, now: StoreClock) {
  return {
    /** Claims the next list for `leaseMs`: of the least recently served account without a claimed list. */
    async claimList(leaseMs: number): Promise<StoredList | undefined> {
      const nowMs = await now();
      const isDue = sql`and due_at_ms <= ${nowMs} and ${hasNoClaim(sql.ref("jobs.account_id"), nowMs)}`;
      const begun = {
        status: sql`case when status = 'queued' then 'running' else status end`,
        started_at_ms: sql`coalesce(started_at_ms, ${nowMs})`,
        served_at_ms: nowMs,
      };
      for (const id of await dueLists(db, nowMs)) {
        const row = await claimRow(db, "jobs", { id }, { nowMs, leaseMs }, begun, isDue);
        if (row !== undefined) return asList(row);
      }
      return undefined;
    },

    /** Extends a claim. @returns false if another worker has claimed the list, or it was released or has ended */
    async extendClaim(listId: string, claim: number, leaseMs: number): Promise<boolean> {
      const leaseUntilMs = (await now()) + leaseMs;
      const own = { id: listId, claim };
      // A renewal that arrives after the release must not claim the list again.
      const isClaimed = sql`${IS_DUE} and lease_until_ms > 0`;
      return (await updateRows(db, "jobs", own, { lease_until_ms: leaseUntilMs }, isClaimed)) === 1;
    },

    async releaseList(
      listId: string,
      claim: number,
      { claimableAfterMs, reason }: ListRelease,
    ): Promise<void> {
      const nowMs = await now();
      const own = { id: listId, claim };
      const dueWithoutDelayMs = reason === undefined ? nowMs : null;
      const dueAtMs = claimableAfterMs === undefined ? dueWithoutDelayMs : nowMs + claimableAfterMs;
      const released = { due_at_ms: dueAtMs, status: reason === undefined ? "running" : "paused" } as const;
      // A list that was paused or ended in the meantime is not changed.
      await updateRows(db, "jobs", own, { ...released, reason: reason ?? null }, IS_DUE);
      await updateRows(db, "jobs", own, { lease_until_ms: 0 });
    },

    /** Returns the next items, or when to retry if only retries are left, or undefined when none are left. */
    async nextItems(
      listId: string,
      limit: number,
    ): Promise<NextItems | { readonly dueInMs: number } | undefined> {
      const nowMs = await now();
      const firstBlock = (condition: RawBuilder<unknown>) =>
        findRow(
          db,
          "job_blocks",
          { job_id: listId },
          sql`and taken < size and exists (select 1 from jobs where id = ${listId}) ${condition} limit 1`,
        );
      const next = await firstBlock(sql`and due_at_ms <= ${nowMs} order by block`);
      if (next !== undefined) {
        const taken = next.taken;
        const items = textsIn(next.numbers).slice(taken, taken + limit);
        return { block: next.block, taken, attempt: next.attempt, items };
      }
      const later = await firstBlock(sql`order by due_at_ms`);
      return later && { dueInMs: Math.max(0, later.due_at_ms - nowMs) };
    },

    /** The kinds of waiting lists that this version does not know, and does not claim. */
    async unknownKinds(): Promise<readonly string[]> {
      const { rows } = await sql<{ kind: string }>`
        select distinct kind from jobs where due_at_ms is not null and not (${IS_KNOWN}) order by kind`.execute(
        db,
      );
      return rows.map(({ kind }) => kind);
    },

    /**
     * Ends a list that has no numbers left and queues its webhook message.
     * @returns false if another worker has claimed it
     */
    async completeList(listId: string, claim: number): Promise<boolean> {
      const nowMs = await now();
      return db.transaction().execute(async (transaction) => {
        const row = await findRow(transaction, "jobs", { id: listId, claim, ended_at_ms: null });
        return row !== undefined && (await endList(transaction, row, "completed", nowMs));
      });
    },
  };
}

/**
 * Whether an account has no claimed list. The claim checks it again, because another list may have been claimed in the
 * meantime.
 */
export function hasNoClaim(accountId: RawBuilder<unknown>, nowMs: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (
    select 1 from jobs claimed where claimed.account_id = ${accountId} and not ${isFree("jobs", nowMs, "claimed")})`;
}

/** Lists to process, those of the least recently served account first, without accounts that have a claimed list. */
async function dueLists(db: Kysely<Tables>, nowMs: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select j.id from jobs j
    where j.due_at_ms <= ${nowMs} and ${IS_KNOWN} and ${hasNoClaim(sql.ref("j.account_id"), nowMs)}
    order by (select max(served.served_at_ms) from jobs served where served.account_id = j.account_id),
      j.created_at_ms, j.id
    limit ${MAX_CANDIDATES}`.execute(db);
  return rows.map(({ id }) => id);
}

/** An upload that takes longer will not complete. */
const RECEIVED_WITHIN_MS = 600_000;
/** How long a cancelled list is remembered, in case it is sent again under its `Idempotency-Key`. */
const CANCELLED_RETENTION_MS = 86_400_000;

/** Results of lists, and deletion of old ones. */
export function resultQueries(db: Kysely<Tables>, now: StoreClock) {
  // Results of cancelled and deleted lists are being deleted.
  const withLists = () => db.selectFrom("job_results").innerJoin("jobs", "jobs.id", "job_results.job_id");
  const visibleResults = () => withLists().where("status", "<>", "cancelled");
  return {
    async resultSizes(listId: string): Promise<readonly ResultSize[]> {
      return visibleResults()
        .select(["job_results.step", "jsonl_bytes as jsonlBytes", "csv_bytes as csvBytes", "mark"])
        .where("job_id", "=", listId)
        .orderBy("job_results.step")
        .execute();
    },

    async results(listId: string, step: number): Promise<StoredResults | undefined> {
      return visibleResults()
        .select(["job_results.step", "lines"])
        .where("job_id", "=", listId)
        .where("job_results.step", "=", step)
        .executeTakeFirst();
    },

    /**
     * Returns results of known kinds that were checked against a suppression list other than `mark`'s, of one list or
     * of all.
     */
    async staleResults(
      mark: string,
      limit: number,
      listId?: string,
    ): Promise<
      readonly (Omit<RenewedResults, keyof Omit<ResultSize, "step">> & { readonly kind: JobKind })[]
    > {
      return (
        withLists()
          .select(["job_id as jobId", "job_results.step", "lines", "kind", "mark as staleMark"])
          // As ranges of the index of marks: results renewed before are not read again.
          .where(sql<SqlBool>`(mark < ${mark} or mark > ${mark}) and ${IS_KNOWN}`)
          .$if(listId !== undefined, (all) => all.where("job_id", "=", listId ?? ""))
          .limit(limit)
          .execute()
      );
    },

    /** Results of known kinds after a place, by list and step; without lines that do not have a text. */
    async resultsAfter(
      { jobId, step }: Pick<RenewedResults, "jobId" | "step">,
      having: string,
      limit: number,
    ): Promise<
      readonly (Omit<RenewedResults, keyof Omit<ResultSize, "step">> & { readonly kind: JobKind })[]
    > {
      return withLists()
        .select(["job_id as jobId", "job_results.step", "kind", "mark as staleMark"])
        .select(sql<string>`case when lines like ${`%${having}%`} then lines else '' end`.as("lines"))
        .where(sql<SqlBool>`(job_id, job_results.step) > (${jobId}, ${step}) and ${IS_KNOWN}`)
        .orderBy("job_id")
        .orderBy("job_results.step")
        .limit(limit)
        .execute();
    },

    async renewResults({
      jobId,
      step,
      staleMark,
      lines,
      jsonlBytes,
      csvBytes,
      mark,
    }: RenewedResults): Promise<void> {
      const changes = { lines, jsonl_bytes: jsonlBytes, csv_bytes: csvBytes, mark };
      await updateRows(db, "job_results", { job_id: jobId, step, mark: staleMark }, changes);
    },

    /** Deletes some expired data. @returns whether more is left */
    async sweepLists(lifetimes: ListLifetimes): Promise<boolean> {
      const nowMs = await now();
      if (await emptyCancelled(db)) return true;
      if (!(await mayExpire(db, nowMs))) return false;
      if (await endOverdue(db, nowMs, lifetimes)) return true;
      const isExpired = sql`and (ended_at_ms <= ${nowMs - lifetimes.resultsMs}
        or (status = 'cancelled' and ended_at_ms <= ${nowMs - CANCELLED_RETENTION_MS})
        or (status = 'receiving' and created_at_ms <= ${nowMs - RECEIVED_WITHIN_MS}))`;
      const expired = await findRow(db, "jobs", {}, sql`${isExpired} limit 1`);
      if (expired === undefined) return false;
      for (const table of ["job_results", "job_blocks"] as const) {
        if (await deleteSome(db, table, expired.id)) return true;
      }
      await deleteRows(db, "jobs", { id: expired.id });
      return true;
    },
  };
}

/** Ends a list that expired. */
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

/** @returns whether a cancelled list still had results to delete */
async function emptyCancelled(db: Kysely<Tables>): Promise<boolean> {
  const hasResults = sql`and exists (select 1 from job_results where job_id = jobs.id) limit 1`;
  const cancelled = await findRow(db, "jobs", { status: "cancelled" }, hasResults);
  return cancelled !== undefined && deleteSome(db, "job_results", cancelled.id);
}
