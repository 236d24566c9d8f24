import { type Selectable, sql, type Transaction } from "kysely";
import { toObject } from "../../database/objects.ts";
import { findRow, takeRows, updateRows, upsertRow } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import type { Account, NewAccount } from "../stored.ts";
import { inheritUsage } from "./departed.ts";

export function asAccount(row: Selectable<Tables["accounts"]>): Account {
  const { suspendedAt, ...account } = toObject("accounts", row);
  return { ...account, ...(account.isSuspended && suspendedAt !== undefined && { suspendedAt }) };
}

/**
 * Adds an account with the usage and the suspension that an earlier account with its address left. False if another
 * account has the address.
 * @param nowMs the time of the store's clock
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
    await inheritUsage(transaction, id, emailHash, nowMs);
    await inheritSuspension(transaction, id, emailHash, nowMs);
  }
  return true;
}

/** Suspends an account whose address was suspended when its last account was deleted. */
export async function inheritSuspension(
  transaction: Transaction<Tables>,
  accountId: string,
  emailHash: string,
  nowMs: number,
): Promise<void> {
  const isUnexpired = sql`and expires_at_ms > ${nowMs}`;
  const [before] = await takeRows(transaction, "suspended_addresses", { email_hash: emailHash }, isUnexpired);
  if (before === undefined) return;
  const suspended = { suspended: 1, suspended_at: before.suspended_at };
  await updateRows(transaction, "accounts", { id: accountId }, suspended);
}

/** Stores the suspension of an account before its deletion. Call it under the lock of the account. */
export async function retainSuspension(
  transaction: Transaction<Tables>,
  accountId: string,
  emailHash: string,
  expiresAtMs: number,
): Promise<void> {
  const suspended = await findRow(transaction, "accounts", { id: accountId, suspended: 1 });
  if (suspended === undefined) return;
  const retained = { suspended_at: suspended.suspended_at, expires_at_ms: expiresAtMs };
  await upsertRow(transaction, "suspended_addresses", { email_hash: emailHash, ...retained }, retained);
}
