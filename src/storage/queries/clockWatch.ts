/** How long the store's clock has run evenly, so that a clock that was set wrong lets nothing expire. */
import type { Kysely } from "kysely";
import { MAX_AHEAD_MS } from "../../metering/periods.ts";
import type { Tables } from "../schema/tables.ts";
import { findRow, upsertRow } from "./rows.ts";

/** A longer step ahead is a fault of the clock, or the service was down. Longer than any pause between attempts. */
export const MAX_STEP_MS = 4 * 3_600_000;
const SEEN_EVERY_MS = 60_000;

/** Returns since when the clock has run without a long step. Called every second, to see one. */
export async function evenSinceMs(db: Kysely<Tables>, nowMs: number): Promise<number> {
  const row = await findRow(db, "clock_watch", { id: 1 });
  if (row !== undefined && isEven(row, nowMs) && nowMs - row.seen_ms < SEEN_EVERY_MS) return row.since_ms;
  const sinceMs = row !== undefined && isEven(row, nowMs) ? row.since_ms : nowMs;
  const seen = { since_ms: sinceMs, seen_ms: nowMs };
  await upsertRow(db, "clock_watch", { id: 1, ...seen }, seen);
  return sinceMs;
}

/** Whether data may be deleted for its age: not soon after a long step, so that there is time to correct the clock. */
export async function mayExpire(db: Kysely<Tables>, nowMs: number): Promise<boolean> {
  const row = await findRow(db, "clock_watch", { id: 1 });
  return row === undefined || (isEven(row, nowMs) && nowMs - row.since_ms >= MAX_STEP_MS);
}

function isEven({ seen_ms }: Tables["clock_watch"], nowMs: number): boolean {
  return nowMs >= seen_ms - MAX_AHEAD_MS && nowMs <= seen_ms + MAX_STEP_MS;
}
