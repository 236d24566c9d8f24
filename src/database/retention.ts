/** Deletes rows that are no longer needed: those that charge batches leave, and old answers of Peppol. */

import { type Kysely, type SqlBool, sql } from "kysely";
import { PEPPOL_STALE_FOR_MS } from "../contract/peppol.ts";
import { MAX_AHEAD_MS } from "../lib/periods.ts";
import { NOW_MS, type StoreClock } from "./clock.ts";
import { isPostgres } from "./rows.ts";
import type { Tables } from "./schema/tables.ts";
import { changeSome, deleteStep, type ExpiredRows, ROWS_PER_STEP } from "./sweeping.ts";

/** How long reservations are stored after they expired, for late settlements. */
export const EXPIRED_RESERVATION_RETENTION_MS = 3_600_000;

/** How long typing sessions are stored: longer than any session, even if a clock is a little behind. */
export const SESSION_RETENTION_MS = 600_000;

/**
 * How long ids of batches are stored: far longer than a session may stay in a transaction, so every lost commit has
 * ended.
 */
const BATCH_ID_RETENTION_MS = 300_000;

/** How often a process deletes old rows. */
export const DELETE_EXPIRED_EVERY_MS = 60_000;

/** How long nothing is deleted after the clock jumped ahead: calls that were running then must still be settled. */
export const CLOCK_JUMP_GRACE_MS = 120_000;

/** @param now the clock of the store, Unix milliseconds */
export function lapsedQueries(db: Kysely<Tables>, now: StoreClock) {
  /** Both clocks at the last reading: the wall clock can jump, the steady one cannot. */
  let clocks: { readonly nowMs: number; readonly steadyMs: number } | undefined;
  /** By the steady clock. */
  let deletesFromMs = 0;
  return {
    /**
     * Deletes some expired reservations, ended typing sessions, old answers and old ids of batches. The first call
     * deletes nothing, nor does a call soon after the clock jumped ahead.
     * @returns whether there may be more
     */
    async deleteLapsed(): Promise<boolean> {
      const last = clocks;
      clocks = { nowMs: await now(), steadyMs: performance.now() };
      if (last === undefined) return false;
      const { nowMs, steadyMs } = clocks;
      // Reservations that were running when the clock jumped ahead have expired by it, but must still be settled.
      if (nowMs - last.nowMs - (steadyMs - last.steadyMs) > MAX_AHEAD_MS)
        deletesFromMs = steadyMs + CLOCK_JUMP_GRACE_MS;
      return steadyMs >= deletesFromMs && deleteLapsed(db, nowMs);
    },
  };
}

/**
 * Deletes some rows. Sessions that a wrong clock began in the future are moved back to now, because nothing else would
 * end them.
 * @returns whether there may be more
 */
async function deleteLapsed(db: Kysely<Tables>, nowMs: number): Promise<boolean> {
  await changeSome(
    db,
    { table: "typing_sessions", isDue: sql`began_at_ms > ${nowMs + MAX_AHEAD_MS}` },
    ROWS_PER_STEP,
    sql`update typing_sessions set began_at_ms = ${nowMs}`,
  );
  const unusedRows = await deleteStep(db, [
    { table: "reservations", isDue: sql`expires_at_ms < ${nowMs - EXPIRED_RESERVATION_RETENTION_MS}` },
    { table: "typing_sessions", isDue: sql`began_at_ms < ${nowMs - SESSION_RETENTION_MS}` },
    { table: "peppol_verdicts", isDue: sql`checked_at_ms < ${nowMs - PEPPOL_STALE_FOR_MS}` },
    ...(isPostgres(db) ? [LAPSED_BATCHES] : []),
  ]);
  return unusedRows === 0;
}

/** Ids of batches whose outcome is no longer needed, by the database's clock. Only PostgreSQL has them. */
const LAPSED_BATCHES: ExpiredRows = {
  table: "applied_batches",
  isDue: sql<SqlBool>`noted_at_ms < ${sql.raw(NOW_MS)} - ${sql.lit(BATCH_ID_RETENTION_MS)}`,
};
