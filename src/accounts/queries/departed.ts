import { sql, type Transaction } from "kysely";
import { EARLIER_ACCOUNT, ledgerLines, sumOf } from "../../database/ledgerLines.ts";
import { findRows, insertRows, takeRows, upsertRow } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { dayInMonth, daysOfMonth, isAhead, monthOf } from "../../lib/periods.ts";

/**
 * How many earlier months are stored: a clock that is ahead for some weeks must not delete the usage of the current
 * month.
 */
export const EARLIER_MONTHS_KEPT = 1;

/**
 * Stores the usage and reservations of a deleted account under the hash of its address: of this month, the previous
 * one, and later ones begun by a clock that was ahead.
 * @param nowMs the time of the store's clock
 */
export async function preserveUsage(
  transaction: Transaction<Tables>,
  accountId: string,
  emailHash: string,
  nowMs: number,
): Promise<void> {
  const from = monthOf(nowMs) - EARLIER_MONTHS_KEPT;
  for (const [month, used] of await usedByMonth(transaction, accountId, from, nowMs)) {
    await upsertRow(transaction, "departed_months", { email_hash: emailHash, month, used }, { used });
  }
}

/**
 * Transfers the usage of an earlier account with the address to its new one, in the ledger too, because both must have
 * the same sums.
 * @param nowMs the time of the store's clock
 */
export async function inheritUsage(
  transaction: Transaction<Tables>,
  accountId: string,
  emailHash: string,
  nowMs: number,
): Promise<void> {
  const present = monthOf(nowMs);
  for (const { month, used } of await takeRows(transaction, "departed_months", { email_hash: emailHash })) {
    if (used === 0 || month < present - EARLIER_MONTHS_KEPT) continue;
    const { keyId, operation } = EARLIER_ACCOUNT;
    await insertRows(transaction, "ledger", {
      ...{ account_id: accountId, is_test: 0, key_id: keyId, day: dayInMonth(nowMs, month), operation },
      ...{ requests: 0, tokens: used, refused_rate: 0, refused_allowance: 0, sessions: 0, session_calls: 0 },
    });
    // Other months are read from the ledger when they begin.
    if (month < present || isAhead(month, nowMs, monthOf)) continue;
    await insertRows(transaction, "account_months", { account_id: accountId, is_test: 0, month, used });
  }
}

/** Later than any month of a clock: December 9999. */
const LAST_MONTH = 9_999 * 12 + 12;

/**
 * Returns the tokens used and reserved in a month and later ones. Usage comes from the rows that decide: they agree
 * with the ledger and are one per month, while the ledger has one per key and day. Expired reservations count as
 * released, whether or not that was recorded.
 */
async function usedByMonth(
  transaction: Transaction<Tables>,
  accountId: string,
  from: number,
  nowMs: number,
): Promise<ReadonlyMap<number, number>> {
  const own = { account_id: accountId, is_test: 0 };
  const since = sql`and month >= ${from} order by month`;
  const spent = await findRows(transaction, "account_months", own, since);
  const months = new Map(spent.map(({ month, used }) => [month, used]));
  // Months in between have no decisions. The ledger has the usage of an earlier account, and charges by a clock that
  // was ahead.
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
  const reservedByMonth = await transaction
    .selectFrom("reservations")
    .select("month")
    .select(sumOf("tokens", "used"))
    .where("account_id", "=", accountId)
    .where("is_test", "=", 0)
    .where("month", ">=", from)
    .where("given_back", "=", 0)
    .where("expires_at_ms", ">", nowMs)
    .groupBy("month")
    .execute();
  for (const { month, used } of reservedByMonth) months.set(month, (months.get(month) ?? 0) + used);
  return new Map([...months].filter(([, used]) => used > 0));
}

/** Returns sums of the ledger by month. */
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
    .select(sumOf("tokens", "used"))
    .where("account_id", "=", accountId)
    .where("day", ">=", fromDay)
    .where("day", "<=", toDay)
    .groupBy(name)
    .execute();
  return sums.map((sum) => [monthOf(Date.parse(sum.name)), sum.used] as const);
}
