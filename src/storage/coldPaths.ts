import type { Kysely, Selectable } from "kysely";
import type { Account, AccountStore, Key } from "../accounts/store.ts";
import type { LedgerStore } from "../metering/store.ts";
import type { Tables } from "./tables.ts";

type ColdPaths = AccountStore & LedgerStore & { findKeyId(hash: string): Promise<string | undefined> };

/** What is asked now and then, in SQL that every store understands. */
export function coldPaths(db: Kysely<Tables>): ColdPaths {
  return {
    async addAccount({ id, email, tierName, isSuspended, createdAt }) {
      const added = await db
        .insertInto("accounts")
        .values({ id, email, tier: tierName, suspended: isSuspended ? 1 : 0, created_at: createdAt })
        .onConflict((conflict) => conflict.column("email").doNothing())
        .returning("id")
        .execute();
      return added.length === 1;
    },

    async account(id) {
      const row = await db.selectFrom("accounts").selectAll().where("id", "=", id).executeTakeFirst();
      return row === undefined ? undefined : asAccount(row);
    },

    async accounts() {
      const rows = await db.selectFrom("accounts").selectAll().orderBy("created_at").orderBy("id").execute();
      return rows.map(asAccount);
    },

    async setTier(id, tierName) {
      const changed = await db
        .updateTable("accounts")
        .set({ tier: tierName })
        .where("id", "=", id)
        .returning("id")
        .execute();
      return changed.length === 1;
    },

    async setSuspended(id, isSuspended) {
      const changed = await db
        .updateTable("accounts")
        .set({ suspended: isSuspended ? 1 : 0 })
        .where("id", "=", id)
        .returning("id")
        .execute();
      return changed.length === 1;
    },

    addKey({ id, accountId, name, hash, prefix, lastFour, createdAt }, mostLiveKeys) {
      return db.transaction().execute(async (transaction) => {
        // An update of the account's row comes first: it makes two keys of one account wait for each other, so
        // that both cannot be the last one.
        const locked = await transaction
          .updateTable("accounts")
          .set((set) => ({ suspended: set.ref("suspended") }))
          .where("id", "=", accountId)
          .returning("id")
          .execute();
        if (locked.length === 0) return "no-account" as const;
        const { live } = await transaction
          .selectFrom("keys")
          .select((select) => select.fn.countAll<number>().as("live"))
          .where("account_id", "=", accountId)
          .where("revoked_at", "is", null)
          .executeTakeFirstOrThrow();
        if (Number(live) >= mostLiveKeys) return "too-many" as const;
        await transaction
          .insertInto("keys")
          .values({
            id,
            account_id: accountId,
            name,
            hash,
            prefix,
            last_four: lastFour,
            created_at: createdAt,
            revoked_at: null,
            minute: 0,
            calls_in_minute: 0,
          })
          .execute();
        return "added" as const;
      });
    },

    async keys(accountId) {
      const rows = await db
        .selectFrom("keys")
        .selectAll()
        .where("account_id", "=", accountId)
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows.map(asKey);
    },

    async revokeKey(id, revokedAt) {
      const revoked = await db
        .updateTable("keys")
        .set({ revoked_at: revokedAt })
        .where("id", "=", id)
        .where("revoked_at", "is", null)
        .returning("id")
        .execute();
      return revoked.length === 1;
    },

    async findKeyId(hash) {
      const row = await db.selectFrom("keys").select("id").where("hash", "=", hash).executeTakeFirst();
      return row?.id;
    },

    async ledger(accountId, fromDay, toDay) {
      const rows = await db
        .selectFrom("ledger")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("day", ">=", fromDay)
        .where("day", "<=", toDay)
        .execute();
      return rows.sort(byLine).map((row) => ({
        keyId: row.key_id,
        day: row.day,
        operation: row.operation,
        requests: Number(row.requests),
        tokens: Number(row.tokens),
        refusedByRate: Number(row.refused_rate),
        refusedByAllowance: Number(row.refused_allowance),
      }));
    },

    async spent(accountId) {
      const row = await db
        .selectFrom("account_months")
        .select(["month", "used"])
        .where("account_id", "=", accountId)
        .orderBy("month", "desc")
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? undefined : { month: row.month, used: Number(row.used) };
    },
  };
}

/** By day, key and operation, in the order of their characters: how a database orders texts depends on its locale. */
function byLine(one: Selectable<Tables["ledger"]>, other: Selectable<Tables["ledger"]>): number {
  for (const column of ["day", "key_id", "operation"] as const) {
    if (one[column] !== other[column]) return one[column] < other[column] ? -1 : 1;
  }
  return 0;
}

function asAccount(row: Selectable<Tables["accounts"]>): Account {
  return {
    id: row.id,
    email: row.email,
    tierName: row.tier,
    isSuspended: row.suspended === 1,
    createdAt: row.created_at,
  };
}

function asKey(row: Selectable<Tables["keys"]>): Key {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    prefix: row.prefix,
    lastFour: row.last_four,
    createdAt: row.created_at,
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
  };
}
