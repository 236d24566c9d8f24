import { type Kysely, sql } from "kysely";
import { MAX_AHEAD_MS } from "../lib/periods.ts";
import type { Tables } from "./schema/tables.ts";
import { changeSome, deleteStep, type ExpiredRows, ROWS_PER_STEP } from "./sweeping.ts";

/** How long reservations are stored after they expired, for late settlements. */
export const EXPIRED_RESERVATION_RETENTION_MS = 3_600_000;

/** How long typing sessions are stored: longer than any lasts, even by a clock that is a little behind. */
export const SESSION_RETENTION_MS = 600_000;

/** How often a process deletes old reservations and typing sessions. */
export const DELETE_LAPSED_EVERY_MS = 60_000;

/** How long nothing is deleted after the clock jumped ahead: calls that were running then must still be settled. */
export const CLOCK_JUMP_GRACE_MS = 120_000;

/**
 * Deletes some of the rows that batches leave: expired reservations and ended typing sessions. Sessions that a wrong clock
 * began in the future are moved back to now, because nothing else would end them.
 * @param extraRows rows of this store only
 * @returns whether there may be more
 */
export async function deleteLapsed(
  db: Kysely<Tables>,
  nowMs: number,
  extraRows: readonly ExpiredRows[] = [],
): Promise<boolean> {
  await changeSome(
    db,
    { table: "typing_sessions", isDue: sql`began_at_ms > ${nowMs + MAX_AHEAD_MS}` },
    ROWS_PER_STEP,
    sql`update typing_sessions set began_at_ms = ${nowMs}`,
  );
  const unusedRows = await deleteStep(db, [
    { table: "reservations", isDue: sql`expires_at_ms < ${nowMs - EXPIRED_RESERVATION_RETENTION_MS}` },
    { table: "typing_sessions", isDue: sql`began_at_ms < ${nowMs - SESSION_RETENTION_MS}` },
    ...extraRows,
  ]);
  return unusedRows === 0;
}
