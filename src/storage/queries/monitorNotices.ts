import { type Kysely, sql } from "kysely";
import type { MonitorNotice, MonitorNoticeStore, WeeklyNotice } from "../../accounts/monitorNotices.ts";
import type { Language } from "../../contract/accountResources.ts";
import type { Tables } from "../schema/tables.ts";
import type { StoreClock } from "../stateStore.ts";
import { IS_OPEN_ACCOUNT } from "./accountRows.ts";

/** Longer ago, the owner has found out, or there was no mail server. */
const REPORTED_WITHIN_MS = 86_400_000;

type Row<Notice> = Omit<Notice, "language"> & { readonly language: Language | null };

export function monitorNoticeQueries(db: Kysely<Tables>, now: StoreClock): MonitorNoticeStore {
  return {
    async disabledWebhooks(limit) {
      const sinceMs = (await now()) - REPORTED_WITHIN_MS;
      const { rows } = await sql<Row<MonitorNotice>>`
        select distinct accounts.id as "accountId", accounts.email, people.language
        from webhook_endpoints
          join accounts on accounts.id = webhook_endpoints.account_id
          left join people on people.account_id = accounts.id
        where disabled_at_ms > ${sinceMs} and is_reported = 0 and ${IS_OPEN_ACCOUNT}
        limit ${limit}`.execute(db);
      return rows.map((row) => ({ ...row, language: row.language ?? "en" }));
    },

    async weeklyNotices({ fromMs, untilMs }, limit) {
      const inWeek = sql`events.account_id = due.account_id and events.is_test = 0
        and events.recorded_at_ms >= ${fromMs} and events.recorded_at_ms < ${untilMs}`;
      const { rows } = await sql<Row<WeeklyNotice>>`
        select accounts.id as "accountId", accounts.email, people.language,
          (select count(*) from events where ${inWeek}) as events
        from monitor_accounts as due
          join accounts on accounts.id = due.account_id and accounts.suspended = 0
          left join people on people.account_id = accounts.id
        where due.is_test = 0 and due.has_digest = 1 and due.digest_sent_at_ms < ${untilMs} and ${IS_OPEN_ACCOUNT}
          and exists (select 1 from events where ${inWeek})
        limit ${limit}`.execute(db);
      return rows.map((row) => ({ ...row, events: Number(row.events), language: row.language ?? "en" }));
    },
  };
}
