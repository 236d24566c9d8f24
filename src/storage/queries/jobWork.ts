import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { JobStore } from "../../jobs/store.ts";
import type { Tables } from "../schema/tables.ts";
import type { StoreClock } from "../stateStore.ts";
import { asList, endList } from "./jobEnds.ts";
import { changeRows, findRow, MAX_CANDIDATES, textsIn, updateRows } from "./rows.ts";

/** Longer than any lease: one that ends later was made by a clock that was wrong. */
const LONGEST_LEASE_MS = 600_000;

/** Of a list that neither waits for somebody nor has ended. */
const IS_DUE = sql`and due_at_ms is not null`;

type WorkQueries = Pick<
  JobStore,
  "claimList" | "holdList" | "leaveList" | "freeLists" | "nextNumbers" | "completeList"
>;

/** How lists are taken, worked and left by workers. */
export function workQueries(db: Kysely<Tables>, now: StoreClock): WorkQueries {
  return {
    async claimList(leaseMs) {
      const nowMs = await now();
      const isFree = sql`and due_at_ms <= ${nowMs}
        and (lease_until_ms <= ${nowMs} or lease_until_ms > ${nowMs + LONGEST_LEASE_MS})
        and ${noneHeld(sql.ref("jobs.account_id"), nowMs)}`;
      const leased = {
        status: sql`case when status = 'queued' then 'running' else status end`,
        started_at_ms: sql`coalesce(started_at_ms, ${nowMs})`,
        claim: sql`claim + 1`,
        lease_until_ms: nowMs + leaseMs,
        served_at_ms: nowMs,
      };
      for (const id of await dueLists(db, nowMs)) {
        // Of all who claim it at once the first has it; the others find it held.
        const [row] = await changeRows(db, "jobs", { id }, leased, isFree);
        if (row !== undefined) return asList(row);
      }
      return undefined;
    },

    async holdList(listId, claim, leaseMs) {
      const leaseUntilMs = (await now()) + leaseMs;
      const held = { id: listId, claim };
      return (await updateRows(db, "jobs", held, { lease_until_ms: leaseUntilMs }, IS_DUE)) === 1;
    },

    async leaveList(listId, claim, { againAfterMs, reason }) {
      const nowMs = await now();
      const held = { id: listId, claim };
      const again = againAfterMs === undefined ? (reason === undefined ? nowMs : null) : nowMs + againAfterMs;
      const left = { due_at_ms: again, status: reason === undefined ? "running" : "paused" } as const;
      // A list that was paused or ended meanwhile stays so.
      await updateRows(db, "jobs", held, { ...left, reason: reason ?? null }, IS_DUE);
      await updateRows(db, "jobs", held, { lease_until_ms: 0 });
    },

    async freeLists() {
      await updateRows(db, "jobs", {}, { lease_until_ms: 0 }, sql`and lease_until_ms > 0`);
    },

    async nextNumbers(listId, most) {
      const nowMs = await now();
      const first = (more: RawBuilder<unknown>) =>
        findRow(
          db,
          "job_blocks",
          { job_id: listId },
          sql`and taken < size and exists (select 1 from jobs where id = ${listId}) ${more} limit 1`,
        );
      const next = await first(sql`and due_at_ms <= ${nowMs} order by block`);
      if (next !== undefined) {
        const taken = next.taken;
        const numbers = textsIn(next.numbers).slice(taken, taken + most);
        return { block: next.block, taken, attempt: next.attempt, numbers };
      }
      const later = await first(sql`order by due_at_ms`);
      return later && { laterMs: Math.max(0, later.due_at_ms - nowMs) };
    },

    async completeList(listId, claim) {
      const nowMs = await now();
      return db.transaction().execute(async (transaction) => {
        const row = await findRow(transaction, "jobs", { id: listId, claim, ended_at_ms: null });
        return row !== undefined && (await endList(transaction, row, "completed", nowMs));
      });
    },
  };
}

/** None of an account is held: asked again by who claims one, as another one of it may have been claimed meanwhile. */
function noneHeld(accountId: RawBuilder<unknown>, nowMs: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (
    select 1 from jobs held where held.account_id = ${accountId}
      and held.lease_until_ms > ${nowMs} and held.lease_until_ms <= ${nowMs + LONGEST_LEASE_MS})`;
}

/** Lists that may be worked on, those of the account first that had its turn longest ago; none of an account that has one under way. */
async function dueLists(db: Kysely<Tables>, nowMs: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select j.id from jobs j
    where j.due_at_ms <= ${nowMs} and ${noneHeld(sql.ref("j.account_id"), nowMs)}
    order by (select max(served.served_at_ms) from jobs served where served.account_id = j.account_id),
      j.created_at_ms, j.id
    limit ${MAX_CANDIDATES}`.execute(db);
  return rows.map(({ id }) => id);
}
