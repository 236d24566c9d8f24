import { type Kysely, sql } from "kysely";
import type { Turn, TurnStore } from "../lib/turns.ts";
import type { StoreClock } from "./clock.ts";
import { claimRow, freeRows, isOver } from "./leases.ts";
import { findRow, updateRows, upsertRow } from "./rows.ts";
import type { Tables } from "./schema/tables.ts";

/** Longer than any wait. A later time was set by a wrong clock. */
const MAX_WAIT_MS = 2 * 86_400_000;

export function turnQueries(db: Kysely<Tables>, now: StoreClock): TurnStore {
  async function takeTurn(
    name: string,
    leaseMs: number,
    everyMs: number,
    options: { readonly isDueNow?: boolean } = {},
  ): Promise<Turn | number> {
    const nowMs = await now();
    const term = { nowMs, leaseMs };
    const isDue = options.isDueNow === true ? sql`true` : isOver("due_at_ms", nowMs, MAX_WAIT_MS);
    const next = { due_at_ms: dueAtMs(nowMs, everyMs) };
    const taken = await claimRow(db, "turns", { name }, term, next, sql`and ${isDue}`);
    if (taken !== undefined) return { name, claim: taken.claim, cursor: taken.cursor };
    const row = await findRow(db, "turns", { name });
    if (row !== undefined) return Math.max(0, row.lease_until_ms - nowMs, row.due_at_ms - nowMs);
    await upsertRow(db, "turns", { name, claim: 0, lease_until_ms: 0, due_at_ms: 0, cursor: "" });
    return takeTurn(name, leaseMs, everyMs, options);
  }

  return {
    takeTurn,

    async saveTurn({ name, claim, cursor }, leaseMs) {
      const saved = { cursor, lease_until_ms: (await now()) + leaseMs };
      return (await updateRows(db, "turns", { name, claim }, saved)) === 1;
    },

    async endTurn({ name, claim, cursor }, waitMs) {
      const ended = { cursor, lease_until_ms: 0, due_at_ms: dueAtMs(await now(), waitMs) };
      return (await updateRows(db, "turns", { name, claim }, ended)) === 1;
    },

    async freeLeases() {
      await freeRows(db, "jobs");
      await freeRows(db, "turns");
    },
  };
}

/** 0 without a wait, so that a wrong clock cannot set it ahead. */
function dueAtMs(nowMs: number, waitMs: number): number {
  return waitMs === 0 ? 0 : nowMs + waitMs;
}

/** Removes a deleted account from the cursor of the turn that serves accounts one by one. */
export async function deleteAccountTurn(db: Kysely<Tables>, accountId: string): Promise<void> {
  await updateRows(db, "turns", { name: "share", cursor: accountId }, { cursor: "" });
}
