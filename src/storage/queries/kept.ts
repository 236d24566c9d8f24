import { type Kysely, sql, type Transaction } from "kysely";
import { type KeptStore, MOST_KEPT_MS } from "../../metering/kept.ts";
import type { Tables } from "../tables.ts";

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

/**
 * What is kept with charges, apart from keeping it, in SQL that every store understands.
 * @param hasRowLocks whether the store locks rows, which a batch that is deciding may hold: these are left to the next time
 */
export function keptQueries(db: Kysely<Tables>, hasRowLocks: boolean): KeptStore {
  const free = hasRowLocks ? sql`for update skip locked` : sql``;
  return {
    async sweepKept(nowMs, most) {
      const latestMs = nowMs + MOST_KEPT_MS + AHEAD_MS;
      const swept = await sql<{ id: string }>`
        delete from kept_answers where (account_id, id) in (
          select account_id, id from kept_answers where expires_at_ms <= ${nowMs} or expires_at_ms > ${latestMs}
          limit ${most} ${free}
        ) returning id`.execute(db);
      await sql`
        delete from kept_totals where (account_id, ends_at_ms) in (
          select account_id, ends_at_ms from kept_totals where ends_at_ms <= ${nowMs} or ends_at_ms > ${latestMs + HOUR_MS}
          limit ${most} ${free}
        )`.execute(db);
      return swept.rows.length;
    },
  };
}

/**
 * Withdraws the answers that name a company or its VAT numbers, paid as they are: the same request again costs nothing, and is
 * not told them.
 */
export async function withdrawKept(
  transaction: Transaction<Tables>,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    await transaction
      .updateTable("kept_answers")
      .set({ answer: "", names: "[]" })
      .where("names", "like", `%"${name}"%`)
      .execute();
  }
}
