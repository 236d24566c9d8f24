import { sql, type Transaction } from "kysely";
import { EARLIER_ACCOUNT } from "../../accounts/peopleStore.ts";
import { dayInMonth, daysOfMonth, isAhead, monthOf } from "../../metering/periods.ts";
import type { Tables } from "../schema/tables.ts";
import { ledgerLines, sumOf } from "./ledgerLines.ts";
import { findRows, insertRows, takeRows, upsertRow } from "./rows.ts";

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
    await upsertRow(transaction, "departed_months", { email_hash: emailHash, month, used }, { used });
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
  for (const { month, used } of await takeRows(transaction, "departed_months", { email_hash: emailHash })) {
    if (used === 0 || month < present - MONTHS_BEFORE) continue;
    const { keyId, operation } = EARLIER_ACCOUNT;
    await insertRows(transaction, "ledger", {
      ...{ account_id: accountId, is_test: 0, key_id: keyId, day: dayInMonth(nowMs, month), operation },
      ...{ requests: 0, tokens: used, refused_rate: 0, refused_allowance: 0, sessions: 0, session_calls: 0 },
    });
    // Of other months the ledger tells it when they come.
    if (month < present || isAhead(month, nowMs, monthOf)) continue;
    await insertRows(transaction, "account_months", { account_id: accountId, is_test: 0, month, used });
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
  const own = { account_id: accountId, is_test: 0 };
  const since = sql`and month >= ${from} order by month`;
  const spent = await findRows(transaction, "account_months", own, since);
  const months = new Map(spent.map(({ month, used }) => [month, used]));
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
    .select(sumOf("tokens", "used"))
    .where("account_id", "=", accountId)
    .where("is_test", "=", 0)
    .where("month", ">=", from)
    .where("given_back", "=", 0)
    .where("expires_at_ms", ">", nowMs)
    .groupBy("month")
    .execute();
  for (const { month, used } of held) months.set(month, (months.get(month) ?? 0) + used);
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
    .select(sumOf("tokens", "used"))
    .where("account_id", "=", accountId)
    .where("day", ">=", fromDay)
    .where("day", "<=", toDay)
    .groupBy(name)
    .execute();
  return sums.map((sum) => [monthOf(Date.parse(sum.name)), sum.used] as const);
}
