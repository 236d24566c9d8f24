import { type Kysely, sql, type Transaction } from "kysely";
import { JOB_BOUNDS, JOB_STATUSES, type JobStatus } from "../../contract/jobs.ts";
import type { StoreClock } from "../../database/clock.ts";
import { toRow } from "../../database/objects.ts";
import { addOwner } from "../../database/owners.ts";
import {
  changeRows,
  countRows,
  findRow,
  findRows,
  insertRows,
  lockRows,
  updateRows,
} from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import type { EarlierList, ListBounds, ListChange, ListRefusal, NewList, StoredList } from "../stored.ts";
import { asList, changeList } from "./ends.ts";
import { NUMBERS, reserveListSpace } from "./listTotals.ts";
import { resultQueries, workQueries } from "./work.ts";

export type JobQueries = ReturnType<typeof jobQueries>;

/** Background lists, in SQL for every store. */
export function jobQueries(db: Kysely<Tables>, now: StoreClock) {
  return {
    ...listQueries(db, now),
    ...workQueries(db, now),
    ...resultQueries(db, now),
  };
}

function listQueries(db: Kysely<Tables>, now: StoreClock) {
  // Old results are deleted in steps, and a part must not be returned as all of them.
  const isShown = (nowMs: number) =>
    sql`and status <> 'receiving' and (ended_at_ms is null or ended_at_ms > ${nowMs - RESULTS_KEPT_MS})`;
  return {
    /** Adds a list. It is not visible before {@link beginList}. */
    async addList(list: NewList, bounds: ListBounds): Promise<ListRefusal | EarlierList | "added"> {
      const nowMs = await now();
      return db.transaction().execute(async (transaction) => {
        const tier = await lockAccountOfList(transaction, list.accountId);
        const earlier = await earlierOf(transaction, list);
        if (earlier !== undefined) return earlier;
        const refusal = await refusalOf(transaction, list, bounds, tier);
        if (refusal !== undefined) return refusal;
        const numbers = list.sent - list.duplicates;
        const places = { numbers, isFree: bounds.freeTiers.includes(tier), nowMs };
        if (!(await reserveListSpace(transaction, places, bounds))) return "full";
        await addOwner(transaction, list.accountId);
        await insertRows(transaction, "jobs", rowOf(list, nowMs));
        // Its owner is not mailed again until it has accepted a message.
        const address = { account_id: list.accountId, url: list.webhook ?? "" };
        await updateRows(transaction, "webhook_endpoints", address, { disabled_at_ms: null });
        return "added";
      });
    },

    /** Adds items to a list that is being received. */
    async addNumbers(
      listId: string,
      accountId: string,
      firstBlock: number,
      blocks: readonly (readonly string[])[],
    ): Promise<void> {
      const dueAtMs = await now();
      const rows = blocks.map((numbers, index) => ({
        job_id: listId,
        account_id: accountId,
        block: firstBlock + index,
        attempt: 0,
        due_at_ms: dueAtMs,
        size: numbers.length,
        taken: 0,
        numbers: JSON.stringify(numbers),
      }));
      await db.transaction().execute(async (transaction) => {
        // Rows added after the deletion of their list would never be deleted.
        const locked = await lockRows(transaction, "jobs", { id: listId, status: "receiving" });
        if (locked.length === 1) await insertRows(transaction, "job_blocks", ...rows);
      });
    },

    async beginList(listId: string): Promise<StoredList | undefined> {
      const begun = { status: "queued" as const, due_at_ms: await now() };
      const [row] = await changeRows(db, "jobs", { id: listId, status: "receiving" }, begun);
      return row && asList(row);
    },

    async list(accountId: string, listId: string): Promise<StoredList | undefined> {
      const row = await findRow(db, "jobs", { id: listId, account_id: accountId }, isShown(await now()));
      return row && asList(row);
    },

    /** Returns an account's lists, newest first. */
    async lists(accountId: string): Promise<readonly StoredList[]> {
      const nowMs = await now();
      const cancelled = sql`
        select id from jobs
        where account_id = ${accountId} and status = 'cancelled' and ended_at_ms > ${nowMs - CANCELLED_LISTED_MS}
        order by ended_at_ms desc limit ${MAX_CANCELLED_LISTED}`;
      const rows = await findRows(
        db,
        "jobs",
        { account_id: accountId },
        sql`${isShown(nowMs)} and (status <> 'cancelled' or id in (${cancelled})) order by created_at_ms desc, id`,
      );
      return rows.map(asList);
    },

    /**
     * @returns undefined if the account has no such list; `ended` if it has ended; `cap` if resuming needs a higher
     * `maxTokens`
     */
    async changeList(
      accountId: string,
      listId: string,
      change: ListChange,
    ): Promise<StoredList | "ended" | "cap" | undefined> {
      const nowMs = await now();
      return db
        .transaction()
        .execute((transaction) => changeList(transaction, { accountId, listId, change, nowMs }));
    },

    /** Counts lists by status. */
    async listCounts(): Promise<readonly { readonly status: JobStatus; readonly count: number }[]> {
      const rows = await db
        .selectFrom("jobs")
        .select("status")
        .select((select) => select.fn.countAll<number>().as("count"))
        .groupBy("status")
        .execute();
      const counts = new Map(rows.map(({ status, count }) => [status, count]));
      return JOB_STATUSES.map((status) => ({ status, count: counts.get(status) ?? 0 }));
    },
  };
}

/** In addition to all other lists of an account. */
const MAX_CANCELLED_LISTED = 100;
const CANCELLED_LISTED_MS = 3_600_000;
const RESULTS_KEPT_MS = JOB_BOUNDS.resultDays * 86_400_000;

/**
 * Locks an account, so that its concurrent lists are counted one after the other.
 * @returns its tier, which stays the same until the end of the transaction
 */
async function lockAccountOfList(transaction: Transaction<Tables>, accountId: string): Promise<string> {
  const [account] = await lockRows(transaction, "accounts", { id: accountId });
  return account?.tier ?? "";
}

async function earlierOf(
  db: Kysely<Tables>,
  { id, accountId, idPrefix }: NewList,
): Promise<EarlierList | undefined> {
  if (idPrefix === undefined) return undefined;
  const rows = await findRows(db, "jobs", { account_id: accountId }, sql`and id like ${`${idPrefix}%`}`);
  // SQLite compares without case.
  const earlier = rows.find((row) => row.id.startsWith(idPrefix));
  if (earlier === undefined) return undefined;
  if (earlier.id !== id) return "another";
  return earlier.status === "receiving" ? "receiving" : "repeated";
}

async function refusalOf(
  db: Kysely<Tables>,
  { accountId, sent, duplicates, webhook }: NewList,
  bounds: ListBounds,
  tier: string,
): Promise<ListRefusal | undefined> {
  const { open, kept, own } = await db
    .selectFrom("jobs")
    .select([
      sql<number>`coalesce(sum(case when ended_at_ms is null then 1 else 0 end), 0)`.as("open"),
      sql<number>`count(*)`.as("kept"),
      NUMBERS.as("own"),
    ])
    .where("account_id", "=", accountId)
    .where("status", "<>", "cancelled")
    .executeTakeFirstOrThrow();
  if (open >= bounds.maxOpen) return "open";
  if (kept >= bounds.maxStored) return "kept";
  const cancelled = await countRows(db, "jobs", { account_id: accountId, status: "cancelled" });
  if (cancelled >= bounds.maxCancelled) return "cancelled";
  const maxNumbers = bounds.maxNumbers[tier] ?? bounds.maxNumbersOfOthers;
  if (Number(own) + sent - duplicates > maxNumbers) return "numbers";
  if (webhook === undefined) return undefined;
  const secret = await findRow(db, "webhook_secrets", { account_id: accountId, ends_at_ms: null });
  return secret === undefined ? "no-secret" : undefined;
}

function rowOf(list: NewList, nowMs: number) {
  const counts = { found: 0, failed: 0, charged: 0, step: 0, claim: 0 };
  const times = { createdAtMs: nowMs, leaseUntilMs: 0, servedAtMs: 0 };
  return toRow("jobs", { ...list, ...counts, ...times, status: "receiving" });
}
