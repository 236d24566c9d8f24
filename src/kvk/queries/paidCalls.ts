import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from "kysely";
import { findRow, listOf, updateRows, upsertRow } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import type { ActivePermits, DayOfCalls, FreeShare } from "../budget/paidCalls.ts";

/** Paid calls and their outcomes, in SQL for every store. */
export function paidCallQueries(db: Kysely<Tables>) {
  return {
    /**
     * Counts one paid call of a day, unless `most` are counted already or `share` (for accounts of its tiers) is used
     * up.
     */
    async spendCall(
      day: string,
      limit: number,
      share?: FreeShare,
    ): Promise<"spent" | "day-over" | "share-over"> {
      if (limit < 1) return "day-over";
      await upsertRow(db, "live_days", { day, calls: 0, free_calls: 0 });
      const incremented = {
        calls: sql`calls + 1`,
        ...(share !== undefined && { free_calls: sql`free_calls + 1` }),
      };
      const isInShare =
        share === undefined
          ? sql``
          : sql`and (free_calls < ${share.calls} or not ${anyBeyond(share.tierNames)})`;
      const isBelowLimit = sql`and calls < ${limit} ${isInShare}`;
      if ((await updateRows(db, "live_days", { day }, incremented, isBelowLimit)) === 1) return "spent";
      const { calls } = (await findRow(db, "live_days", { day })) ?? { calls: 0 };
      return calls >= limit ? "day-over" : "share-over";
    },

    /** Takes back one paid call of a day. */
    async refundCall(day: string, isOfShare: boolean): Promise<void> {
      const decremented = {
        calls: sql`calls - 1`,
        ...(isOfShare && { free_calls: sql`case when free_calls > 0 then free_calls - 1 else 0 end` }),
      };
      await updateRows(db, "live_days", { day }, decremented, sql`and calls > 0`);
    },

    async spentCalls(day: string): Promise<DayOfCalls> {
      const row = await findRow(db, "live_days", { day });
      return { all: row?.calls ?? 0, free: row?.free_calls ?? 0 };
    },

    /** Whether there is an account of a tier other than the free ones. */
    async hasPayingAccounts(freeTierNames: readonly string[]): Promise<boolean> {
      const { rows } = await sql<{ found: number }>`
        select case when ${anyBeyond(freeTierNames)} then 1 else 0 end as found`.execute(db);
      return Number(rows[0]?.found) === 1;
    },

    /**
     * Stores a holder's state and grants it the permits that are left. `isOver`: even calls in progress cannot free a
     * permit any more.
     */
    holdPermits(permits: ActivePermits): Promise<{ readonly granted: number; readonly isOver: boolean }> {
      return db.transaction().execute((transaction) => holdPermits(transaction, permits));
    },
  };
}

async function holdPermits(
  transaction: Transaction<Tables>,
  permits: ActivePermits,
): Promise<{ granted: number; isOver: boolean }> {
  const { subject, day, holder } = permits;
  await storePermits(transaction, { ...permits, holder: LOCK, inProgress: 0, misses: 0 });
  const others = await transaction
    .selectFrom("live_places")
    .select([
      sql<number>`coalesce(sum(misses + under_way), 0)`.as("taken"),
      sql<number>`coalesce(sum(case when lapses_at_ms <= ${permits.nowMs} then misses + under_way else misses end), 0)`.as(
        "over",
      ),
    ])
    .where("subject", "=", subject)
    .where("day", "=", day)
    .where("holder", "<>", holder)
    .executeTakeFirstOrThrow();
  const remaining = permits.most - Number(others.taken) - permits.misses - permits.inProgress;
  const granted = Math.max(0, Math.min(permits.wanted, remaining));
  await storePermits(transaction, { ...permits, inProgress: permits.inProgress + granted });
  return { granted, isOver: Number(others.over) + permits.misses >= permits.most };
}

/** The holder of the row that is written first, so that holders of one payer are serialised. */
const LOCK = "";

async function storePermits(
  db: Kysely<Tables>,
  { subject, day, holder, inProgress, misses, lapsesAtMs }: ActivePermits,
): Promise<void> {
  const values = { under_way: inProgress, misses, lapses_at_ms: lapsesAtMs };
  await upsertRow(db, "live_places", { subject, day, holder, ...values }, values);
}

/**
 * Whether an account has a tier outside these. Steps through the index from tier to tier, however many accounts each
 * has (wiki.postgresql.org/wiki/Loose_indexscan).
 */
function anyBeyond(tierNames: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (
    with recursive used (tier) as (
      select min(tier) from accounts
      union all
      select (select min(tier) from accounts where accounts.tier > used.tier) from used where used.tier is not null
    )
    select 1 from used where tier is not null and tier not in ${listOf(tierNames)})`;
}

export type PaidCallQueries = ReturnType<typeof paidCallQueries>;
