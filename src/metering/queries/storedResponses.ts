import { type Kysely, type SqlBool, sql } from "kysely";
import type { Tables } from "../../database/schema/tables.ts";
import type { ExpiredRows } from "../../database/sweeping.ts";
import { MAX_STORED_RESPONSE_MS } from "../responses.ts";

const HOUR_MS = 3_600_000;
/** Tolerance for clocks; responses that end later were stored by a wrong clock. */
const AHEAD_MS = HOUR_MS;

/** When a response stops counting towards the limits of its account: the end of the hour in which it expires. */
export function countedUntilMs(expiresAtMs: number): number {
  return Math.ceil(expiresAtMs / HOUR_MS) * HOUR_MS;
}

/** Stored responses to delete, and their totals. */
export function expiredResponses(nowMs: number): readonly ExpiredRows[] {
  const latestMs = nowMs + MAX_STORED_RESPONSE_MS + AHEAD_MS;
  const isDue = sql<SqlBool>`(expires_at_ms <= ${nowMs} or expires_at_ms > ${latestMs})`;
  const isEnded = sql<SqlBool>`(ends_at_ms <= ${nowMs} or ends_at_ms > ${latestMs + HOUR_MS})`;
  return [
    { table: "stored_responses", isDue },
    { table: "stored_response_totals", isDue: isEnded },
  ];
}

/** Withdrawing stored responses, in SQL for every store. */
export function storedResponseQueries(db: Kysely<Tables>) {
  return {
    /**
     * Checks the next responses and withdraws the responses that contain one of these numbers. They remain
     * paid: a repeated request is free and does not return them.
     * @param after where the previous step ended
     * @param limit the number of responses to check
     * @returns where this step ended; undefined if none are left
     */
    async withdrawResponses(
      numbers: readonly string[],
      after: StoredResponsePosition,
      limit: number,
    ): Promise<StoredResponsePosition | undefined> {
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

/** A position in the order of all stored responses. */
export interface StoredResponsePosition {
  readonly accountId: string;
  readonly id: string;
}

const BEFORE_ALL: StoredResponsePosition = { accountId: "", id: "" };

/** Takes a few milliseconds if each response needs one page read. */
const RESPONSES_PER_STEP = 200;

/**
 * Withdraws all responses that contain one of these numbers, in small steps so that other users of the store are not
 * delayed.
 */
export async function withdrawAllResponses(
  store: Pick<StoredResponseQueries, "withdrawResponses">,
  numbers: readonly string[],
): Promise<void> {
  let after: StoredResponsePosition | undefined = BEFORE_ALL;
  while (after !== undefined) after = await store.withdrawResponses(numbers, after, RESPONSES_PER_STEP);
}

export type StoredResponseQueries = ReturnType<typeof storedResponseQueries>;
