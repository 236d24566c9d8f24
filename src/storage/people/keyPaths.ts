import { type Insertable, type Kysely, sql, type Transaction } from "kysely";
import type { PeopleStore } from "../../accounts/peopleStore.ts";
import type { NewKey } from "../../accounts/store.ts";
import { ledgerLines } from "../ledgerLines.ts";
import type { Tables } from "../tables.ts";
import { lockAccount } from "./accountRows.ts";

type KeyPaths = Pick<PeopleStore, "rollKey" | "endRolledKeys" | "lastUse">;

export function keyPaths(db: Kysely<Tables>): KeyPaths {
  return {
    rollKey(oldId, key, endsAt, mostLiveKeys) {
      return db.transaction().execute(async (transaction) => {
        if (!(await lockAccount(transaction, key.accountId))) return "no-key" as const;
        const endsNow = endsAt <= key.createdAt;
        const ended = await transaction
          .updateTable("keys")
          .set({ ends_at: endsAt, ...(endsNow && { revoked_at: endsAt }) })
          .where("id", "=", oldId)
          .where("account_id", "=", key.accountId)
          .where("revoked_at", "is", null)
          .where("ends_at", "is", null)
          .returning("id")
          .execute();
        if (ended.length === 0) return "no-key" as const;
        if ((await liveKeys(transaction, key.accountId)) >= mostLiveKeys) {
          // What was changed is put back: a transaction that returns is committed.
          await transaction
            .updateTable("keys")
            .set({ ends_at: null, revoked_at: null })
            .where("id", "=", oldId)
            .execute();
          return "too-many" as const;
        }
        await transaction.insertInto("keys").values(keyRow(key)).execute();
        return "added" as const;
      });
    },

    async endRolledKeys(nowIso) {
      const isDue = db
        .selectFrom("keys")
        .select("id")
        .where("ends_at", "<=", nowIso)
        .where("revoked_at", "is", null);
      // Looked at every second: a look takes no lock.
      if ((await isDue.execute()).length === 0) return [];
      const ended = await db
        .updateTable("keys")
        .set((set) => ({ revoked_at: set.ref("ends_at") }))
        .where("ends_at", "<=", nowIso)
        .where("revoked_at", "is", null)
        .returning("id")
        .execute();
      return ended.map(({ id }) => id);
    },

    async lastUse(accountId) {
      const rows = await db
        .selectFrom(ledgerLines(db))
        .select(["key_id", sql<string>`max(day)`.as("last_day")])
        .where("account_id", "=", accountId)
        .where("requests", ">", 0)
        .groupBy("key_id")
        .execute();
      return rows.map((row) => ({ keyId: row.key_id, day: row.last_day }));
    },
  };
}

/** How many keys of an account work; call it under the lock of the account. */
export async function liveKeys(transaction: Transaction<Tables>, accountId: string): Promise<number> {
  const { live } = await transaction
    .selectFrom("keys")
    .select((select) => select.fn.countAll<number>().as("live"))
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(live);
}

/** A new key as its row: live, and not called with yet. */
export function keyRow(key: NewKey): Insertable<Tables["keys"]> {
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    hash: key.hash,
    prefix: key.prefix,
    last_four: key.lastFour,
    created_at: key.createdAt,
    revoked_at: null,
    minute: 0,
    calls_in_minute: 0,
  };
}
