import { type Kysely, sql } from "kysely";
import { type KeptStore, MAX_KEPT_MS } from "../../metering/responses.ts";
import type { Tables } from "../schema/tables.ts";
import { skipLocked } from "./isPostgres.ts";

const HOUR_MS = 3_600_000;
/** A clock that was ahead: what it kept is over before it comes. */
const AHEAD_MS = HOUR_MS;

/** Until when an answer counts against the bounds of its account: the end of the hour in which its time is over. */
export function keptUntilMs(expiresAtMs: number): number {
  return Math.ceil(expiresAtMs / HOUR_MS) * HOUR_MS;
}

/** The names of an answer, as this program wrote them. */
export function namesIn(text: string): readonly string[] {
  const parsed: unknown = JSON.parse(text);
  return Array.isArray(parsed) ? parsed.map(String) : [];
}

/** Sweeping and withdrawing stored responses, in SQL that every store understands. */
export function keptQueries(db: Kysely<Tables>): KeptStore {
  const free = skipLocked(db);
  return {
    async sweepKept(nowMs, most) {
      const latestMs = nowMs + MAX_KEPT_MS + AHEAD_MS;
      // Looked for once: in a plan of nested loops a subquery would find more with each row that is gone, beyond its limit.
      const swept = await sql<{ id: string }>`
        with over as materialized (
          select account_id, id from kept_answers where expires_at_ms <= ${nowMs} or expires_at_ms > ${latestMs}
          limit ${most} ${free}
        )
        delete from kept_answers where (account_id, id) in (select account_id, id from over) returning id`.execute(
        db,
      );
      await sql`
        with over as materialized (
          select account_id, ends_at_ms from kept_totals where ends_at_ms <= ${nowMs} or ends_at_ms > ${latestMs + HOUR_MS}
          limit ${most} ${free}
        )
        delete from kept_totals where (account_id, ends_at_ms) in (select account_id, ends_at_ms from over)`.execute(
        db,
      );
      return swept.rows.length;
    },

    async withdrawKept(names, after, most) {
      const looked = await sql<{ account_id: string; id: string; names: string }>`
        select account_id, id, names from kept_answers where (account_id, id) > (${after.accountId}, ${after.id})
        order by account_id, id limit ${most}`.execute(db);
      const quoted = names.map((name) => `"${name}"`);
      const found = looked.rows.filter((row) => quoted.some((name) => row.names.includes(name)));
      if (found.length > 0) {
        const places = found.map((row) => sql`(${row.account_id}, ${row.id})`);
        // What was kept under an id meanwhile may tell of somebody else.
        const isNamed = quoted.map((name) => sql`names like ${`%${name}%`}`);
        await sql`
          update kept_answers set answer = '', names = '[]'
          where (account_id, id) in (values ${sql.join(places)}) and (${sql.join(isNamed, sql` or `)})`.execute(
          db,
        );
      }
      const last = looked.rows.at(-1);
      if (last === undefined || looked.rows.length < most) return undefined;
      return { accountId: last.account_id, id: last.id };
    },
  };
}
