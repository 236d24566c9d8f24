import { type Kysely, type SqlBool, sql } from "kysely";
import { IS_OPEN_ACCOUNT, lockAccount, withAccount } from "../../database/accountLock.ts";
import type { StoreClock } from "../../database/clock.ts";
import { countOf, deleteRows, findRow, findRows, updateRows } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { type TierCount, tierCounts } from "../../database/tierCounts.ts";
import { daysOfMonth } from "../../lib/periods.ts";
import type { ListedAccount, Part } from "../people.ts";
import type { Account, NewAccount } from "../stored.ts";
import { asAccount, insertAccount } from "./accountRows.ts";
import { IS_SHOWN, operatorsKeyQueries } from "./keys.ts";

/** Accounts and their keys, for operators. @param now the store's clock, Unix milliseconds */
export function accountQueries(db: Kysely<Tables>, now: StoreClock) {
  return {
    ...operatorsKeyQueries(db),

    /** @returns false if another account has the email address */
    async add(account: NewAccount): Promise<boolean> {
      // Before the transaction takes a connection, because this may need one as well.
      const nowMs = await now();
      return db.transaction().execute((transaction) => insertAccount(transaction, account, nowMs));
    },

    async find(id: string): Promise<Account | undefined> {
      const row = await findRow(db, "accounts", { id }, sql`and ${IS_OPEN_ACCOUNT}`);
      return row && asAccount(row);
    },

    async all(): Promise<readonly Account[]> {
      const rows = await findRows(db, "accounts", {}, sql`and ${IS_OPEN_ACCOUNT} order by created_at, id`);
      return rows.map(asAccount);
    },

    /** Counts accounts by tier, ordered by code points. Reads every account. */
    byTier: (): Promise<readonly TierCount[]> => tierCounts(db),

    /** Sets the tier and ends a request for a plan. @returns false if the account does not exist */
    setTier(id: string, tierName: string): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const isThere = await lockAccount(transaction, id);
        if (isThere) await updateRows(transaction, "accounts", { id }, { tier: tierName });
        // Any change of plan ends the request for one.
        await deleteRows(transaction, "plan_requests", { account_id: id });
        return isThere;
      });
    },

    /** @param at ISO 8601 UTC, stored if this begins a suspension */
    setSuspended(id: string, isSuspended: boolean, at: string): Promise<boolean> {
      const since = sql`case when suspended = 1 then suspended_at else ${at} end`;
      return withAccount(db, id, false, async (transaction) => {
        const changes = isSuspended
          ? { suspended: 1, suspended_at: since }
          : { suspended: 0, suspended_at: null };
        await updateRows(transaction, "accounts", { id }, changes);
        return true;
      });
    },
  };
}

/** The operator's list of accounts. */
export function accountListQueries(db: Kysely<Tables>) {
  return {
    /** Returns accounts whose address or id contains `text`, newest first, with their usage in `month`. */
    async findAccounts(
      text: string,
      month: number,
      { offset, limit }: Part,
    ): Promise<{ readonly accounts: readonly ListedAccount[]; readonly total: number }> {
      const { first, last } = daysOfMonth(month);
      const contains = `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
      const fits = sql<SqlBool>`(email like ${contains} escape '\\' or lower(id) like ${contains} escape '\\')`;
      // The page first, so that keys and ledgers are only summed for its accounts.
      const page = db
        .selectFrom("accounts")
        .selectAll()
        .where(IS_OPEN_ACCOUNT)
        .where(fits)
        .orderBy("created_at", "desc")
        .orderBy("id")
        .offset(offset)
        .limit(limit)
        .as("accounts");
      const rows = await db
        .selectFrom(page)
        .leftJoin("people", "people.account_id", "accounts.id")
        .selectAll("accounts")
        .select("people.admin")
        .select(
          sql<number>`(select count(*) from keys where keys.account_id = accounts.id and revoked_at is null
              ${IS_SHOWN})`.as("live_keys"),
        )
        .select(
          // From the ledger, because account_months lacks the current month after a clock was ahead.
          sql<number | string>`(select coalesce(sum(tokens), 0) from ledger
              where ledger.account_id = accounts.id and is_test = 0 and day between ${first} and ${last})`.as(
            "used",
          ),
        )
        .orderBy("accounts.created_at", "desc")
        .orderBy("accounts.id")
        .execute();
      const total = await countOf(db, sql`select 1 from accounts where ${IS_OPEN_ACCOUNT} and ${fits}`);
      const accounts = rows.map((row) => ({
        account: asAccount(row),
        isAdmin: row.admin === 1,
        liveKeys: row.live_keys,
        used: Number(row.used),
      }));
      return { accounts, total };
    },
  };
}

export type AccountQueries = ReturnType<typeof accountQueries>;
