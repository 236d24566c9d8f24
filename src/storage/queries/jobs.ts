import { type Kysely, sql } from "kysely";
import { JOB_BOUNDS, JOB_STATUSES } from "../../contract/jobs.ts";
import type { EarlierList, JobStore, ListBounds, ListRefusal, NewList } from "../../jobs/store.ts";
import type { Tables } from "../schema/tables.ts";
import type { StoreClock } from "../stateStore.ts";
import { asList, changeList } from "./jobEnds.ts";
import { resultQueries } from "./jobResults.ts";
import { workQueries } from "./jobWork.ts";
import { NUMBERS, takePlaces } from "./listTotals.ts";
import { addOwner } from "./owners.ts";
import { webhookQueries } from "./webhooks.ts";

/** Lists that are worked off, in SQL that every store understands. */
export function jobQueries(db: Kysely<Tables>, now: StoreClock): JobStore {
  return {
    ...listQueries(db, now),
    ...workQueries(db, now),
    ...resultQueries(db, now),
    ...webhookQueries(db, now),
  };
}

type ListQueries = Pick<
  JobStore,
  "addList" | "addNumbers" | "beginList" | "list" | "lists" | "changeList" | "listCounts"
>;

function listQueries(db: Kysely<Tables>, now: StoreClock): ListQueries {
  // The results of what is over are deleted in steps: nobody may be told a part of them as all.
  const told = (nowMs: number) =>
    db
      .selectFrom("jobs")
      .selectAll()
      .where("status", "<>", "receiving")
      .where((where) =>
        where.or([where("ended_at_ms", "is", null), where("ended_at_ms", ">", nowMs - RESULTS_KEPT_MS)]),
      );
  return {
    async addList(list, bounds) {
      const nowMs = await now();
      return db.transaction().execute(async (transaction) => {
        const tier = await holdAccount(transaction, list.accountId);
        const earlier = await earlierOf(transaction, list);
        if (earlier !== undefined) return earlier;
        const refusal = await refusalOf(transaction, list, bounds, tier);
        if (refusal !== undefined) return refusal;
        const numbers = list.sent - list.duplicates;
        const places = { numbers, isFree: bounds.freeTiers.includes(tier), nowMs };
        if (!(await takePlaces(transaction, places, bounds))) return "full";
        await addOwner(transaction, list.accountId);
        await transaction.insertInto("jobs").values(rowOf(list, nowMs)).execute();
        return "added";
      });
    },

    async addNumbers(listId, accountId, firstBlock, blocks) {
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
        // What comes after its list was deleted would be nobody's, and stay.
        if (!(await lockReceived(transaction, listId))) return;
        await transaction.insertInto("job_blocks").values(rows).execute();
      });
    },

    async beginList(listId) {
      const row = await db
        .updateTable("jobs")
        .set({ status: "queued", due_at_ms: await now() })
        .where("id", "=", listId)
        .where("status", "=", "receiving")
        .returningAll()
        .executeTakeFirst();
      return row && asList(row);
    },

    async list(accountId, listId) {
      const row = await told(await now())
        .where("id", "=", listId)
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      return row && asList(row);
    },

    async lists(accountId) {
      const nowMs = await now();
      const rows = await told(nowMs)
        .where("account_id", "=", accountId)
        .where((where) =>
          where.or([
            where("status", "<>", "cancelled"),
            where(
              "id",
              "in",
              where
                .selectFrom("jobs")
                .select("id")
                .where("account_id", "=", accountId)
                .where("status", "=", "cancelled")
                .where("ended_at_ms", ">", nowMs - CANCELLED_LISTED_MS)
                .orderBy("ended_at_ms", "desc")
                .limit(MAX_CANCELLED_LISTED),
            ),
          ]),
        )
        .orderBy("created_at_ms", "desc")
        .orderBy("id")
        .execute();
      return rows.map(asList);
    },

    async changeList(accountId, listId, change) {
      const nowMs = await now();
      return db
        .transaction()
        .execute((transaction) => changeList(transaction, { accountId, listId, change, nowMs }));
    },

    async listCounts() {
      const rows = await db
        .selectFrom("jobs")
        .select("status")
        .select((select) => select.fn.countAll<number>().as("count"))
        .groupBy("status")
        .execute();
      const counts = new Map(rows.map(({ status, count }) => [status, Number(count)]));
      return JOB_STATUSES.map((status) => ({ status, count: counts.get(status) ?? 0 }));
    },
  };
}

/** Beside all that an account keeps. */
const MAX_CANCELLED_LISTED = 100;
const CANCELLED_LISTED_MS = 3_600_000;
const RESULTS_KEPT_MS = JOB_BOUNDS.resultDays * 86_400_000;

/**
 * Locks an account, so that lists of it that begin at once are counted one after the other.
 * @returns its tier, which stays the same until the end of the transaction
 */
async function holdAccount(db: Kysely<Tables>, accountId: string): Promise<string> {
  const account = await db
    .updateTable("accounts")
    .set((set) => ({ email: set.ref("email") }))
    .where("id", "=", accountId)
    .returning("tier")
    .executeTakeFirst();
  return account?.tier ?? "";
}

/** Holds a list that is being received, so that it is not deleted meanwhile. False when it is. */
async function lockReceived(db: Kysely<Tables>, listId: string): Promise<boolean> {
  const locked = await db
    .updateTable("jobs")
    .set((set) => ({ status: set.ref("status") }))
    .where("id", "=", listId)
    .where("status", "=", "receiving")
    .returning("id")
    .executeTakeFirst();
  return locked !== undefined;
}

async function earlierOf(
  db: Kysely<Tables>,
  { id, accountId, idBegins }: NewList,
): Promise<EarlierList | undefined> {
  if (idBegins === undefined) return undefined;
  const rows = await db
    .selectFrom("jobs")
    .select(["id", "status"])
    .where("account_id", "=", accountId)
    .where("id", "like", `${idBegins}%`)
    .execute();
  // SQLite compares without case.
  const earlier = rows.find((row) => row.id.startsWith(idBegins));
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
  if (Number(open) >= bounds.mostOpen) return "open";
  if (Number(kept) >= bounds.mostKept) return "kept";
  const { cancelled } = await db
    .selectFrom("jobs")
    .select((select) => select.fn.countAll<number>().as("cancelled"))
    .where("account_id", "=", accountId)
    .where("status", "=", "cancelled")
    .executeTakeFirstOrThrow();
  if (Number(cancelled) >= bounds.mostCancelled) return "cancelled";
  const maxNumbers = bounds.maxNumbers[tier] ?? bounds.maxNumbersOfOthers;
  if (Number(own) + sent - duplicates > maxNumbers) return "numbers";
  if (webhook === undefined) return undefined;
  const secret = await db
    .selectFrom("webhook_secrets")
    .select("seed")
    .where("account_id", "=", accountId)
    .where("ends_at_ms", "is", null)
    .executeTakeFirst();
  return secret === undefined ? "no-secret" : undefined;
}

function rowOf(list: NewList, nowMs: number) {
  return {
    id: list.id,
    account_id: list.accountId,
    key_id: list.keyId,
    is_test: list.isTest === true ? 1 : 0,
    kind: list.kind,
    status: "receiving" as const,
    reason: null,
    sent: list.sent,
    duplicates: list.duplicates,
    estimated: list.estimated,
    found: 0,
    failed: 0,
    charged: 0,
    max_tokens: list.maxTokens ?? null,
    webhook: list.webhook ?? null,
    created_at_ms: nowMs,
    started_at_ms: null,
    ended_at_ms: null,
    step: 0,
    claim: 0,
    lease_until_ms: 0,
    due_at_ms: null,
    served_at_ms: 0,
  };
}
