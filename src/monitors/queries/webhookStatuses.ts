import { type Kysely, type Selectable, sql } from "kysely";
import type { StoreClock } from "../../database/clock.ts";
import { toObject } from "../../database/objects.ts";
import type { Tables } from "../../database/schema/tables.ts";
import type { WebhookStatus } from "../stored.ts";

export function endpointQueries(db: Kysely<Tables>, now: StoreClock) {
  return {
    async webhookStatuses(accountId: string): Promise<readonly WebhookStatus[]> {
      const nowMs = await now();
      const { rows } = await sql<StatusRow>`
        select e.*,
          (select count(*) from monitors m where m.account_id = e.account_id and m.webhook = e.url) as monitors,
          (select min(m.id) from monitors m where m.account_id = e.account_id and m.webhook = e.url) as monitor_id,
          (select count(*) from webhook_messages w where w.account_id = e.account_id and w.url = e.url) as waiting
        from webhook_endpoints e where e.account_id = ${accountId} order by e.url`.execute(db);
      return rows.flatMap((row) => {
        const { monitors, monitor_id: monitorId, waiting, paused_until_ms } = row;
        // No monitor uses it any longer.
        if (monitorId === null) return [];
        return {
          ...toObject("webhook_endpoints", row, "account_id", "failures", "paused_until_ms", "is_reported"),
          ...{ monitors, monitorId, waiting },
          ...(paused_until_ms > nowMs && { pausedUntilMs: paused_until_ms }),
        };
      });
    },
  };
}

type StatusRow = Selectable<Tables["webhook_endpoints"]> & {
  readonly monitors: number;
  readonly monitor_id: string | null;
  readonly waiting: number;
};
