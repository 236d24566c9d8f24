import { type Kysely, type Selectable, type SqlBool, sql, type Transaction } from "kysely";
import { IS_OPEN_ACCOUNT, withAccount } from "../../database/accountLock.ts";
import type { StoreClock } from "../../database/clock.ts";
import { retryCollisions } from "../../database/collisions.ts";
import { deleteRows, findRow, findRows, insertRows, updateRows, upsertRow } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import type { NewPerson, RetainedSuspension, StoredPerson } from "../people.ts";
import { asAccount, insertAccount } from "./accountRows.ts";
import { deleteAccount } from "./deletion.ts";
import { IS_SHOWN } from "./keys.ts";
import { hasPassword } from "./sessions.ts";
import { spendToken, voidLinks } from "./tokens.ts";

export function personQueries(db: Kysely<Tables>, now: StoreClock) {
  const persons = () =>
    db
      .selectFrom("accounts")
      .leftJoin("people", "people.account_id", "accounts.id")
      .where(IS_OPEN_ACCOUNT)
      .selectAll("accounts")
      .select(["password_hash", "admin", "language", "first_key_at", "allowance_mails"])
      .select(
        sql<SqlBool>`exists (select 1 from keys where keys.account_id = accounts.id ${IS_SHOWN})`.as(
          "has_keys",
        ),
      );
  return {
    /**
     * @returns `taken` if the address has an account; the invite is used up anyway, so that the difference does not
     * show
     */
    async addPerson(person: NewPerson): Promise<"added" | "taken" | "no-invite"> {
      // Before the transaction takes a connection, because this may need one as well.
      const storeNowMs = await now();
      return db.transaction().execute((transaction) => addPerson(transaction, person, storeNowMs));
    },

    async person(accountId: string): Promise<StoredPerson | undefined> {
      const row = await persons().where("accounts.id", "=", accountId).executeTakeFirst();
      return row && asPerson(row);
    },

    async personByEmail(email: string): Promise<StoredPerson | undefined> {
      const row = await persons().where("accounts.email", "=", email).executeTakeFirst();
      return row && asPerson(row);
    },

    /**
     * Sets a password; ends all sessions and all tokens that could set another.
     * @param inPlaceOf hash of the current password, so that only one of parallel changes succeeds
     * @returns false for an unknown account, or if the current password is not `inPlaceOf`
     */
    setPassword(accountId: string, passwordHash: string, inPlaceOf?: string): Promise<boolean> {
      return withAccount(db, accountId, false, async (transaction) => {
        if (inPlaceOf !== undefined && !(await hasPassword(transaction, accountId, inPlaceOf))) return false;
        await changePerson(transaction, accountId, { password_hash: passwordHash });
        await deleteRows(transaction, "sessions", { account_id: accountId });
        await voidLinks(transaction, accountId);
        return true;
      });
    },

    setAdmin(accountId: string, isAdmin: boolean): Promise<boolean> {
      return withAccount(db, accountId, false, (transaction) =>
        changePerson(transaction, accountId, { admin: isAdmin ? 1 : 0 }),
      );
    },

    /** @returns true once per account */
    async takeFirstKey(accountId: string, takenAt: string): Promise<boolean> {
      const person = { account_id: accountId, first_key_at: null };
      return (await updateRows(db, "people", person, { first_key_at: takenAt })) === 1;
    },

    /**
     * Deletes an account with all its data. Its usage is stored under the hash of its address, and so is a suspension,
     * until `suspendedUntilMs`. Stored responses and lists become unreachable and are deleted by
     * {@link sweepDeleted}. @returns false for an unknown account
     */
    async deleteAccount(accountId: string, emailHash: string, suspendedUntilMs: number): Promise<boolean> {
      const storeNowMs = await now();
      const deletion = { accountId, emailHash, suspendedUntilMs, storeNowMs };
      return retryCollisions(() =>
        db.transaction().execute((transaction) => deleteAccount(transaction, deletion)),
      );
    },
  };
}

/** Secrets of the service, created once. */
export function secretQueries(db: Kysely<Tables>) {
  return {
    /** Returns the secret of this name, or stores `candidate` as it. */
    async secret(name: string, candidate: string): Promise<string> {
      await upsertRow(db, "secrets", { name, value: candidate });
      const row = await findRow(db, "secrets", { name });
      return row?.value ?? candidate;
    },
  };
}

/** Suspensions of deleted accounts. */
export function suspensionQueries(db: Kysely<Tables>) {
  return {
    /** Returns up to `most` suspensions of deleted accounts, the latest first. */
    async retainedSuspensions(nowMs: number, limit: number): Promise<readonly RetainedSuspension[]> {
      const longestFirst = sql`and expires_at_ms > ${nowMs} order by expires_at_ms desc limit ${limit}`;
      const rows = await findRows(db, "suspended_addresses", {}, longestFirst);
      return rows.map((row) => ({
        keptUntil: new Date(row.expires_at_ms).toISOString(),
        ...(row.suspended_at !== null && { suspendedAt: row.suspended_at }),
      }));
    },

    /** @returns false if there is none for this address */
    async endRetainedSuspension(emailHash: string): Promise<boolean> {
      return (await deleteRows(db, "suspended_addresses", { email_hash: emailHash })) === 1;
    },
  };
}

async function addPerson(
  transaction: Transaction<Tables>,
  { account, passwordHash, language, inviteHash, nowMs }: NewPerson,
  storeNowMs: number,
): Promise<"added" | "taken" | "no-invite"> {
  if (inviteHash !== undefined) {
    const invite = await spendToken(transaction, { hash: inviteHash, purpose: "invite", nowMs });
    if (invite === undefined) return "no-invite";
  }
  if (!(await insertAccount(transaction, account, storeNowMs))) return "taken";
  const person = { account_id: account.id, password_hash: passwordHash, admin: 0, language };
  await insertRows(transaction, "people", person);
  return "added";
}

/** Changes the person of an account, or adds it. */
function changePerson(
  transaction: Transaction<Tables>,
  accountId: string,
  changes: { readonly password_hash: string } | { readonly admin: number },
): Promise<boolean> {
  const row = { account_id: accountId, admin: 0, language: "en" as const, ...changes };
  return upsertRow(transaction, "people", row, changes);
}

type PersonRow = Selectable<Tables["accounts"]> & {
  readonly password_hash: string | null;
  readonly admin: number | null;
  readonly language: "en" | "nl" | null;
  readonly first_key_at: string | null;
  readonly allowance_mails: number | null;
  readonly has_keys: SqlBool;
};

function asPerson(row: PersonRow): StoredPerson {
  return {
    account: asAccount(row),
    ...(row.password_hash === null ? {} : { passwordHash: row.password_hash }),
    isAdmin: row.admin === 1,
    language: row.language ?? "en",
    wantsAllowanceMails: row.allowance_mails !== 0,
    mayTakeFirstKey: row.first_key_at === null && !row.has_keys,
  };
}

export type SecretQueries = ReturnType<typeof secretQueries>;
