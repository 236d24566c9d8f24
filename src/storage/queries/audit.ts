import type { Kysely, Selectable } from "kysely";
import type { AuditEntry, AuditStore } from "../../accounts/changes.ts";
import type { Tables } from "../tables.ts";

/** What operators changed, kept for good: ids only, never an address. */
export function auditQueries(db: Kysely<Tables>): AuditStore {
  return {
    async addAudit({ id, atMs, by, what, accountId, keyId, from, to }) {
      await db
        .insertInto("audit_log")
        .values({
          id,
          at_ms: atMs,
          changed_by: by,
          what,
          subject: accountId ?? null,
          key_id: keyId ?? null,
          before: from ?? null,
          after: to ?? null,
        })
        .execute();
    },

    async audit({ offset, limit, accountId }) {
      const rows = await db
        .selectFrom("audit_log")
        .selectAll()
        .$if(accountId !== undefined && accountId !== null, (query) =>
          query.where("subject", "=", accountId ?? ""),
        )
        .orderBy("at_ms", "desc")
        .orderBy("id")
        .offset(offset)
        .limit(limit)
        .execute();
      return rows.map(asEntry);
    },
  };
}

function asEntry(row: Selectable<Tables["audit_log"]>): AuditEntry {
  return {
    id: row.id,
    atMs: Number(row.at_ms),
    by: row.changed_by,
    what: row.what,
    ...(row.subject !== null && { accountId: row.subject }),
    ...(row.key_id !== null && { keyId: row.key_id }),
    ...(row.before !== null && { from: row.before }),
    ...(row.after !== null && { to: row.after }),
  };
}
