/** The companies that are compared, and answers of live sources about them. */
import { type Kysely, type RawBuilder, sql } from "kysely";
import { isKvkNumber, type KvkNumber } from "../../contract/numbers.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { KVK_API_ORIGIN, OPEN_DATA_ORIGIN } from "../../kvk/liveSource.ts";
import type { Answered } from "../answerFeed.ts";
import type { MonitoredCompany } from "../stored.ts";
import { withBaselines } from "./monitorRows.ts";

export function comparisonQueries(db: Kysely<Tables>) {
  return {
    /** Whether there is work: a monitor, or data of earlier monitors. */
    async hasMonitorData(): Promise<boolean> {
      const any = (table: string) => sql`exists (select 1 from ${sql.table(table)})`;
      const tables = ["monitors", "pending_changes", "events", "monitor_baselines", "insolvencies"].map(any);
      const { rows } = await sql<{ found: number }>`
        select case when ${sql.join(tables, sql` or `)} then 1 else 0 end as found`.execute(db);
      return rows[0]?.found === 1;
    },

    /**
     * The next companies with baselines after a number, by number, if they are monitored or have events about an
     * address.
     */
    async monitoredCompanies(after: string, limit: number): Promise<readonly MonitoredCompany[]> {
      // From one number to the next by index: a plain `distinct` would read all that are left.
      const following = (number: RawBuilder<unknown>) => sql`
        select kvk_number from monitor_baselines where kvk_number > ${number} order by kvk_number limit 1`;
      const { rows } = await sql<{ kvkNumber: KvkNumber }>`
        with recursive numbers (kvk_number) as (
          select * from (${following(sql`cast(${after} as text)`)}) as first_number
          union all
          select (${following(sql`numbers.kvk_number`)}) from numbers where kvk_number is not null
        )
        select kvk_number as "kvkNumber" from numbers where kvk_number is not null limit ${limit}`.execute(
        db,
      );
      return withBaselines(
        db,
        rows.map(({ kvkNumber }) => kvkNumber),
      );
    },

    /** Those companies that are monitored, with their baselines. */
    async monitoredAmong(kvkNumbers: readonly string[]): Promise<readonly MonitoredCompany[]> {
      const numbers = kvkNumbers.filter(isKvkNumber);
      if (numbers.length === 0) return [];
      const rows = await db
        .selectFrom("monitors")
        .select("kvk_number")
        .distinct()
        .where("is_test", "=", 0)
        .where("kvk_number", "in", numbers)
        .orderBy("kvk_number")
        .execute();
      return withBaselines(
        db,
        rows.map(({ kvk_number }) => kvk_number),
      );
    },

    /** Monitored companies that KVK, its open data or Peppol answered about since a moment, oldest answer first. */
    async answeredMonitored(sinceMs: number, limit: number): Promise<readonly Answered[]> {
      const { rows } = await sql<Answered>`
        select answers.kvk_number as "kvkNumber", answers.at_ms as "atMs" from (
          select kvk_number, told_at_ms as at_ms from live_companies
          where told_at_ms >= ${sinceMs} and facts is not null
          union all
          select kvk_number, branches_at_ms from live_companies where branches_at_ms >= ${sinceMs}
          union all
          select kvk_number, observed_at_ms from insolvencies
          where is_monitored = 1 and observed_at_ms >= ${Math.max(1, sinceMs)}
          union all
          select kvk_number, checked_at_ms from peppol_verdicts where checked_at_ms >= ${sinceMs}
        ) as answers
        where exists (select 1 from monitors m where m.kvk_number = answers.kvk_number and m.is_test = 0)
        order by answers.at_ms limit ${limit}`.execute(db);
      return rows;
    },

    /** Monitored companies with a case of the court that changed since a moment, oldest change first. */
    async changedInCourt(sinceMs: number, limit: number): Promise<readonly Answered[]> {
      const { rows } = await sql<Answered>`
        select c.kvk_number as "kvkNumber", c.changed_at_ms as "atMs" from court_numbers c
        where c.changed_at_ms >= ${sinceMs}
          and exists (select 1 from monitors m where m.kvk_number = c.kvk_number and m.is_test = 0)
        order by c.changed_at_ms limit ${limit}`.execute(db);
      return rows;
    },

    /**
     * The number of monitored companies, with some that were until lately, and when each live source last answered:
     * Unix milliseconds, by its origin.
     */
    async liveFigures(): Promise<{
      readonly companies: number;
      readonly answeredAtMs: Readonly<Record<string, number>>;
    }> {
      const { rows } = await sql<{ companies: number; api: number; openData: number }>`
        select (select count(*) from insolvencies where is_monitored = 1) as companies,
          coalesce((select max(told_at_ms) from live_companies), 0) as api,
          coalesce((select max(observed_at_ms) from insolvencies where is_monitored = 1), 0) as "openData"`.execute(
        db,
      );
      const { companies = 0, api = 0, openData = 0 } = rows[0] ?? {};
      return { companies, answeredAtMs: { [KVK_API_ORIGIN]: api, [OPEN_DATA_ORIGIN]: openData } };
    },
  };
}
