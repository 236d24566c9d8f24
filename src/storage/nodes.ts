import { type Kysely, type SqlBool, sql } from "kysely";
import type { StoreClock } from "./clock.ts";
import { deleteRows, upsertRow } from "./rows.ts";
import type { Tables } from "./schema/tables.ts";
import type { NodeStore } from "./stateStore.ts";

/** Three times the interval at which a node is recorded. */
const NODE_SEEN_FOR_MS = 180_000;

/** The nodes that use a state. */
export function nodeQueries(db: Kysely<Tables>, now: StoreClock): NodeStore {
  return {
    async nodeSeen(id, version) {
      const nowMs = await now();
      const seen = { version, seen_at_ms: nowMs };
      await upsertRow(db, "nodes", { id, ...seen }, seen);
      await deleteRows(db, "nodes", {}, sql`and not (${isRecent(nowMs)})`);
    },

    nodeStopped: async (id) => void (await deleteRows(db, "nodes", { id })),

    async nodeVersions() {
      const { rows } = await sql<{ version: string; nodes: number }>`
        select version, count(*) as nodes from nodes where ${isRecent(await now())}
        group by version order by version`.execute(db);
      return rows;
    },
  };
}

/** A later time was written by a wrong clock. */
function isRecent(nowMs: number) {
  return sql<SqlBool>`seen_at_ms > ${nowMs - NODE_SEEN_FOR_MS} and seen_at_ms <= ${nowMs + NODE_SEEN_FOR_MS}`;
}
