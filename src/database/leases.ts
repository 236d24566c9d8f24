/**
 * Leases: a process claims a row for a time; afterwards another process may claim it. Each claim has a number. A late
 * process changes nothing, because the row has a newer number.
 */

import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { MONITOR_BOUNDS } from "../contract/monitors.ts";
import { changeRows, type Row, type RowChanges, type RowMatch, updateRows } from "./rows.ts";
import type { Tables } from "./schema/tables.ts";

const MAX_LEASE_MS = 600_000;
const MAX_MESSAGE_LIFE_MS = MONITOR_BOUNDS.webhookRetryDays * 86_400_000;

/** The columns of a table's leases. `maxMs` is longer than any lease or pause in `until`. */
const LEASES = {
  jobs: { claims: "claim", until: "lease_until_ms", maxMs: MAX_LEASE_MS },
  turns: { claims: "claim", until: "lease_until_ms", maxMs: MAX_LEASE_MS },
  waiting_mails: { claims: "claims", until: "due_at_ms", maxMs: MAX_LEASE_MS },
  webhook_messages: { claims: "claims", until: "due_at_ms", maxMs: MAX_MESSAGE_LIFE_MS },
} as const;

type Leased = keyof typeof LEASES;

interface LeaseTerm {
  readonly nowMs: number;
  readonly leaseMs: number;
}

/** Whether a time is over. A time more than `maxMs` ahead was set by a wrong clock. */
export function isOver(column: string, nowMs: number, maxMs: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.ref(column)} <= ${nowMs} or ${sql.ref(column)} > ${nowMs + maxMs})`;
}

/** Whether no process has claimed a row. */
export function isFree(table: Leased, nowMs: number, alias: string = table): RawBuilder<SqlBool> {
  const { until, maxMs } = LEASES[table];
  return isOver(`${alias}.${until}`, nowMs, maxMs);
}

/**
 * Claims the row that matches, if it is free. Of concurrent claims the first succeeds; the others find it claimed.
 * @param condition further SQL that begins with `and`
 * @returns the row with its new claim
 */
export async function claimRow<Table extends Leased>(
  db: Kysely<Tables>,
  table: Table,
  match: RowMatch<Table>,
  { nowMs, leaseMs }: LeaseTerm,
  changes: RowChanges<Table> = {},
  condition: RawBuilder<unknown> = sql``,
): Promise<Row<Table> | undefined> {
  const { claims, until } = LEASES[table];
  const lease = { [claims]: sql`${sql.ref(claims)} + 1`, [until]: nowMs + leaseMs };
  const isClaimable = sql`and ${isFree(table, nowMs)} ${condition}`;
  const claimed = { ...changes, ...lease } as RowChanges<Table>;
  const [row] = await changeRows(db, table, match, claimed, isClaimable);
  return row;
}

/** Ends all leases of a table. */
export async function freeRows(db: Kysely<Tables>, table: "jobs" | "turns"): Promise<void> {
  await updateRows(db, table, {}, { lease_until_ms: 0 }, sql`and lease_until_ms > 0`);
}
