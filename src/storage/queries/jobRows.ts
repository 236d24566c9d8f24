import type { Selectable } from "kysely";
import type { StoredList } from "../../jobs/store.ts";
import type { Tables } from "../schema/tables.ts";

export function asList(row: Selectable<Tables["jobs"]>): StoredList {
  const { status } = row;
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    ...(row.is_test === 1 && { isTest: true }),
    kind: row.kind,
    status: status === "receiving" ? "queued" : status,
    ...(row.reason !== null && { reason: row.reason }),
    sent: Number(row.sent),
    duplicates: Number(row.duplicates),
    estimated: Number(row.estimated),
    found: Number(row.found),
    failed: Number(row.failed),
    charged: Number(row.charged),
    ...(row.max_tokens !== null && { maxTokens: Number(row.max_tokens) }),
    ...(row.webhook !== null && { webhook: row.webhook }),
    createdAtMs: Number(row.created_at_ms),
    ...(row.started_at_ms !== null && { startedAtMs: Number(row.started_at_ms) }),
    ...(row.ended_at_ms !== null && { endedAtMs: Number(row.ended_at_ms) }),
    step: Number(row.step),
    claim: Number(row.claim),
  };
}
