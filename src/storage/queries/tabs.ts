/** What those outside the hot path need to know of accounts' tabs (docs/decisions/0094): how one is closed, and how to read beside one. */
import { type Kysely, sql, type Transaction } from "kysely";
import { type Books, LIVE_BOOKS } from "../books.ts";
import type { Tables } from "../tables.ts";

/**
 * Closes the tab of an account if it has one, so that month, window and ledger tell by themselves what was used. Call it under the lock of the
 * account: nobody opens a tab meanwhile.
 */
export async function closeTab(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  const named = await transaction
    .selectFrom("account_tabs")
    .select("key_id")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (named === undefined) return;
  // Whoever changes a key that has a tab has the key first.
  await transaction
    .updateTable("keys")
    .set((set) => ({ minute: set.ref("minute") }))
    .where("id", "=", named.key_id)
    .execute();
  const tab = await transaction
    .deleteFrom("account_tabs")
    .where("account_id", "=", accountId)
    .returningAll()
    .executeTakeFirst();
  if (tab === undefined) return;
  await transaction
    .updateTable("account_months")
    .set({ used: tab.used })
    .where("account_id", "=", accountId)
    .where("month", "=", tab.month)
    .execute();
  await transaction
    .updateTable("keys")
    .set({ minute: tab.minute, calls_in_minute: tab.calls_in_minute })
    .where("id", "=", tab.key_id)
    .execute();
  const { open_day: day, open_operation: operation, open_requests: requests, open_tokens: tokens } = tab;
  if (day === null || operation === null || requests === null || tokens === null) return;
  await transaction
    .insertInto("ledger")
    .values({
      account_id: accountId,
      day,
      key_id: tab.key_id,
      operation,
      requests,
      tokens,
      refused_rate: 0,
      refused_allowance: 0,
      sessions: 0,
      session_calls: 0,
    })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "day", "key_id", "operation"]).doUpdateSet((set) => ({
        requests: sql<number>`${set.ref("ledger.requests")} + ${set.ref("excluded.requests")}`,
        tokens: sql<number>`${set.ref("ledger.tokens")} + ${set.ref("excluded.tokens")}`,
      })),
    )
    .execute();
}

/** The months of accounts in some books with what was used in them, to be selected from: an open tab tells it of its month. */
export function usedMonths(db: Kysely<Tables>, books: Books = LIVE_BOOKS) {
  const months = db.selectFrom(sql.table<Tables["account_months"]>(books.months).as("months"));
  if (books.isTest) return months.select(["account_id", "month", "used"]).as("used_months");
  return months
    .leftJoin("account_tabs as tab", (join) =>
      join.onRef("tab.account_id", "=", "months.account_id").onRef("tab.month", "=", "months.month"),
    )
    .select(["months.account_id", "months.month"])
    .select((select) => select.fn.coalesce("tab.used", "months.used").as("used"))
    .as("used_months");
}

/** The rate windows of keys, to be selected from: an open tab tells that of its key. */
export function keyWindows(db: Kysely<Tables>) {
  return db
    .selectFrom("keys")
    .leftJoin("account_tabs as tab", (join) =>
      join.onRef("tab.account_id", "=", "keys.account_id").onRef("tab.key_id", "=", "keys.id"),
    )
    .select("keys.id")
    .select((select) => select.fn.coalesce("tab.minute", "keys.minute").as("minute"))
    .as("windows");
}
