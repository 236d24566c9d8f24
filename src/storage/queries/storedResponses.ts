import { type Kysely, type SqlBool, sql } from "kysely";
import { MAX_STORED_RESPONSE_MS, type StoredResponseStore } from "../../metering/responses.ts";
import type { Tables } from "../schema/tables.ts";
import { changeSome } from "../sweeping.ts";

const HOUR_MS = 3_600_000;
/** Tolerance for clocks; responses that end later were stored by a wrong clock. */
const AHEAD_MS = HOUR_MS;

/** When a response stops counting towards the limits of its account: the end of the hour in which it expires. */
export function countedUntilMs(expiresAtMs: number): number {
  return Math.ceil(expiresAtMs / HOUR_MS) * HOUR_MS;
}

/** Deleting and withdrawing stored responses, in SQL for every store. */
export function storedResponseQueries(db: Kysely<Tables>): StoredResponseStore {
  return {
    async deleteExpiredResponses(nowMs, limit) {
      const latestMs = nowMs + MAX_STORED_RESPONSE_MS + AHEAD_MS;
      const isDue = sql<SqlBool>`expires_at_ms <= ${nowMs} or expires_at_ms > ${latestMs}`;
      const swept = await changeSome(db, { table: "stored_responses", isDue }, limit);
      const isEnded = sql<SqlBool>`ends_at_ms <= ${nowMs} or ends_at_ms > ${latestMs + HOUR_MS}`;
      await changeSome(db, { table: "stored_response_totals", isDue: isEnded }, limit);
      return swept;
    },

    async withdrawResponses(numbers, after, limit) {
      const checked = await sql<{ account_id: string; id: string; names: string }>`
        select account_id, id, names from stored_responses where (account_id, id) > (${after.accountId}, ${after.id})
        order by account_id, id limit ${limit}`.execute(db);
      const quoted = numbers.map((number) => `"${number}"`);
      const found = checked.rows.filter((row) => quoted.some((number) => row.names.includes(number)));
      if (found.length > 0) {
        const places = found.map((row) => sql`(${row.account_id}, ${row.id})`);
        // A newer response under the same id may be about another company.
        const hasNumber = quoted.map((number) => sql`names like ${`%${number}%`}`);
        await sql`
          update stored_responses set answer = '', names = '[]'
          where (account_id, id) in (values ${sql.join(places)}) and (${sql.join(hasNumber, sql` or `)})`.execute(
          db,
        );
      }
      const last = checked.rows.at(-1);
      if (last === undefined || checked.rows.length < limit) return undefined;
      return { accountId: last.account_id, id: last.id };
    },
  };
}
