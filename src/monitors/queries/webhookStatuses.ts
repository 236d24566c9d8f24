import { type Kysely, type Selectable, sql } from "kysely";
import type { StoreClock } from "../../database/clock.ts";
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
        const { url, monitors, monitor_id, waiting, delivered_at_ms, failed_at_ms, failure } = row;
        const { disabled_at_ms, paused_until_ms } = row;
        // No monitor uses it any longer.
        if (monitor_id === null) return [];
        return {
          ...{ url, monitors, monitorId: monitor_id, waiting },
          ...(delivered_at_ms !== null && { deliveredAtMs: delivered_at_ms }),
          ...(failed_at_ms !== null && { failedAtMs: failed_at_ms }),
          ...(failure !== null && { failure }),
          ...(disabled_at_ms !== null && { disabledAtMs: disabled_at_ms }),
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
