import { type Kysely, type SqlBool, sql } from "kysely";
import type { PeopleStore } from "../../accounts/peopleStore.ts";
import { daysOfMonth } from "../../metering/periods.ts";
import type { Tables } from "../tables.ts";
import { asAccount } from "./accountRows.ts";
import { asFigures, ledgerLines, ledgerSums } from "./ledger.ts";

type PlanQueries = Pick<
  PeopleStore,
  "askPlan" | "withdrawPlan" | "planRequests" | "ledgerDays" | "ledgerMonths" | "findAccounts" | "traffic"
>;

export function planQueries(db: Kysely<Tables>): PlanQueries {
  return {
    async askPlan(accountId, tierName, askedAt) {
      const asked = { tier: tierName, asked_at: askedAt };
      await db
        .insertInto("plan_requests")
        .values({ account_id: accountId, ...asked })
        .onConflict((conflict) => conflict.column("account_id").doUpdateSet(asked))
        .execute();
    },

    async withdrawPlan(accountId) {
      await db.deleteFrom("plan_requests").where("account_id", "=", accountId).execute();
    },

    async planRequests(accountId) {
      const rows = await db
        .selectFrom("plan_requests")
        .innerJoin("accounts", "accounts.id", "plan_requests.account_id")
        .selectAll("accounts")
        .select(["plan_requests.tier as asked_tier", "plan_requests.asked_at"])
        .$if(accountId !== undefined, (query) => query.where("accounts.id", "=", accountId ?? ""))
        .orderBy("plan_requests.asked_at")
        .orderBy("accounts.id")
        .execute();
      return rows.map((row) => ({
        account: asAccount(row),
        tierName: row.asked_tier,
        askedAt: row.asked_at,
      }));
    },

    async ledgerDays(accountId, fromDay, toDay) {
      const rows = await db
        .selectFrom(ledgerLines(db))
        .select(["day", "operation"])
        .select(ledgerSums)
        .where("account_id", "=", accountId)
        .where("day", ">=", fromDay)
        .where("day", "<=", toDay)
        .groupBy(["day", "operation"])
        .execute();
      return rows
        .map((row) => ({ day: row.day, operation: row.operation, ...asFigures(row) }))
        .sort((one, other) => (`${one.day} ${one.operation}` < `${other.day} ${other.operation}` ? -1 : 1));
    },

    async ledgerMonths(accountId, fromDay) {
      const month = sql<string>`substr(day, 1, 7)`;
      const rows = await db
        .selectFrom(ledgerLines(db))
        .select(month.as("month"))
        .select(ledgerSums)
        .where("account_id", "=", accountId)
        .where("day", ">=", fromDay)
        .groupBy(month)
        .orderBy("month")
        .execute();
      return rows.map((row) => ({ month: row.month, ...asFigures(row) }));
    },

    async findAccounts(text, month, { offset, limit }) {
      const { first, last } = daysOfMonth(month);
      const holds = `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
      const fits = sql<SqlBool>`(email like ${holds} escape '\\' or lower(id) like ${holds} escape '\\')`;
      // The page first: keys are counted and ledgers added up for its accounts alone.
      const page = db
        .selectFrom("accounts")
        .selectAll()
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
          sql<number>`(select count(*) from keys where keys.account_id = accounts.id and revoked_at is null)`.as(
            "live_keys",
          ),
        )
        .select(
          // The ledger's word: a month that a clock which was ahead has begun has no row until it comes.
          sql<number | string>`(select coalesce(sum(tokens), 0) from ledger
              where ledger.account_id = accounts.id and day between ${first} and ${last})
            + (select coalesce(sum(open_tokens), 0) from keys
              where keys.account_id = accounts.id and open_day between ${first} and ${last})`.as("used"),
        )
        .orderBy("accounts.created_at", "desc")
        .orderBy("accounts.id")
        .execute();
      const { total } = await db
        .selectFrom("accounts")
        .select((select) => select.fn.countAll<number>().as("total"))
        .where(fits)
        .executeTakeFirstOrThrow();
      const accounts = rows.map((row) => ({
        account: asAccount(row),
        isAdmin: row.admin === 1,
        liveKeys: Number(row.live_keys),
        used: Number(row.used),
      }));
      return { accounts, total: Number(total) };
    },

    async traffic(fromDay) {
      const rows = await db
        .selectFrom(ledgerLines(db))
        .select("day")
        .select(ledgerSums)
        .select(sql<number>`count(distinct account_id)`.as("accounts"))
        .where("day", ">=", fromDay)
        .groupBy("day")
        .orderBy("day")
        .execute();
      return rows.map((row) => ({ day: row.day, accounts: Number(row.accounts), ...asFigures(row) }));
    },
  };
}
