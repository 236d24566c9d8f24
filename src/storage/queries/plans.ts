import type { Kysely, Selectable } from "kysely";
import type { PeopleStore, PlanRequest } from "../../accounts/peopleStore.ts";
import type { Tables } from "../schema/tables.ts";
import { asAccount } from "./accountRows.ts";

/** Plans that people ask for. */
export function planQueries(
  db: Kysely<Tables>,
): Pick<PeopleStore, "askPlan" | "withdrawPlan" | "planRequests" | "planRequestPage"> {
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
      const rows = await waiting(db)
        .$if(accountId !== undefined, (query) => query.where("accounts.id", "=", accountId ?? ""))
        .execute();
      return rows.map(asRequest);
    },

    async planRequestPage({ offset, limit }) {
      const rows = await waiting(db).offset(offset).limit(limit).execute();
      const { total } = await db
        .selectFrom("plan_requests")
        .select((select) => select.fn.countAll<number | string>().as("total"))
        .executeTakeFirstOrThrow();
      return { requests: rows.map(asRequest), total: Number(total) };
    },
  };
}

/** Who waits for a plan, the longest first. */
function waiting(db: Kysely<Tables>) {
  return db
    .selectFrom("plan_requests")
    .innerJoin("accounts", "accounts.id", "plan_requests.account_id")
    .selectAll("accounts")
    .select(["plan_requests.tier as asked_tier", "plan_requests.asked_at"])
    .orderBy("plan_requests.asked_at")
    .orderBy("accounts.id");
}

type Waiting = Selectable<Tables["accounts"]> & { readonly asked_tier: string; readonly asked_at: string };

function asRequest(row: Waiting): PlanRequest {
  return { account: asAccount(row), tierName: row.asked_tier, askedAt: row.asked_at };
}
