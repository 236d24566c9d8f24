import { type Kysely, type RawBuilder, sql } from "kysely";
import { MESSAGE_LIFE_MS } from "../../jobs/webhooks/message.ts";
import { EVENT_MESSAGE_LIFE_MS } from "../../monitors/changeEvent.ts";
import type { Tables } from "../schema/tables.ts";
import type { StoreClock, WaitingStore } from "../stateStore.ts";
import { IS_OPEN_ACCOUNT } from "./accountRows.ts";
import { hasNoClaim } from "./jobWork.ts";
import { countOf } from "./rows.ts";

/** Every scrape of the metrics makes these queries, so they read a bounded number of rows. */
const MAX_COUNTED = 10_000;
const MAX_READ = 1_000;

/** Work that waits in the state. */
export function waitingQueries(db: Kysely<Tables>, now: StoreClock): WaitingStore {
  const count = (table: RawBuilder<unknown>) => countOf(db, sql`select 1 from ${table} limit ${MAX_COUNTED}`);
  return {
    async waitingWork() {
      const nowMs = await now();
      const oldest = (sinceMs: readonly number[]) => Math.max(0, nowMs - Math.min(nowMs, ...sinceMs));
      const { rows: rounds } = await sql<{ comparedAtMs: number | null }>`
        select (select compared_at_ms from monitor_round) as "comparedAtMs"
        where exists (select 1 from monitors)`.execute(db);
      const { rows: accounts } = await sql<{ sinceMs: number }>`
        select due_at_ms as "sinceMs"
        from monitor_accounts join accounts on accounts.id = monitor_accounts.account_id
        where due_at_ms <= ${nowMs} and accounts.suspended = 0 and ${IS_OPEN_ACCOUNT}
        order by due_at_ms limit 1`.execute(db);
      const { rows: messages } = await sql<{ url: string; failures: number; sinceMs: number }>`
        select url, failures,
          drop_at_ms - cast(case when substr(id, 1, 4) = 'evt_' then ${EVENT_MESSAGE_LIFE_MS} else ${MESSAGE_LIFE_MS} end as bigint) as "sinceMs"
        from webhook_messages order by due_at_ms limit ${MAX_READ}`.execute(db);
      const failing = messages.filter(({ failures }) => failures > 0);
      const { rows: lists } = await sql<Readonly<Record<"dueAtMs" | "leaseUntilMs" | "servedAtMs", number>>>`
        select due_at_ms as "dueAtMs", lease_until_ms as "leaseUntilMs",
          (select max(served.served_at_ms) from jobs served where served.account_id = jobs.account_id) as "servedAtMs"
        from jobs where due_at_ms <= ${nowMs} and ${hasNoClaim(sql.ref("jobs.account_id"), nowMs)}
        order by due_at_ms limit ${MAX_READ}`.execute(db);
      return {
        comparedAtMs: rounds[0] && (rounds[0].comparedAtMs ?? 0),
        changes: await count(sql`pending_changes`),
        oldestChangeMs: oldest(accounts.map(({ sinceMs }) => sinceMs)),
        messages: await count(sql`webhook_messages`),
        oldestMessageMs: oldest(messages.map(({ sinceMs }) => sinceMs)),
        failingHosts: new Set(failing.map(({ url }) => URL.parse(url)?.host)).size,
        disabledWebhooks: await countOf(
          db,
          sql`select 1 from webhook_endpoints e where disabled_at_ms is not null and exists (
            select 1 from monitors m where m.account_id = e.account_id and m.webhook = e.url)`,
        ),
        oldestListMs: oldest(lists.map((list) => Math.max(...Object.values(list).map(Number)))),
      };
    },
  };
}
