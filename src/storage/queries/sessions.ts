import type { Kysely, Selectable, Transaction } from "kysely";
import {
  MOST_SESSIONS,
  type PeopleStore,
  type Session,
  type SignedInFrom,
} from "../../accounts/peopleStore.ts";
import type { Tables } from "../schema/tables.ts";
import { lockAccount } from "./accountRows.ts";
import { passesSecond } from "./twoFactors.ts";

type SessionQueries = Pick<
  PeopleStore,
  "addSession" | "hasSignedInFrom" | "session" | "sessions" | "seenSession" | "endSession"
>;

export function sessionQueries(db: Kysely<Tables>): SessionQueries {
  return {
    addSession(session, tokenHash, passwordHash, from, second) {
      return db.transaction().execute(async (transaction) => {
        if (!(await lockAccount(transaction, session.accountId))) return false;
        if (!(await hasPassword(transaction, session.accountId, passwordHash))) return false;
        if (!(await passesSecond(transaction, session.accountId, second))) return false;
        await endBeyondMost(transaction, session.accountId);
        await insertSession(transaction, session, tokenHash);
        await knowAddress(transaction, session, from);
        return true;
      });
    },

    async hasSignedInFrom(accountId, addressHash, sinceMs) {
      const known = await db
        .selectFrom("known_addresses")
        .select("seen_at_ms")
        .where("account_id", "=", accountId)
        .where("address_hash", "=", addressHash)
        .where("seen_at_ms", ">", sinceMs)
        .executeTakeFirst();
      return known !== undefined;
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
  };
}

/** Whether the password of an account is this one; call it under the lock of the account. */
export async function hasPassword(
  transaction: Transaction<Tables>,
  accountId: string,
  passwordHash: string,
): Promise<boolean> {
  const person = await transaction
    .selectFrom("people")
    .select("password_hash")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return person?.password_hash === passwordHash;
}

async function insertSession(
  transaction: Transaction<Tables>,
  session: Session,
  tokenHash: string,
): Promise<void> {
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
}

/** Makes room for one more session; call it under the lock of the account. */
async function endBeyondMost(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  const beyond = await transaction
    .selectFrom("sessions")
    .select("id")
    .where("account_id", "=", accountId)
    .orderBy("last_seen_at_ms", "desc")
    .orderBy("id")
    .offset(MOST_SESSIONS - 1)
    .limit(MOST_SESSIONS)
    .execute();
  if (beyond.length === 0) return;
  const ids = beyond.map(({ id }) => id);
  await transaction.deleteFrom("sessions").where("id", "in", ids).execute();
}

/** Notes where an account was signed in from, and forgets the oldest beyond `mostKnown`; call it under the lock of the account. */
async function knowAddress(
  transaction: Transaction<Tables>,
  { accountId, createdAtMs }: Session,
  { addressHash, mostKnown }: SignedInFrom,
): Promise<void> {
  await transaction
    .insertInto("known_addresses")
    .values({ account_id: accountId, address_hash: addressHash, seen_at_ms: createdAtMs })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "address_hash"]).doUpdateSet({ seen_at_ms: createdAtMs }),
    )
    .execute();
  const tooMany = await transaction
    .selectFrom("known_addresses")
    .select("address_hash")
    .where("account_id", "=", accountId)
    .orderBy("seen_at_ms", "desc")
    .orderBy("address_hash")
    .offset(mostKnown)
    .limit(mostKnown)
    .execute();
  if (tooMany.length === 0) return;
  const hashes = tooMany.map((row) => row.address_hash);
  await transaction
    .deleteFrom("known_addresses")
    .where("account_id", "=", accountId)
    .where("address_hash", "in", hashes)
    .execute();
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
