import { type Kysely, sql } from "kysely";
import type { ErrorCode } from "../../contract/errors.ts";
import { rowsOf, updateRows } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { columnsOf } from "../../database/sql.ts";
import {
  type BrowserSighting,
  type CallFilter,
  type CallPage,
  type FailedCount,
  MAX_CALLS,
  type RecordedCall,
} from "../recordedCalls.ts";

/** The recent calls of accounts, counts of failed calls, and keys seen in browsers. */
export function callQueries(db: Kysely<Tables>) {
  return {
    /**
     * Adds to the counts of failed calls. Counts of deleted keys are skipped. Each key, day and operation occurs once.
     */
    async addFailedCalls(counts: readonly FailedCount[]): Promise<void> {
      if (counts.length === 0) return;
      // Ordered, so that two nodes that add to the same lines do not deadlock.
      await sql`
        insert into failed_calls (account_id, key_id, day, operation, failed_caller, failed_service)
        select keys.account_id, counted.key_id, counted.day, counted.operation, counted.failed_caller, counted.failed_service
        from ${rowsOf(db, counts, "counted", COUNT)} join keys on keys.id = counted.key_id
        where true
        order by 1, 3, 2, 4
        on conflict (account_id, day, key_id, operation) do update set
          failed_caller = failed_calls.failed_caller + excluded.failed_caller,
          failed_service = failed_calls.failed_service + excluded.failed_service`.execute(db);
    },

    /** Stores the latest sighting of each key. Sightings of deleted keys are skipped. */
    async addSightings(sightings: readonly BrowserSighting[]): Promise<void> {
      // One statement each, because locking several rows could deadlock with a batch.
      for (const { keyId, origin, atMs } of sightings) {
        const isNewer = sql`and kind <> 'pub' and (browser_at_ms is null or browser_at_ms < ${atMs})`;
        const seen = { browser_origin: origin, browser_at_ms: atMs };
        await updateRows(db, "keys", { id: keyId }, seen, isNewer);
      }
    },

    /**
     * Stores calls. Calls of deleted keys are skipped.
     * @param trimmed accounts to cut to their last {@link MAX_CALLS} calls
     */
    async addCalls(calls: readonly RecordedCall[], trimmed: readonly string[]): Promise<void> {
      await addCalls(db, calls);
      for (const accountId of trimmed) await deleteOldestCalls(db, accountId);
    },

    /** Returns a page of an account's last {@link MAX_CALLS} calls since `sinceMs`. */
    async calls(
      accountId: string,
      sinceMs: number,
      filter: CallFilter,
      { offset, limit }: { readonly offset: number; readonly limit: number },
    ): Promise<CallPage> {
      const last = db
        .selectFrom("calls")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("at_ms", ">", sinceMs)
        .orderBy("at_ms", "desc")
        .orderBy("request_id", "desc")
        .limit(MAX_CALLS)
        .as("last");
      const { keyId, operation, statuses } = filter;
      const matching = db
        .selectFrom(last)
        .$if(keyId !== undefined, (query) => query.where("key_id", "=", keyId ?? ""))
        .$if(operation !== undefined, (query) => query.where("operation", "=", operation ?? "other"))
        .$if(statuses !== undefined, (query) =>
          query.where("status", ">=", statuses?.from ?? 0).where("status", "<=", statuses?.to ?? 0),
        );
      const rows = await matching
        .select(["at_ms as atMs", "request_id as requestId", "key_id as keyId", "operation"])
        .select(["status", "code", "tokens", "duration_us as durationUs"])
        .orderBy("at_ms", "desc")
        .orderBy("request_id", "desc")
        .offset(offset)
        .limit(limit)
        .execute();
      const { total } = await matching
        .select((select) => select.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      const keys = await db.selectFrom(last).select("key_id").distinct().execute();
      // Codes are written only by `addCalls`.
      const found = rows.map((row) => ({ ...row, code: (row.code ?? undefined) as ErrorCode | undefined }));
      return { calls: found, total, keyIds: keys.map((row) => row.key_id).sort() };
    },
  };
}

const COUNT = columnsOf("failed_calls");
const CALL = columnsOf("calls");

/**
 * One statement with few parameters, however many calls it has: with nine per call, writing the statement takes longer
 * than all of the store's work. Without its `where` SQLite would take the next `on` for the join's
 * (sqlite.org/lang_upsert.html#parsing_ambiguity).
 */
async function addCalls(db: Kysely<Tables>, calls: readonly RecordedCall[]): Promise<void> {
  if (calls.length === 0) return;
  await sql`
    insert into calls (account_id, at_ms, request_id, key_id, operation, status, code, tokens, duration_us)
    select k.account_id, c.at_ms, c.request_id, k.id, c.operation, c.status, c.code, c.tokens, c.duration_us
    from ${rowsOf(db, calls, "c", CALL)} join keys as k on k.id = c.key_id
    where true
    on conflict (account_id, at_ms, request_id) do nothing`.execute(db);
}

async function deleteOldestCalls(db: Kysely<Tables>, accountId: string): Promise<void> {
  await sql`
    delete from calls where account_id = ${accountId} and at_ms < (
      select at_ms from calls where account_id = ${accountId} order by at_ms desc limit 1 offset ${MAX_CALLS - 1}
    )`.execute(db);
}

export type CallQueries = ReturnType<typeof callQueries>;
