import { type Kysely, sql } from "kysely";
import type { WebhookNotice, WebhookNoticeStore } from "../../accounts/webhookNotices.ts";
import type { Language } from "../../contract/accountResources.ts";
import type { Tables } from "../schema/tables.ts";
import type { StoreClock } from "../stateStore.ts";
import { IS_OPEN_ACCOUNT } from "./accountRows.ts";

/** Longer ago, the owner has found out, or there was no mail server. */
const REPORTED_WITHIN_MS = 86_400_000;

export function webhookNoticeQueries(db: Kysely<Tables>, now: StoreClock): WebhookNoticeStore {
  return {
    async disabledWebhooks(limit) {
      const sinceMs = (await now()) - REPORTED_WITHIN_MS;
      const { rows } = await sql<Omit<WebhookNotice, "language"> & { readonly language: Language | null }>`
        select distinct accounts.id as "accountId", accounts.email, people.language
        from webhook_endpoints
          join accounts on accounts.id = webhook_endpoints.account_id
          left join people on people.account_id = accounts.id
        where disabled_at_ms > ${sinceMs} and is_reported = 0 and ${IS_OPEN_ACCOUNT}
        limit ${limit}`.execute(db);
      return rows.map((row) => ({ ...row, language: row.language ?? "en" }));
    },
  };
}
