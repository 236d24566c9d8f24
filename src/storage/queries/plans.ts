import type { Kysely } from "kysely";
import type { PeopleStore } from "../../accounts/peopleStore.ts";
import type { Tables } from "../tables.ts";
import { asAccount } from "./accountRows.ts";

/** Plans that people ask for. */
export function planQueries(
  db: Kysely<Tables>,
): Pick<PeopleStore, "askPlan" | "withdrawPlan" | "planRequests"> {
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
  };
}
