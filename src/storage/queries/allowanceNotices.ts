import { type Kysely, sql } from "kysely";
import type { AllowanceNoticeStore, DueNotice } from "../../accounts/allowanceNoticeStore.ts";
import type { Language } from "../../contract/accountResources.ts";
import { type AllowancePercent, tokensAtPercent } from "../../contract/accountRules.ts";
import { monthOf } from "../../metering/periods.ts";
import type { StoreClock } from "../stateStore.ts";
import type { Tables } from "../tables.ts";

interface DueRow {
  readonly account_id: string;
  readonly email: string;
  readonly language: Language | null;
  readonly tokens: number | string;
  readonly percent: AllowancePercent;
}

/**
 * Who is to be told that the month's allowance comes to its end, in SQL that every store understands.
 * @param now the store's clock, Unix milliseconds
 */
export function allowanceNoticeQueries(db: Kysely<Tables>, now: StoreClock): AllowanceNoticeStore {
  return {
    async dueNotices(tiers, after, most) {
      if (tiers.length === 0) return { notices: [] };
      const month = monthOf(await now());
      const last = await db
        .selectFrom("account_months")
        .select("account_id")
        .where("month", "=", month)
        .where("account_id", ">", after)
        .orderBy("account_id")
        .offset(most - 1)
        .limit(1)
        .executeTakeFirst();
      // Passes over most accounts before anything else is looked up of them.
      const leastNear = Math.min(...tiers.map(({ tokens }) => tokensAtPercent(80, tokens)));
      const allowances = tiers.map(
        ({ name, tokens }) =>
          sql`(cast(${name} as text), cast(${tokens} as bigint), cast(${tokensAtPercent(80, tokens)} as bigint))`,
      );
      const { rows } = await sql<DueRow>`
        with allowances (tier, tokens, near) as (values ${sql.join(allowances)}),
          near as (
            select account_months.account_id, accounts.email, people.language, allowances.tokens,
              case when account_months.used >= allowances.tokens then 100 else 80 end as percent
            from account_months
              join accounts on accounts.id = account_months.account_id and accounts.suspended = 0
              join allowances on allowances.tier = accounts.tier and account_months.used >= allowances.near
              left join people on people.account_id = accounts.id
            where account_months.month = ${month} and account_months.account_id > ${after}
              ${last === undefined ? sql`` : sql`and account_months.account_id <= ${last.account_id}`}
              and account_months.used >= ${leastNear}
              and coalesce(people.allowance_mails, 1) = 1
          )
        select near.* from near
        where not exists (
          select 1 from allowance_notices as told
          where told.account_id = near.account_id and told.month = ${month}
            and told.tokens = near.tokens and told.percent = near.percent
        )`.execute(db);
      const notices = rows.map(
        ({ account_id, email, language, tokens, percent }): DueNotice => ({
          accountId: account_id,
          email,
          language: language ?? "en",
          month,
          tokens: Number(tokens),
          percent,
        }),
      );
      return { notices, ...(last !== undefined && { next: last.account_id }) };
    },

    async setAllowanceMails(accountId, areWanted) {
      const set = await db
        .updateTable("people")
        .set({ allowance_mails: areWanted ? 1 : 0 })
        .where("account_id", "=", accountId)
        .returning("account_id")
        .execute();
      return set.length === 1;
    },
  };
}
