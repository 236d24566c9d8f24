/** The people to mail about their monitors. */

import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Language } from "../../contract/accountResources.ts";
import { IS_OPEN_ACCOUNT } from "../../database/accountLock.ts";
import type { StoreClock } from "../../database/clock.ts";
import type { Tables } from "../../database/schema/tables.ts";

/** An account to mail. */
export interface MonitorNotice {
  readonly accountId: string;
  readonly email: string;
  readonly language: Language;
}

export interface DueDigest extends MonitorNotice {
  /** Events since the last digest. */
  readonly events: number;
}

/** Longer ago, the owner has found out, or there was no mail server. */
const REPORTED_WITHIN_MS = 86_400_000;
export const DIGEST_EVERY_MS = 7 * 86_400_000;

export function monitorNoticeQueries(db: Kysely<Tables>, now: StoreClock) {
  /** The accounts of some rows. */
  async function notices(
    table: "webhook_endpoints" | "monitor_accounts",
    isDue: RawBuilder<unknown>,
    limit: number,
  ) {
    const { rows } = await sql<Recipient<MonitorNotice>>`
      select distinct accounts.id as "accountId", accounts.email, people.language
      from ${sql.table(table)} as due
        join accounts on accounts.id = due.account_id
        left join people on people.account_id = accounts.id
      where ${isDue} and ${IS_OPEN_ACCOUNT}
      limit ${limit}`.execute(db);
    return rows.map(withLanguage);
  }
  return {
    /** Returns some accounts with a webhook that was disabled in the last day and not reported to them. */
    async disabledWebhooks(limit: number): Promise<readonly MonitorNotice[]> {
      const sinceMs = (await now()) - REPORTED_WITHIN_MS;
      return notices("webhook_endpoints", sql`disabled_at_ms > ${sinceMs} and is_reported = 0`, limit);
    },

    /** Returns some accounts with changes that wait for tokens, which was not reported to them. */
    waitingChanges: (limit: number): Promise<readonly MonitorNotice[]> =>
      notices("monitor_accounts", sql`waits = 1 and is_test = 0`, limit),

    /** Returns some accounts with new events that want a weekly mail and had none in the last week. */
    async dueDigests(limit: number): Promise<readonly DueDigest[]> {
      const beforeMs = (await now()) - DIGEST_EVERY_MS;
      const { rows } = await sql<Recipient<DueDigest>>`
        select accounts.id as "accountId", accounts.email, people.language, (
          select count(*) from events where events.account_id = accounts.id and events.is_test = 0
            and events.sequence > digest_through
        ) as events
        from monitor_accounts
          join accounts on accounts.id = monitor_accounts.account_id and accounts.suspended = 0
          join people on people.account_id = accounts.id
        where monitor_accounts.is_test = 0 and has_digest = 1 and digest_sent_at_ms <= ${beforeMs}
          and last_sequence > digest_through and ${IS_OPEN_ACCOUNT}
        limit ${limit}`.execute(db);
      // Of an account that was suspended for long, the events may have been deleted.
      return rows.filter(({ events }) => events > 0).map(withLanguage);
    },
  };
}

type Recipient<Notice> = Omit<Notice, "language"> & { readonly language: Language | null };

function withLanguage<Row extends { readonly language: Language | null }>(row: Row) {
  return { ...row, language: row.language ?? ("en" as const) };
}

export type MonitorNoticeQueries = ReturnType<typeof monitorNoticeQueries>;
