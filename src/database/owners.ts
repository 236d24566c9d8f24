import { type SqlBool, sql, type Transaction } from "kysely";
import { upsertRow } from "./rows.ts";
import type { Tables } from "./schema/tables.ts";

/** Records that an account has rows that are deleted in steps. */
export async function addOwner(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  await upsertRow(transaction, "owners", { id: accountId, present_id: accountId });
}

/** Whether a row's account still exists. */
export function isNotDeleted(table: keyof Tables) {
  return sql<SqlBool>`not exists (
    select 1 from owners where owners.id = ${sql.ref(`${table}.account_id`)} and present_id is null)`;
}
