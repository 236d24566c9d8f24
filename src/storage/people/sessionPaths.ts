import type { Kysely, Selectable } from "kysely";
import type { PeopleStore, Session } from "../../accounts/peopleStore.ts";
import type { Tables } from "../tables.ts";
import { lockAccount } from "./accountRows.ts";
import { MONTHS_BEFORE } from "./departed.ts";

type SessionPaths = Pick<
  PeopleStore,
  "addSession" | "session" | "sessions" | "seenSession" | "endSession" | "sweepPeople"
>;

export function sessionPaths(db: Kysely<Tables>): SessionPaths {
  return {
    addSession(session, tokenHash, passwordHash) {
      return db.transaction().execute(async (transaction) => {
        if (!(await lockAccount(transaction, session.accountId))) return false;
        const person = await transaction
          .selectFrom("people")
          .select("password_hash")
          .where("account_id", "=", session.accountId)
          .executeTakeFirst();
        if (person?.password_hash !== passwordHash) return false;
        await transaction
          .insertInto("sessions")
          .values({
            id: session.id,
            account_id: session.accountId,
            token_hash: tokenHash,
            created_at_ms: session.createdAtMs,
            last_seen_at_ms: session.lastSeenAtMs,
            ends_at_ms: session.endsAtMs,
            client: session.client ?? null,
          })
          .execute();
        return true;
      });
    },

    async session(tokenHash) {
      const row = await db
        .selectFrom("sessions")
        .selectAll()
        .where("token_hash", "=", tokenHash)
        .executeTakeFirst();
      return row === undefined ? undefined : asSession(row);
    },

    async sessions(accountId) {
      const rows = await db
        .selectFrom("sessions")
        .selectAll()
        .where("account_id", "=", accountId)
        .orderBy("last_seen_at_ms", "desc")
        .orderBy("id")
        .execute();
      return rows.map(asSession);
    },

    async seenSession(id, nowMs) {
      await db.updateTable("sessions").set({ last_seen_at_ms: nowMs }).where("id", "=", id).execute();
    },

    async endSession(accountId, id) {
      const ended = await db
        .deleteFrom("sessions")
        .where("id", "=", id)
        .where("account_id", "=", accountId)
        .returning("id")
        .execute();
      return ended.length === 1;
    },

    async sweepPeople(nowMs, idleMs, month) {
      await db
        .deleteFrom("sessions")
        .where((where) =>
          where.or([where("ends_at_ms", "<=", nowMs), where("last_seen_at_ms", "<=", nowMs - idleMs)]),
        )
        .execute();
      await db.deleteFrom("one_time_tokens").where("expires_at_ms", "<=", nowMs).execute();
      await db.deleteFrom("attempts").where("ends_at_ms", "<=", nowMs).execute();
      await db.deleteFrom("departed").where("month", "<", month).execute();
      await db.deleteFrom("suspended_addresses").where("kept_until_ms", "<=", nowMs).execute();
      await db
        .deleteFrom("departed_months")
        .where("month", "<", month - MONTHS_BEFORE)
        .execute();
    },
  };
}

function asSession(row: Selectable<Tables["sessions"]>): Session {
  return {
    id: row.id,
    accountId: row.account_id,
    createdAtMs: Number(row.created_at_ms),
    lastSeenAtMs: Number(row.last_seen_at_ms),
    endsAtMs: Number(row.ends_at_ms),
    ...(row.client === null ? {} : { client: row.client }),
  };
}
