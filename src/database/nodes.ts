import { type Kysely, type SqlBool, sql } from "kysely";
import type { StoreClock } from "./clock.ts";
import { deleteRows, upsertRow } from "./rows.ts";
import type { Tables } from "./schema/tables.ts";

/** Three times the interval at which a node is recorded. */
const NODE_SEEN_FOR_MS = 180_000;

/** The nodes that use a state. */
export function nodeQueries(db: Kysely<Tables>, now: StoreClock) {
  return {
    /** Records that a node runs, and deletes nodes that have not been seen for three minutes. */
    async nodeSeen(id: string, version: string): Promise<void> {
      const nowMs = await now();
      const seen = { version, seen_at_ms: nowMs };
      await upsertRow(db, "nodes", { id, ...seen }, seen);
      await deleteRows(db, "nodes", {}, sql`and not (${isRecent(nowMs)})`);
    },

    nodeStopped: async (id: string): Promise<void> => void (await deleteRows(db, "nodes", { id })),

    /** Counts the nodes seen within three minutes. */
    async nodeVersions(): Promise<readonly { readonly version: string; readonly nodes: number }[]> {
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

export type NodeQueries = ReturnType<typeof nodeQueries>;
