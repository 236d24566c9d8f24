import { type Kysely, type Selectable, type SqlBool, sql, type Transaction } from "kysely";
import type { NewPerson, PeopleStore, StoredPerson } from "../../accounts/peopleStore.ts";
import { IS_OPEN_ACCOUNT, withAccount } from "../accountLock.ts";
import type { StoreClock } from "../clock.ts";
import { retryCollisions } from "../collisions.ts";
import { deleteRows, findRow, findRows, insertRows, updateRows, upsertRow } from "../rows.ts";
import type { Tables } from "../schema/tables.ts";
import { asAccount, insertAccount } from "./accountRows.ts";
import { deleteAccount } from "./deletion.ts";
import { IS_SHOWN } from "./keys.ts";
import { hasPassword } from "./sessions.ts";
import { spendToken, voidLinks } from "./tokens.ts";

type PersonQueries = Pick<
  PeopleStore,
  "addPerson" | "person" | "personByEmail" | "setPassword" | "setAdmin" | "takeFirstKey" | "deleteAccount"
>;

export function personQueries(db: Kysely<Tables>, now: StoreClock): PersonQueries {
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
    async addPerson(person) {
      // Before the transaction takes a connection, because this may need one as well.
      const storeNowMs = await now();
      return db.transaction().execute((transaction) => addPerson(transaction, person, storeNowMs));
    },

    async person(accountId) {
      const row = await persons().where("accounts.id", "=", accountId).executeTakeFirst();
      return row && asPerson(row);
    },

    async personByEmail(email) {
      const row = await persons().where("accounts.email", "=", email).executeTakeFirst();
      return row && asPerson(row);
    },

    setPassword(accountId, passwordHash, inPlaceOf) {
      return withAccount(db, accountId, false, async (transaction) => {
        if (inPlaceOf !== undefined && !(await hasPassword(transaction, accountId, inPlaceOf))) return false;
        await changePerson(transaction, accountId, { password_hash: passwordHash });
        await deleteRows(transaction, "sessions", { account_id: accountId });
        await voidLinks(transaction, accountId);
        return true;
      });
    },

    setAdmin(accountId, isAdmin) {
      return withAccount(db, accountId, false, (transaction) =>
        changePerson(transaction, accountId, { admin: isAdmin ? 1 : 0 }),
      );
    },

    async takeFirstKey(accountId, takenAt) {
      const person = { account_id: accountId, first_key_at: null };
      return (await updateRows(db, "people", person, { first_key_at: takenAt })) === 1;
    },

    async deleteAccount(accountId, emailHash, suspendedUntilMs) {
      const storeNowMs = await now();
      const deletion = { accountId, emailHash, suspendedUntilMs, storeNowMs };
      return retryCollisions(() =>
        db.transaction().execute((transaction) => deleteAccount(transaction, deletion)),
      );
    },
  };
}

/** Secrets of the service, created once. */
export function secretQueries(db: Kysely<Tables>): Pick<PeopleStore, "secret"> {
  return {
    async secret(name, candidate) {
      await upsertRow(db, "secrets", { name, value: candidate });
      const row = await findRow(db, "secrets", { name });
      return row?.value ?? candidate;
    },
  };
}

/** Suspensions of deleted accounts. */
export function suspensionQueries(
  db: Kysely<Tables>,
): Pick<PeopleStore, "retainedSuspensions" | "endRetainedSuspension"> {
  return {
    async retainedSuspensions(nowMs, limit) {
      const longestFirst = sql`and expires_at_ms > ${nowMs} order by expires_at_ms desc limit ${limit}`;
      const rows = await findRows(db, "suspended_addresses", {}, longestFirst);
      return rows.map((row) => ({
        keptUntil: new Date(row.expires_at_ms).toISOString(),
        ...(row.suspended_at !== null && { suspendedAt: row.suspended_at }),
      }));
    },

    async endRetainedSuspension(emailHash) {
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
