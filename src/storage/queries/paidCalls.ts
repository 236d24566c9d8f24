import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from "kysely";
import type { CallStore, HeldPermits } from "../../kvk/budget/callStore.ts";
import type { Tables } from "../schema/tables.ts";

/** What paid calls were made and what they brought, in SQL that every store understands. */
export function paidCallQueries(db: Kysely<Tables>): CallStore {
  const dayOf = (day: string) =>
    db.selectFrom("live_days").select(["calls", "free_calls"]).where("day", "=", day).executeTakeFirst();
  return {
    async spendCall(day, most, share) {
      if (most < 1) return "day-over";
      await db
        .insertInto("live_days")
        .values({ day, calls: 0, free_calls: 0 })
        .onConflict((conflict) => conflict.column("day").doNothing())
        .execute();
      const isFree = share === undefined ? 0 : 1;
      const spent = await db
        .updateTable("live_days")
        .set({ calls: sql<number>`calls + 1`, free_calls: sql<number>`free_calls + ${sql.lit(isFree)}` })
        .where("day", "=", day)
        .where("calls", "<", most)
        .$if(share !== undefined, (query) =>
          query.where(
            sql<SqlBool>`(free_calls < ${share?.calls ?? 0} or not ${anyBeyond(share?.tierNames ?? [])})`,
          ),
        )
        .returning("day")
        .execute();
      if (spent.length === 1) return "spent";
      return Number((await dayOf(day))?.calls ?? 0) >= most ? "day-over" : "share-over";
    },

    async refundCall(day, isOfShare) {
      await db
        .updateTable("live_days")
        .set({
          calls: sql<number>`calls - 1`,
          ...(isOfShare && {
            free_calls: sql<number>`case when free_calls > 0 then free_calls - 1 else 0 end`,
          }),
        })
        .where("day", "=", day)
        .where("calls", ">", 0)
        .execute();
    },

    async spentCalls(day) {
      const row = await dayOf(day);
      return { all: Number(row?.calls ?? 0), free: Number(row?.free_calls ?? 0) };
    },

    async hasAccountBeyond(tierNames) {
      const { rows } = await sql<{ found: number }>`
        select case when ${anyBeyond(tierNames)} then 1 else 0 end as found`.execute(db);
      return Number(rows[0]?.found) === 1;
    },

    holdPermits(held) {
      return db.transaction().execute((transaction) => holdPermits(transaction, held));
    },
  };
}

async function holdPermits(
  transaction: Transaction<Tables>,
  held: HeldPermits,
): Promise<{ granted: number; isOver: boolean }> {
  const { subject, day, holder } = held;
  await put(transaction, { ...held, holder: LOCK, underWay: 0, misses: 0 });
  const others = await transaction
    .selectFrom("live_places")
    .select([
      sql<number>`coalesce(sum(misses + under_way), 0)`.as("taken"),
      sql<number>`coalesce(sum(case when lapses_at_ms <= ${held.nowMs} then misses + under_way else misses end), 0)`.as(
        "over",
      ),
    ])
    .where("subject", "=", subject)
    .where("day", "=", day)
    .where("holder", "<>", holder)
    .executeTakeFirstOrThrow();
  const left = held.most - Number(others.taken) - held.misses - held.underWay;
  const granted = Math.max(0, Math.min(held.wanted, left));
  await put(transaction, { ...held, underWay: held.underWay + granted });
  return { granted, isOver: Number(others.over) + held.misses >= held.most };
}

/** The holder of the row that is written first, so that two holders of one payer come one after the other. */
const LOCK = "";

async function put(
  db: Kysely<Tables>,
  { subject, day, holder, underWay, misses, lapsesAtMs }: HeldPermits,
): Promise<void> {
  const has = { under_way: underWay, misses, lapses_at_ms: lapsesAtMs };
  await db
    .insertInto("live_places")
    .values({ subject, day, holder, ...has })
    .onConflict((conflict) => conflict.columns(["subject", "day", "holder"]).doUpdateSet(has))
    .execute();
}

/**
 * Whether an account has a tier that is none of these: from one tier to the next by the index, however many accounts have each
 * (wiki.postgresql.org/wiki/Loose_indexscan).
 */
function anyBeyond(tierNames: readonly string[]): RawBuilder<SqlBool> {
  const names = sql.join(tierNames.map((name) => sql`${name}`));
  return sql<SqlBool>`exists (
    with recursive used (tier) as (
      select min(tier) from accounts
      union all
      select (select min(tier) from accounts where accounts.tier > used.tier) from used where used.tier is not null
    )
    select 1 from used where tier is not null and tier not in (${names}))`;
}
