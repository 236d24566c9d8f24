import { type Kysely, type Selectable, sql } from "kysely";
import type { AccountStore } from "../../accounts/store.ts";
import {
  MOST_AHEAD_MS,
  minuteOf,
  minuteStartMs,
  monthOf,
  monthStartMs,
  presentPeriod,
} from "../../metering/periods.ts";
import type { LedgerStore } from "../../metering/store.ts";
import type { StoreClock } from "../stateStore.ts";
import type { Tables } from "../tables.ts";
import { asAccount, insertAccount, lockAccount } from "./accountRows.ts";
import { insertKey } from "./keys.ts";
import { asFigures, ledgerLines, ledgerSums, usedInMonth } from "./ledger.ts";

type AccountQueries = AccountStore & LedgerStore;

/**
 * What is asked now and then, in SQL that every store understands.
 * @param now the store's clock, Unix milliseconds
 */
export function accountQueries(db: Kysely<Tables>, now: StoreClock): AccountQueries {
  return {
    async addAccount(account) {
      // Asked before the transaction has its connection, as this may need one too.
      const nowMs = await now();
      return db.transaction().execute((transaction) => insertAccount(transaction, account, nowMs));
    },

    async account(id) {
      const row = await db.selectFrom("accounts").selectAll().where("id", "=", id).executeTakeFirst();
      return row === undefined ? undefined : asAccount(row);
    },

    async accounts() {
      const rows = await db.selectFrom("accounts").selectAll().orderBy("created_at").orderBy("id").execute();
      return rows.map(asAccount);
    },

    async accountsByTier() {
      const rows = await db
        .selectFrom("accounts")
        .select(["tier", ({ fn }) => fn.countAll<number | string>().as("accounts")])
        .groupBy("tier")
        .execute();
      return rows
        .map(({ tier, accounts }) => ({ tierName: tier, accounts: Number(accounts) }))
        .sort((one, other) => (one.tierName < other.tierName ? -1 : 1));
    },

    setTier(id, tierName) {
      return db.transaction().execute(async (transaction) => {
        const changed = await transaction
          .updateTable("accounts")
          .set({ tier: tierName })
          .where("id", "=", id)
          .returning("id")
          .execute();
        // A plan that was given, whichever, answers the request for one.
        await transaction.deleteFrom("plan_requests").where("account_id", "=", id).execute();
        return changed.length === 1;
      });
    },

    async setSuspended(id, isSuspended, at) {
      const since = sql<string | null>`case when suspended = 1 then suspended_at else ${at} end`;
      const changed = await db
        .updateTable("accounts")
        .set(isSuspended ? { suspended: 1, suspended_at: since } : { suspended: 0, suspended_at: null })
        .where("id", "=", id)
        .returning("id")
        .execute();
      return changed.length === 1;
    },

    addKey(key, mostLiveKeys, daily) {
      return db.transaction().execute(async (transaction) => {
        // The lock makes two keys of one account wait for each other, so that both cannot be the last one.
        if (!(await lockAccount(transaction, key.accountId))) return "no-account" as const;
        return insertKey(transaction, key, mostLiveKeys, daily);
      });
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

    async ledger(accountId, fromDay, toDay) {
      const rows = await db
        .selectFrom(ledgerLines(db))
        .select(["key_id", "day", "operation"])
        .select(ledgerSums)
        .where("account_id", "=", accountId)
        .where("day", ">=", fromDay)
        .where("day", "<=", toDay)
        .groupBy(["key_id", "day", "operation"])
        .execute();
      return rows.sort(byLine).map((row) => ({
        keyId: row.key_id,
        day: row.day,
        operation: row.operation,
        ...asFigures(row),
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
      if (row === undefined) return undefined;
      const month = presentPeriod(row.month, await now(), monthOf);
      const used = month === row.month ? Number(row.used) : await usedInMonth(db, accountId, month);
      return { month, used };
    },

    async aheadOfClock() {
      const nowMs = await now();
      const limitMs = nowMs + MOST_AHEAD_MS;
      const { keys, minute } = await db
        .selectFrom("keys")
        .select(({ fn }) => [fn.countAll<number>().as("keys"), fn.max("minute").as("minute")])
        .where("minute", ">", minuteOf(limitMs))
        .executeTakeFirstOrThrow();
      const { accounts, month } = await db
        .selectFrom("account_months")
        .select(({ fn }) => [
          fn.count<number>("account_id").distinct().as("accounts"),
          fn.max("month").as("month"),
        ])
        .where("month", ">", monthOf(limitMs))
        .executeTakeFirstOrThrow();
      if (Number(keys) + Number(accounts) === 0) return undefined;
      const latestMs = Math.max(
        minute === null ? 0 : minuteStartMs(Number(minute)),
        month === null ? 0 : monthStartMs(Number(month)),
      );
      return { nowMs, latestMs, keys: Number(keys), accounts: Number(accounts) };
    },
  };
}

type LineId = Pick<Selectable<Tables["ledger"]>, "day" | "key_id" | "operation">;

/** By day, key and operation, in the order of their characters: how a database orders texts depends on its locale. */
function byLine(one: LineId, other: LineId): number {
  for (const column of ["day", "key_id", "operation"] as const) {
    if (one[column] !== other[column]) return one[column] < other[column] ? -1 : 1;
  }
  return 0;
}
