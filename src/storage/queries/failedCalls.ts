import { type Kysely, sql } from "kysely";
import type { CallStore } from "../../metering/callStore.ts";
import type { Tables } from "../tables.ts";
import { rowsOf } from "./isPostgres.ts";

const COUNT = "key_id text, day text, operation text, by_caller bigint, by_service bigint";

/** How many calls failed, in SQL that every store understands. */
export function failedCallQueries(db: Kysely<Tables>): Pick<CallStore, "addFailedCalls"> {
  return {
    async addFailedCalls(counts) {
      if (counts.length === 0) return;
      // In one order, so that two nodes that add to the same lines never wait for each other.
      await sql`
        insert into failed_calls (account_id, key_id, day, operation, failed_caller, failed_service)
        select keys.account_id, counted.key_id, counted.day, counted.operation, counted.by_caller, counted.by_service
        from ${rowsOf(db, counts, "counted", COUNT)} join keys on keys.id = counted.key_id
        where true
        order by 1, 3, 2, 4
        on conflict (account_id, day, key_id, operation) do update set
          failed_caller = failed_calls.failed_caller + excluded.failed_caller,
          failed_service = failed_calls.failed_service + excluded.failed_service`.execute(db);
    },
  };
}
