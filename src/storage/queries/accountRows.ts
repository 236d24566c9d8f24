import { type Selectable, type SqlBool, sql, type Transaction } from "kysely";
import type { Account, NewAccount } from "../../accounts/store.ts";
import type { Tables } from "../schema/tables.ts";
import { takeOver } from "./departed.ts";

/** A row as the account that it is. */
export function asAccount(row: Selectable<Tables["accounts"]>): Account {
  return {
    id: row.id,
    email: row.email,
    tierName: row.tier,
    isSuspended: row.suspended === 1,
    createdAt: row.created_at,
    ...(row.suspended === 1 && row.suspended_at !== null && { suspendedAt: row.suspended_at }),
  };
}

/**
 * Whether a row of `accounts` is one of an account that is there. The row of a deleted one stays until what refers to it is deleted in steps, with its
 * id in the place of its address: told by the row itself, so that who waited for its lock sees it.
 */
export const IS_THERE = sql<SqlBool>`accounts.email <> accounts.id`;

/** Locks an account until the end of the transaction, by an update that changes nothing. @returns false when there is none */
export async function lockAccount(transaction: Transaction<Tables>, accountId: string): Promise<boolean> {
  const locked = await transaction
    .updateTable("accounts")
    .set((set) => ({ suspended: set.ref("suspended") }))
    .where("id", "=", accountId)
    .where(IS_THERE)
    .returning("id")
    .execute();
  return locked.length === 1;
}

/**
 * Adds an account with what an earlier one of its address leaves it: what was used, and a suspension. False when the
 * address is taken.
 * @param nowMs by the store's clock
 */
export async function insertAccount(
  transaction: Transaction<Tables>,
  { id, email, tierName, isSuspended, createdAt, emailHash }: NewAccount,
  nowMs: number,
): Promise<boolean> {
  const added = await transaction
    .insertInto("accounts")
    .values({ id, email, tier: tierName, suspended: isSuspended ? 1 : 0, created_at: createdAt })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .execute();
  if (added.length === 0) return false;
  if (emailHash !== undefined) {
    await takeOver(transaction, id, emailHash, nowMs);
    await takeOverSuspension(transaction, id, emailHash, nowMs);
  }
  return true;
}

/** Suspends an account whose address was suspended when its last account was deleted. */
export async function takeOverSuspension(
  transaction: Transaction<Tables>,
  accountId: string,
  emailHash: string,
  nowMs: number,
): Promise<void> {
  const [before] = await transaction
    .deleteFrom("suspended_addresses")
    .where("email_hash", "=", emailHash)
    .where("kept_until_ms", ">", nowMs)
    .returning("suspended_at")
    .execute();
  if (before === undefined) return;
  await transaction
    .updateTable("accounts")
    .set({ suspended: 1, suspended_at: before.suspended_at })
    .where("id", "=", accountId)
    .execute();
}

/** Keeps the suspension of an account that is about to be deleted, if it is suspended; call it under the lock of the account. */
export async function keepSuspension(
  transaction: Transaction<Tables>,
  accountId: string,
  emailHash: string,
  keptUntilMs: number,
): Promise<void> {
  const suspended = await transaction
    .selectFrom("accounts")
    .select("suspended_at")
    .where("id", "=", accountId)
    .where("suspended", "=", 1)
    .executeTakeFirst();
  if (suspended === undefined) return;
  const kept = { suspended_at: suspended.suspended_at, kept_until_ms: keptUntilMs };
  await transaction
    .insertInto("suspended_addresses")
    .values({ email_hash: emailHash, ...kept })
    .onConflict((conflict) => conflict.column("email_hash").doUpdateSet(kept))
    .execute();
}
