import { type Kysely, sql } from "kysely";
import { IS_OPEN_ACCOUNT } from "../../database/accountLock.ts";
import type { StoreClock } from "../../database/clock.ts";
import { countRows } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { hasNoClaim } from "../../jobs/queries/work.ts";
import { COMPARED } from "../../monitors/queries/monitorRows.ts";
import { EVENT_MESSAGE_LIFE_MS, MESSAGE_LIFE_MS } from "../../webhooks/message.ts";

/** Bounds, because every scrape of the metrics reads this. */
const MAX_COUNTED = 10_000;
const MAX_READ = 1_000;

export function waitingQueries(db: Kysely<Tables>, now: StoreClock) {
  const some = sql`limit ${MAX_COUNTED}`;
  return {
    /** Reads a bounded number of rows. @returns metrics by name */
    async waitingWork(): Promise<Readonly<Record<string, number | undefined>>> {
      const nowMs = await now();
      const secondsOf = (rows: readonly { sinceMs: number }[]) =>
        Math.max(0, ...rows.map(({ sinceMs }) => (nowMs - sinceMs) / 1_000));
      const { rows: rounds } = await sql<{ comparedAtMs: number | null }>`
        select (select compared_at_ms from (${COMPARED}) as compared) as "comparedAtMs"
        where exists (select 1 from monitors)`.execute(db);
      const { rows: accounts } = await sql<{ sinceMs: number }>`
        select due_at_ms as "sinceMs"
        from monitor_accounts join accounts on accounts.id = monitor_accounts.account_id
        where due_at_ms <= ${nowMs} and accounts.suspended = 0 and ${IS_OPEN_ACCOUNT}
        order by due_at_ms limit 1`.execute(db);
      const { rows: messages } = await sql<{ url: string; failures: number; sinceMs: number }>`
        select first.url, first.failures + coalesce(e.failures, 0) as failures, "sinceMs" from (
          select account_id, url, failures, drop_at_ms - cast(case when substr(id, 1, 4) = 'evt_'
            then ${EVENT_MESSAGE_LIFE_MS} else ${MESSAGE_LIFE_MS} end as bigint) as "sinceMs"
          from webhook_messages order by due_at_ms limit ${MAX_READ}) as first
        left join webhook_endpoints e on e.account_id = first.account_id and e.url = first.url`.execute(db);
      const { rows: lists } = await sql<{ sinceMs: number }>`
        select case when due_at_ms > served_at_ms then due_at_ms else served_at_ms end as "sinceMs" from (
          select due_at_ms, (select max(s.served_at_ms) from jobs s where s.account_id = jobs.account_id) as served_at_ms
          from jobs where due_at_ms <= ${nowMs} and ${hasNoClaim(sql.ref("jobs.account_id"), nowMs)}
          order by due_at_ms limit ${MAX_READ}) as waiting_lists`.execute(db);
      const isUsed = sql`and disabled_at_ms is not null and exists (select 1 from monitors m
        where m.account_id = webhook_endpoints.account_id and m.webhook = webhook_endpoints.url)`;
      const failing = messages.flatMap(({ url, failures }) => (failures > 0 ? URL.parse(url)?.host : []));
      return {
        opzoek_monitors_compared_timestamp_seconds: rounds[0] && (rounds[0].comparedAtMs ?? 0) / 1_000,
        opzoek_monitor_changes_waiting: await countRows(db, "pending_changes", {}, some),
        opzoek_monitor_changes_oldest_seconds: secondsOf(accounts),
        opzoek_webhook_messages_waiting: await countRows(db, "webhook_messages", {}, some),
        opzoek_webhook_messages_oldest_seconds: secondsOf(messages),
        opzoek_webhook_hosts_failing: new Set(failing).size,
        opzoek_webhooks_disabled: await countRows(db, "webhook_endpoints", {}, isUsed),
        opzoek_lists_oldest_waiting_seconds: secondsOf(lists),
      };
    },
  };
}

export type WaitingQueries = ReturnType<typeof waitingQueries>;
