import { sql, type Transaction } from "kysely";
import { EARLIER_ACCOUNT } from "../../accounts/peopleStore.ts";
import { dayInMonth, daysOfMonth, isAhead, monthOf } from "../../metering/periods.ts";
import type { Tables } from "../schema/tables.ts";
import { ledgerLines } from "./ledgerLines.ts";

/** Months before the present one that are kept too: a clock that is ahead for some weeks must not have this one's use forgotten. */
export const MONTHS_BEFORE = 1;

/**
 * Keeps under the hash of its address what an account that goes has used and set aside: of this month, of the one before, and of
 * those after it that a clock which was ahead has begun.
 * @param nowMs by the store's clock
 */
export async function keepUsed(
  transaction: Transaction<Tables>,
  accountId: string,
  emailHash: string,
  nowMs: number,
): Promise<void> {
  const from = monthOf(nowMs) - MONTHS_BEFORE;
  for (const [month, used] of await usedByMonth(transaction, accountId, from, nowMs)) {
    await transaction
      .insertInto("departed_months")
      .values({ email_hash: emailHash, month, used })
      .onConflict((conflict) => conflict.columns(["email_hash", "month"]).doUpdateSet({ used }))
      .execute();
  }
}

/**
 * Files what an earlier account of an address used under its new one, in the ledger too: the two must never tell different sums.
 * @param nowMs by the store's clock
 */
export async function takeOver(
  transaction: Transaction<Tables>,
  accountId: string,
  emailHash: string,
  nowMs: number,
): Promise<void> {
  const present = monthOf(nowMs);
  const kept = await transaction
    .deleteFrom("departed_months")
    .where("email_hash", "=", emailHash)
    .returning(["month", "used"])
    .execute();
  for (const { month, used: stored } of kept) {
    const used = Number(stored);
    if (used === 0 || month < present - MONTHS_BEFORE) continue;
    await transaction
      .insertInto("ledger")
      .values({
        account_id: accountId,
        is_test: 0,
        key_id: EARLIER_ACCOUNT.keyId,
        day: dayInMonth(nowMs, month),
        operation: EARLIER_ACCOUNT.operation,
        requests: 0,
        tokens: used,
        refused_rate: 0,
        refused_allowance: 0,
        sessions: 0,
        session_calls: 0,
      })
      .execute();
    // Of other months the ledger tells it when they come.
    if (month < present || isAhead(month, nowMs, monthOf)) continue;
    await transaction
      .insertInto("account_months")
      .values({ account_id: accountId, is_test: 0, month, used })
      .execute();
  }
}

/** Later than any that a clock begins: December of 9999. */
const LAST_MONTH = 9_999 * 12 + 12;

/**
 * What was used and is set aside in a month and those after it: from the rows that decide, which tell what the ledger does and are one for a month, not
 * one for each key and day. What is past its time is given back, also where nobody has
 * noted that yet.
 */
async function usedByMonth(
  transaction: Transaction<Tables>,
  accountId: string,
  from: number,
  nowMs: number,
): Promise<ReadonlyMap<number, number>> {
  const spent = await transaction
    .selectFrom("account_months")
    .select(["month", "used"])
    .where("account_id", "=", accountId)
    .where("is_test", "=", 0)
    .where("month", ">=", from)
    .orderBy("month")
    .execute();
  const months = new Map(spent.map(({ month, used }) => [month, Number(used)]));
  // Of months between them nothing was decided: the ledger has what an earlier account left, and what a clock that was ahead had charged.
  const bounds = [from - 1, ...spent.map(({ month }) => month), LAST_MONTH];
  for (const [index, before] of bounds.slice(0, -1).entries()) {
    const next = bounds[index + 1] ?? LAST_MONTH;
    if (next - before < 2) continue;
    const first = daysOfMonth(before + 1).first;
    for (const [month, used] of await filedBetween(
      transaction,
      accountId,
      first,
      daysOfMonth(next - 1).last,
    )) {
      months.set(month, used);
    }
  }
  const held = await transaction
    .selectFrom("reservations")
    .select("month")
    .select((select) => select.fn.sum<number | string>("tokens").as("used"))
    .where("account_id", "=", accountId)
    .where("is_test", "=", 0)
    .where("month", ">=", from)
    .where("given_back", "=", 0)
    .where("expires_at_ms", ">", nowMs)
    .groupBy("month")
    .execute();
  for (const { month, used } of held) months.set(month, (months.get(month) ?? 0) + Number(used));
  return new Map([...months].filter(([, used]) => used > 0));
}

/** Sums of the ledger by month, from a day to another. */
async function filedBetween(
  transaction: Transaction<Tables>,
  accountId: string,
  fromDay: string,
  toDay: string,
): Promise<readonly (readonly [month: number, used: number])[]> {
  const name = sql<string>`substr(day, 1, 7)`;
  const sums = await transaction
    .selectFrom(ledgerLines(transaction))
    .select(name.as("name"))
    .select((select) => select.fn.sum<number | string>("tokens").as("used"))
    .where("account_id", "=", accountId)
    .where("day", ">=", fromDay)
    .where("day", "<=", toDay)
    .groupBy(name)
    .execute();
  return sums.map((sum) => [monthOf(Date.parse(sum.name)), Number(sum.used)] as const);
}
