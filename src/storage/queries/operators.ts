import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { NoteChange, OperatorNote, OperatorStore } from "../../accounts/operatorStore.ts";
import type { Tables } from "../schema/tables.ts";
import { IS_THERE, lockAccount } from "./accountRows.ts";

/** What only operators see and do, beside changing accounts. */
export function operatorQueries(db: Kysely<Tables>): OperatorStore {
  return {
    async note(accountId) {
      const row = await db
        .selectFrom("operator_notes")
        .selectAll()
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      return row === undefined ? undefined : asNote(row);
    },

    setNote(accountId, change) {
      return db.transaction().execute((transaction) => setNote(transaction, accountId, change));
    },

    async endSessions(accountId, exceptId) {
      const ended = await db
        .deleteFrom("sessions")
        .where("account_id", "=", accountId)
        .where("id", "<>", exceptId ?? "")
        .returning("id")
        .execute();
      return ended.length;
    },

    async emailsOf(accountIds) {
      if (accountIds.length === 0) return [];
      return db
        .selectFrom("accounts")
        .select(["id", "email"])
        .where("id", "in", accountIds)
        .where(IS_THERE)
        .execute();
    },
  };
}

async function setNote(
  transaction: Transaction<Tables>,
  accountId: string,
  { text, basedOn, nowMs, by }: NoteChange,
): Promise<"kept" | "other" | "no-account"> {
  // The lock makes two who change one note wait for each other, so that the second is told.
  if (!(await lockAccount(transaction, accountId))) return "no-account";
  const changed = { text, changed_at_ms: nowMs, changed_by: by };
  const kept =
    basedOn === 0
      ? await transaction
          .insertInto("operator_notes")
          .values({ account_id: accountId, version: 1, ...changed })
          .onConflict((conflict) => conflict.column("account_id").doNothing())
          .returning("version")
          .execute()
      : await transaction
          .updateTable("operator_notes")
          .set({ ...changed, version: sql<number>`version + 1` })
          .where("account_id", "=", accountId)
          .where("version", "=", basedOn)
          .returning("version")
          .execute();
  return kept.length === 1 ? "kept" : "other";
}

function asNote(row: Selectable<Tables["operator_notes"]>): OperatorNote {
  return {
    text: row.text,
    version: Number(row.version),
    changedAtMs: Number(row.changed_at_ms),
    changedBy: row.changed_by,
  };
}
