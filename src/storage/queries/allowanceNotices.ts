import { type Kysely, type RawBuilder, sql } from "kysely";
import type {
  AllowanceCount,
  AllowanceNoticeStore,
  DueNotice,
  TierTokens,
} from "../../accounts/allowances.ts";
import type { Language } from "../../contract/accountResources.ts";
import { tokensAtPercent } from "../../contract/accountRules.ts";
import { monthOf } from "../../metering/periods.ts";
import type { Tables } from "../schema/tables.ts";
import type { StoreClock } from "../stateStore.ts";
import { findRow, updateRows } from "./rows.ts";

/**
 * Who is to be told that the month's allowance comes to its end, in SQL that every store understands.
 * @param now the store's clock, Unix milliseconds
 */
export function allowanceNoticeQueries(db: Kysely<Tables>, now: StoreClock): AllowanceNoticeStore {
  return {
    async dueNotices(tiers, after, most) {
      if (tiers.length === 0) return { notices: [] };
      const month = monthOf(await now());
      const last = await lastOfLook(db, month, after, most);
      // Passes over most accounts before anything else is looked up of them.
      const leastNear = leastNearOf(tiers);
      const { rows } = await sql<Omit<DueNotice, "month" | "language"> & { language: Language | null }>`
        with allowances (tier, tokens, near) as (values ${allowanceRows(tiers)}),
          near as (
            select used_months.account_id as "accountId", accounts.email, people.language, allowances.tokens,
              case when used_months.used >= allowances.tokens then 100 else 80 end as percent
            from account_months as used_months
              join accounts on accounts.id = used_months.account_id and accounts.suspended = 0
              join allowances on allowances.tier = accounts.tier and used_months.used >= allowances.near
              left join people on people.account_id = accounts.id
            where used_months.month = ${month} and used_months.is_test = 0 and used_months.account_id > ${after}
              ${upTo(last)}
              and used_months.used >= ${leastNear}
              and coalesce(people.allowance_mails, 1) = 1
          )
        select near.* from near
        where not exists (
          select 1 from allowance_notices as told
          where told.account_id = near."accountId" and told.month = ${month}
            and told.tokens = near.tokens and told.percent = near.percent
        )`.execute(db);
      const notices = rows.map((row): DueNotice => ({ ...row, language: row.language ?? "en", month }));
      return { notices, ...(last !== undefined && { next: last }) };
    },

    async allowanceCounts(tiers, after, most) {
      if (tiers.length === 0) return { counts: [] };
      const month = monthOf(await now());
      const last = await lastOfLook(db, month, after, most);
      const { rows } = await sql<{ tier: string; near: number; spent: number }>`
        with allowances (tier, tokens, near) as (values ${allowanceRows(tiers)})
        select accounts.tier, count(*) as near,
          sum(case when used_months.used >= allowances.tokens then 1 else 0 end) as spent
        from account_months as used_months
          join accounts on accounts.id = used_months.account_id
          join allowances on allowances.tier = accounts.tier and used_months.used >= allowances.near
        where used_months.month = ${month} and used_months.is_test = 0 and used_months.account_id > ${after} ${upTo(last)}
          and used_months.used >= ${leastNearOf(tiers)}
        group by accounts.tier`.execute(db);
      const counts = rows.flatMap(({ tier, near, spent }): AllowanceCount[] => [
        { tier, percent: 80, accounts: near },
        { tier, percent: 100, accounts: spent },
      ]);
      return { counts, ...(last !== undefined && { next: last }) };
    },

    async setAllowanceMails(accountId, areWanted) {
      const wanted = { allowance_mails: areWanted ? 1 : 0 };
      return (await updateRows(db, "people", { account_id: accountId }, wanted)) === 1;
    },
  };
}

/** The last account that one look passes over; undefined when it comes to the end. */
async function lastOfLook(
  db: Kysely<Tables>,
  month: number,
  after: string,
  most: number,
): Promise<string | undefined> {
  const isLast = sql`and account_id > ${after} order by account_id limit 1 offset ${most - 1}`;
  const last = await findRow(db, "account_months", { month, is_test: 0 }, isLast);
  return last?.account_id;
}

/** Each tier with its tokens and with how many of them are most of them. */
function allowanceRows(tiers: readonly TierTokens[]): RawBuilder<unknown> {
  return sql.join(
    tiers.map(
      ({ name, tokens }) =>
        sql`(cast(${name} as text), cast(${tokens} as bigint), cast(${tokensAtPercent(80, tokens)} as bigint))`,
    ),
  );
}

function leastNearOf(tiers: readonly TierTokens[]): number {
  return Math.min(...tiers.map(({ tokens }) => tokensAtPercent(80, tokens)));
}

function upTo(last: string | undefined): RawBuilder<unknown> {
  return last === undefined ? sql`` : sql`and used_months.account_id <= ${last}`;
}
