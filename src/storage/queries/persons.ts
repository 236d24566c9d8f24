import { type Kysely, type Selectable, type SqlBool, sql, type Transaction } from "kysely";
import type { NewPerson, PeopleStore, StoredPerson } from "../../accounts/peopleStore.ts";
import { PAGE_KEY_PREFIX } from "../../contract/pageKey.ts";
import type { Tables } from "../schema/tables.ts";
import type { StoreClock } from "../stateStore.ts";
import { asAccount, IS_THERE, insertAccount, lockAccount } from "./accountRows.ts";
import { deleteAccount } from "./deletion.ts";
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
      .where(IS_THERE)
      .selectAll("accounts")
      .select(["password_hash", "admin", "language", "first_key_at", "allowance_mails"])
      .select(
        sql<SqlBool>`exists (select 1 from keys where keys.account_id = accounts.id and prefix <> ${PAGE_KEY_PREFIX})`.as(
          "has_keys",
        ),
      );
  return {
    async addPerson(person) {
      // Asked before the transaction has its connection, as this may need one too.
      const storeNowMs = await now();
      return db.transaction().execute((transaction) => addPerson(transaction, person, storeNowMs));
    },

    async person(accountId) {
      const row = await persons().where("accounts.id", "=", accountId).executeTakeFirst();
      return row === undefined ? undefined : asPerson(row);
    },

    async personByEmail(email) {
      const row = await persons().where("accounts.email", "=", email).executeTakeFirst();
      return row === undefined ? undefined : asPerson(row);
    },

    setPassword(accountId, passwordHash, inPlaceOf) {
      return db
        .transaction()
        .execute((transaction) => setPassword(transaction, accountId, passwordHash, inPlaceOf));
    },

    setAdmin(accountId, isAdmin) {
      return db.transaction().execute((transaction) => setAdmin(transaction, accountId, isAdmin));
    },

    async takeFirstKey(accountId, takenAt) {
      const taken = await db
        .updateTable("people")
        .set({ first_key_at: takenAt })
        .where("account_id", "=", accountId)
        .where("first_key_at", "is", null)
        .returning("account_id")
        .execute();
      return taken.length === 1;
    },

    async deleteAccount(accountId, emailHash, suspendedUntilMs) {
      const storeNowMs = await now();
      return db
        .transaction()
        .execute((transaction) =>
          deleteAccount(transaction, { accountId, emailHash, suspendedUntilMs, storeNowMs }),
        );
    },
  };
}

/** Secrets of the service itself, made once. */
export function secretQueries(db: Kysely<Tables>): Pick<PeopleStore, "secret"> {
  return {
    async secret(name, candidate) {
      await db
        .insertInto("secrets")
        .values({ name, value: candidate })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .execute();
      const { value } = await db
        .selectFrom("secrets")
        .select("value")
        .where("name", "=", name)
        .executeTakeFirstOrThrow();
      return value;
    },
  };
}

/** Suspensions that outlive their account. */
export function suspensionQueries(
  db: Kysely<Tables>,
): Pick<PeopleStore, "keptSuspensions" | "endKeptSuspension"> {
  return {
    async keptSuspensions(nowMs, most) {
      const rows = await db
        .selectFrom("suspended_addresses")
        .select(["suspended_at", "kept_until_ms"])
        .where("kept_until_ms", ">", nowMs)
        .orderBy("kept_until_ms", "desc")
        .limit(most)
        .execute();
      return rows.map((row) => ({
        keptUntil: new Date(Number(row.kept_until_ms)).toISOString(),
        ...(row.suspended_at !== null && { suspendedAt: row.suspended_at }),
      }));
    },

    async endKeptSuspension(emailHash) {
      const ended = await db
        .deleteFrom("suspended_addresses")
        .where("email_hash", "=", emailHash)
        .returning("email_hash")
        .execute();
      return ended.length === 1;
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
  await transaction
    .insertInto("people")
    .values({ account_id: account.id, password_hash: passwordHash, admin: 0, language })
    .execute();
  return "added";
}

async function setPassword(
  transaction: Transaction<Tables>,
  accountId: string,
  passwordHash: string,
  inPlaceOf: string | undefined | null,
): Promise<boolean> {
  if (!(await lockAccount(transaction, accountId))) return false;
  // Across the threads what is absent is null.
  const isNamed = inPlaceOf !== undefined && inPlaceOf !== null;
  if (isNamed && !(await hasPassword(transaction, accountId, inPlaceOf))) return false;
  await transaction
    .insertInto("people")
    .values({ account_id: accountId, password_hash: passwordHash, admin: 0, language: "en" })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ password_hash: passwordHash }))
    .execute();
  await transaction.deleteFrom("sessions").where("account_id", "=", accountId).execute();
  await voidLinks(transaction, accountId);
  return true;
}

async function setAdmin(
  transaction: Transaction<Tables>,
  accountId: string,
  isAdmin: boolean,
): Promise<boolean> {
  if (!(await lockAccount(transaction, accountId))) return false;
  const admin = isAdmin ? 1 : 0;
  await transaction
    .insertInto("people")
    .values({ account_id: accountId, admin, language: "en" })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ admin }))
    .execute();
  return true;
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
