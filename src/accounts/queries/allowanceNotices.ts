import { type Kysely, sql } from "kysely";
import type { Language } from "../../contract/accountResources.ts";
import { type AllowancePercent, tokensAtPercent } from "../../contract/accountRules.ts";
import type { StoreClock } from "../../database/clock.ts";
import { findRow, updateRows } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { monthOf } from "../../lib/periods.ts";

/** The number of accounts of a tier that have used at least `percent` of their allowance. */
export interface AllowanceCount {
  readonly tier: string;
  readonly percent: AllowancePercent;
  readonly accounts: number;
}

/** An account that is due mail about its allowance. */
export interface DueNotice {
  readonly accountId: string;
  readonly email: string;
  readonly language: Language;
  /** As in `periods.ts`. */
  readonly month: number;
  /** The month's allowance. */
  readonly tokens: number;
  readonly percent: AllowancePercent;
}

/** A plan with its monthly tokens. */
export interface TierTokens {
  readonly name: string;
  readonly tokens: number;
}

/**
 * The accounts to notify that their allowance runs out, in SQL for every store.
 * @param now the store's clock, Unix milliseconds
 */
export function allowanceNoticeQueries(db: Kysely<Tables>, now: StoreClock) {
  return {
    /**
     * Checks some accounts that used tokens this month, ordered by id. Returns those on the given plans that have used
     * 80 % or all of their allowance, want such mail, and have not had it.
     * @param after the last account of the previous step; empty for the first
     * @returns `next`, the position to continue after; absent at the end
     */
    async dueNotices(
      tiers: readonly TierTokens[],
      after: string,
      limit: number,
    ): Promise<{ readonly notices: readonly DueNotice[]; readonly next?: string }> {
      if (tiers.length === 0) return { notices: [] };
      const month = monthOf(await now());
      const { allowances, isNear, next } = await prepareStep(db, month, tiers, after, limit);
      const { rows } = await sql<Omit<DueNotice, "month" | "language"> & { language: Language | null }>`
        with ${allowances},
          near as (
            select used_months.account_id as "accountId", accounts.email, people.language, allowances.tokens,
              case when used_months.used >= allowances.tokens then 100 else 80 end as percent
            from account_months as used_months
              join accounts on accounts.id = used_months.account_id and accounts.suspended = 0
              join allowances on allowances.tier = accounts.tier and used_months.used >= allowances.near
              left join people on people.account_id = accounts.id
            where ${isNear} and coalesce(people.allowance_mails, 1) = 1
          )
        select near.* from near
        where not exists (
          select 1 from allowance_notices as sent
          where sent.account_id = near."accountId" and sent.month = ${month}
            and sent.tokens = near.tokens and sent.percent = near.percent
        )`.execute(db);
      const notices = rows.map((row): DueNotice => ({ ...row, language: row.language ?? "en", month }));
      return { notices, ...next };
    },

    /**
     * Checks accounts in the same way and counts those over each percentage, regardless of suspension and of whether
     * they want mail. A tier without such accounts may be absent.
     */
    async allowanceCounts(
      tiers: readonly TierTokens[],
      after: string,
      limit: number,
    ): Promise<{ readonly counts: readonly AllowanceCount[]; readonly next?: string }> {
      if (tiers.length === 0) return { counts: [] };
      const month = monthOf(await now());
      const { allowances, isNear, next } = await prepareStep(db, month, tiers, after, limit);
      const { rows } = await sql<{ tier: string; near: number; spent: number }>`
        with ${allowances}
        select accounts.tier, count(*) as near,
          sum(case when used_months.used >= allowances.tokens then 1 else 0 end) as spent
        from account_months as used_months
          join accounts on accounts.id = used_months.account_id
          join allowances on allowances.tier = accounts.tier and used_months.used >= allowances.near
        where ${isNear}
        group by accounts.tier`.execute(db);
      const counts = rows.flatMap(({ tier, near, spent }): AllowanceCount[] => [
        { tier, percent: 80, accounts: near },
        { tier, percent: 100, accounts: spent },
      ]);
      return { counts, ...next };
    },

    /** Sets whether the account gets such mail. @returns false if the account has no person to sign in */
    async setAllowanceMails(accountId: string, areWanted: boolean): Promise<boolean> {
      const setting = { allowance_mails: areWanted ? 1 : 0 };
      return (await updateRows(db, "people", { account_id: accountId }, setting)) === 1;
    },
  };
}

/**
 * Prepares one step over accounts that used most of their tokens of a month.
 * @returns SQL of the tiers' allowances and of the condition on `used_months`; `next` unless this is the last step
 */
async function prepareStep(
  db: Kysely<Tables>,
  month: number,
  tiers: readonly TierTokens[],
  after: string,
  limit: number,
) {
  const isLast = sql`and account_id > ${after} order by account_id limit 1 offset ${limit - 1}`;
  const last = await findRow(db, "account_months", { month, is_test: 0 }, isLast);
  const rows = tiers.map(
    ({ name, tokens }) =>
      sql`(cast(${name} as text), cast(${tokens} as bigint), cast(${tokensAtPercent(80, tokens)} as bigint))`,
  );
  // Skips most accounts before anything else about them is read.
  const minNear = Math.min(...tiers.map(({ tokens }) => tokensAtPercent(80, tokens)));
  const upTo = last === undefined ? sql`` : sql`and used_months.account_id <= ${last.account_id}`;
  return {
    allowances: sql`allowances (tier, tokens, near) as (values ${sql.join(rows)})`,
    isNear: sql`used_months.month = ${month} and used_months.is_test = 0 and used_months.account_id > ${after} ${upTo}
      and used_months.used >= ${minNear}`,
    next: last && { next: last.account_id },
  };
}

export type AllowanceNoticeQueries = ReturnType<typeof allowanceNoticeQueries>;
