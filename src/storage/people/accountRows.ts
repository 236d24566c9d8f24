import type { Selectable, Transaction } from "kysely";
import { EARLIER_ACCOUNT } from "../../accounts/peopleStore.ts";
import type { Account, NewAccount } from "../../accounts/store.ts";
import { dayInMonth, monthOf, presentPeriod } from "../../metering/periods.ts";
import { usedInMonth } from "../ledgerLines.ts";
import type { Tables } from "../tables.ts";

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

/** An update of the account's row that changes nothing: who comes after waits for the end of this transaction. */
export async function lockAccount(transaction: Transaction<Tables>, accountId: string): Promise<boolean> {
  const locked = await transaction
    .updateTable("accounts")
    .set((set) => ({ suspended: set.ref("suspended") }))
    .where("id", "=", accountId)
    .returning("id")
    .execute();
  return locked.length === 1;
}

/**
 * Adds an account with what an earlier one of its address leaves it: what was used this month, and a suspension. False when the
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
async function takeOverSuspension(
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

/** Files what was used before under the new account, in the ledger too: the two must never tell different sums. */
async function takeOver(
  transaction: Transaction<Tables>,
  accountId: string,
  emailHash: string,
  nowMs: number,
): Promise<void> {
  const [before] = await transaction
    .deleteFrom("departed")
    .where("email_hash", "=", emailHash)
    .returning(["month", "used"])
    .execute();
  if (before === undefined || before.month < monthOf(nowMs) || Number(before.used) === 0) return;
  const { month } = before;
  const used = Number(before.used);
  await transaction.insertInto("account_months").values({ account_id: accountId, month, used }).execute();
  await transaction
    .insertInto("ledger")
    .values({
      account_id: accountId,
      key_id: EARLIER_ACCOUNT.keyId,
      day: dayInMonth(nowMs, month),
      operation: EARLIER_ACCOUNT.operation,
      requests: 0,
      tokens: used,
      refused_rate: 0,
      refused_allowance: 0,
    })
    .execute();
}

/**
 * What an account has used or set aside in its present month; undefined when nothing was decided about it yet.
 * @param nowMs by the store's clock
 */
export async function usedLately(
  transaction: Transaction<Tables>,
  accountId: string,
  nowMs: number,
): Promise<{ month: number; used: number } | undefined> {
  const latest = await transaction
    .selectFrom("account_months")
    .select(["month", "used"])
    .where("account_id", "=", accountId)
    .orderBy("month", "desc")
    .limit(1)
    .executeTakeFirst();
  if (latest === undefined) return undefined;
  const month = presentPeriod(latest.month, nowMs, monthOf);
  const used =
    month === latest.month ? Number(latest.used) : await usedInMonth(transaction, accountId, month);
  const { held } = await transaction
    .selectFrom("reservations")
    .select((select) => select.fn.sum<number | null>("tokens").as("held"))
    .where("account_id", "=", accountId)
    .where("month", "=", month)
    .where("given_back", "=", 0)
    .executeTakeFirstOrThrow();
  return { month, used: used + Number(held ?? 0) };
}
