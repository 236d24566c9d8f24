import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { withAccount } from "../../database/accountLock.ts";
import { toObject, toRow } from "../../database/objects.ts";
import { deleteRows, findRow, findRows, insertRows, updateRows, upsertRow } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { MAX_SESSIONS, type Session, type SignedInFrom } from "../people.ts";
import type { SecondFactor } from "../secondFactors.ts";
import { verifySecondFactor } from "./twoFactors.ts";

export function sessionQueries(db: Kysely<Tables>) {
  return {
    /**
     * Opens a session and records its network address. Refused if the password has changed in the meantime, or if
     * two-factor sign-in is on and the second factor is missing or used. The factor is used up. Beyond
     * {@link MAX_SESSIONS} the longest unused session ends.
     */
    addSession(
      session: Session,
      tokenHash: string,
      passwordHash: string,
      from: SignedInFrom,
      second?: SecondFactor,
    ): Promise<boolean> {
      const { accountId } = session;
      return withAccount(db, accountId, false, async (transaction) => {
        if (!(await hasPassword(transaction, accountId, passwordHash))) return false;
        if (!(await verifySecondFactor(transaction, accountId, second))) return false;
        await endExcessSessions(transaction, accountId);
        await insertRows(transaction, "sessions", toRow("sessions", { ...session, tokenHash }));
        await recordAddress(transaction, session, from);
        return true;
      });
    },

    /** Whether the account opened a session from a network address after `sinceMs`. */
    async hasSignedInFrom(accountId: string, addressHash: string, sinceMs: number): Promise<boolean> {
      const address = { account_id: accountId, address_hash: addressHash };
      return (await findRow(db, "known_addresses", address, sql`and seen_at_ms > ${sinceMs}`)) !== undefined;
    },

    async session(tokenHash: string): Promise<Session | undefined> {
      const row = await findRow(db, "sessions", { token_hash: tokenHash });
      return row && asSession(row);
    },

    /** Returns open sessions, the last used first. */
    async sessions(accountId: string): Promise<readonly Session[]> {
      const latestFirst = sql`order by last_seen_at_ms desc, id`;
      return (await findRows(db, "sessions", { account_id: accountId }, latestFirst)).map(asSession);
    },

    async seenSession(id: string, nowMs: number): Promise<void> {
      await updateRows(db, "sessions", { id }, { last_seen_at_ms: nowMs });
    },

    async endSession(accountId: string, id: string): Promise<boolean> {
      return (await deleteRows(db, "sessions", { id, account_id: accountId })) === 1;
    },
  };
}

/** Whether an account has this password. Call it under the lock of the account. */
export async function hasPassword(
  transaction: Transaction<Tables>,
  accountId: string,
  passwordHash: string,
): Promise<boolean> {
  const person = await findRow(transaction, "people", { account_id: accountId });
  return person?.password_hash === passwordHash;
}

/** Makes room for one more session. Call it under the lock of the account. */
async function endExcessSessions(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  await deleteRows(
    transaction,
    "sessions",
    { account_id: accountId },
    sql`and id not in (
      select id from sessions where account_id = ${accountId} order by last_seen_at_ms desc, id limit ${MAX_SESSIONS - 1})`,
  );
}

/**
 * Records the address of a sign-in, and deletes the oldest beyond `maxKnown`. Call it under the lock of the account.
 */
async function recordAddress(
  transaction: Transaction<Tables>,
  { accountId, createdAtMs }: Session,
  { addressHash, maxKnown }: SignedInFrom,
): Promise<void> {
  const seen = { seen_at_ms: createdAtMs };
  const address = { account_id: accountId, address_hash: addressHash };
  await upsertRow(transaction, "known_addresses", { ...address, ...seen }, seen);
  await deleteRows(
    transaction,
    "known_addresses",
    { account_id: accountId },
    sql`and address_hash not in (
      select address_hash from known_addresses where account_id = ${accountId}
      order by seen_at_ms desc, address_hash limit ${maxKnown})`,
  );
}

function asSession(row: Selectable<Tables["sessions"]>): Session {
  return toObject("sessions", row, "token_hash");
}
