import { type Kysely, type SqlBool, sql, type Transaction } from "kysely";
import { lockRows } from "./rows.ts";
import type { Tables } from "./schema/tables.ts";

/**
 * Whether the account of a row exists. The row of a deleted account stays until everything that refers to it is
 * deleted, with its id instead of its address, so that a transaction that waited for its lock can see it.
 */
export const IS_OPEN_ACCOUNT = sql<SqlBool>`accounts.email <> accounts.id`;

/** Locks an account until the end of the transaction. @returns false if it does not exist */
export async function lockAccount(transaction: Transaction<Tables>, accountId: string): Promise<boolean> {
  const locked = await lockRows(transaction, "accounts", { id: accountId }, sql`and ${IS_OPEN_ACCOUNT}`);
  return locked.length === 1;
}

/** Runs work in a transaction that has locked an account. @returns `absent` if the account does not exist */
export function withAccount<Result, Absent>(
  db: Kysely<Tables>,
  accountId: string,
  absent: Absent,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result | Absent> {
  return db
    .transaction()
    .execute(async (transaction) =>
      (await lockAccount(transaction, accountId)) ? work(transaction) : absent,
    );
}
