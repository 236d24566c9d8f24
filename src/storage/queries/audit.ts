import type { Kysely, Selectable } from "kysely";
import { type AuditEntry, type AuditStore, MOST_AUDITED } from "../../accounts/changes.ts";
import type { Tables } from "../schema/tables.ts";

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

    async audit({ offset, limit, accountId, what }) {
      const asked = db
        .selectFrom("audit_log")
        .$if(accountId !== undefined, (query) => query.where("subject", "=", accountId ?? ""))
        .$if(what !== undefined, (query) => query.where("what", "=", what ?? ""));
      const rows = await asked
        .selectAll()
        .orderBy("at_ms", "desc")
        .orderBy("id")
        .offset(offset)
        .limit(limit)
        .execute();
      const counted = asked.select("id").limit(MOST_AUDITED).as("counted");
      const { total } = await db
        .selectFrom(counted)
        .select((select) => select.fn.countAll<number | string>().as("total"))
        .executeTakeFirstOrThrow();
      return { entries: rows.map(asEntry), total: Number(total) };
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
