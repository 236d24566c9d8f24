import { type Kysely, sql } from "kysely";
import type { CallStore } from "../../metering/callStore.ts";
import type { Tables } from "../tables.ts";

/** How many calls failed, in SQL that every store understands. */
export function failedCallQueries(db: Kysely<Tables>): Pick<CallStore, "addFailedCalls"> {
  return {
    async addFailedCalls(counts) {
      if (counts.length === 0) return;
      const rows = counts.map(
        ({ keyId, day, operation, byCaller, byService }) =>
          sql`(cast(${keyId} as text), cast(${day} as text), cast(${operation} as text), cast(${byCaller} as bigint), cast(${byService} as bigint))`,
      );
      // In one order, so that two nodes that add to the same lines never wait for each other.
      await sql`
        with counted (key_id, day, operation, failed_caller, failed_service) as (values ${sql.join(rows)})
        insert into failed_calls (account_id, key_id, day, operation, failed_caller, failed_service)
        select keys.account_id, counted.key_id, counted.day, counted.operation, counted.failed_caller, counted.failed_service
        from counted join keys on keys.id = counted.key_id
        where true
        order by 1, 3, 2, 4
        on conflict (account_id, day, key_id, operation) do update set
          failed_caller = failed_calls.failed_caller + excluded.failed_caller,
          failed_service = failed_calls.failed_service + excluded.failed_service`.execute(db);
    },
  };
}
