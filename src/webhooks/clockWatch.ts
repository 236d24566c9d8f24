/** How long the store's clock has run evenly, so that a clock that was set wrong lets nothing expire. */

import { type Kysely, type SqlBool, sql } from "kysely";
import { findRow, updateRows, upsertRow } from "../database/rows.ts";
import type { Tables } from "../database/schema/tables.ts";
import { changeSome, ROWS_PER_STEP } from "../database/sweeping.ts";
import { MAX_AHEAD_MS } from "../lib/periods.ts";
import { EVENT_MESSAGE_LIFE_MS } from "./message.ts";

/**
 * A longer step ahead is a fault of the clock, or the service was down. Longer than any pause between attempts that no
 * receiver asked for.
 */
export const MAX_STEP_MS = 4 * 3_600_000;
const SEEN_EVERY_MS = 60_000;

/**
 * Returns since when the clock has run without a long step; 0 if none was seen. Called every second, to see one,
 * outside transactions.
 */
export async function evenSinceMs(db: Kysely<Tables>, nowMs: number): Promise<number> {
  const row = await findRow(db, "clock_watch", { id: 1 });
  const hasStepped = row !== undefined && !isEven(row, nowMs);
  if (row !== undefined && !hasStepped && nowMs - row.seen_ms < SEEN_EVERY_MS) return row.since_ms;
  const sinceMs = hasStepped ? nowMs : (row?.since_ms ?? 0);
  if (row !== undefined && nowMs < row.seen_ms - MAX_AHEAD_MS) await callBack(db, nowMs);
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

/**
 * Makes all waiting webhook messages due, and ends all pauses, after the clock went back: a clock that was ahead may
 * have put them off for years.
 */
async function callBack(db: Kysely<Tables>, nowMs: number): Promise<void> {
  const isLater = { table: "webhook_messages", isDue: sql<SqlBool>`due_at_ms > ${nowMs}` } as const;
  const latestMs = nowMs + EVENT_MESSAGE_LIFE_MS;
  const change = sql`update webhook_messages set due_at_ms = ${nowMs},
    drop_at_ms = case when drop_at_ms > ${latestMs} then ${latestMs} else drop_at_ms end`;
  while ((await changeSome(db, isLater, ROWS_PER_STEP, change)) === ROWS_PER_STEP);
  const isPaused = sql`and paused_until_ms > ${nowMs}`;
  await updateRows(db, "webhook_endpoints", {}, { paused_until_ms: nowMs }, isPaused);
}
