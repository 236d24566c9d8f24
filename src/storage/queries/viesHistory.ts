import { type Kysely, sql } from "kysely";
import type { ViesHistoryStore } from "../../vat/vies/history.ts";
import type { Tables } from "../schema/tables.ts";

/** What became of questions to VIES, in SQL that every store understands. */
export function viesHistoryQueries(db: Kysely<Tables>): ViesHistoryStore {
  return {
    async addViesSlots(slots, forgetBeforeMs) {
      // In one order, so that two nodes that add to the same slots never wait for each other.
      const ordered = [...slots].sort((one, other) =>
        `${one.slotAtMs} ${one.state}` < `${other.slotAtMs} ${other.state}` ? -1 : 1,
      );
      if (ordered.length > 0) {
        await db
          .insertInto("vies_history")
          .values(
            ordered.map(({ state, slotAtMs, answered, unanswered }) => ({
              state,
              slot_at_ms: slotAtMs,
              answered,
              unanswered,
            })),
          )
          .onConflict((conflict) =>
            conflict.columns(["slot_at_ms", "state"]).doUpdateSet((set) => ({
              answered: sql<number>`${set.ref("vies_history.answered")} + ${set.ref("excluded.answered")}`,
              unanswered: sql<number>`${set.ref("vies_history.unanswered")} + ${set.ref("excluded.unanswered")}`,
            })),
          )
          .execute();
      }
      await db.deleteFrom("vies_history").where("slot_at_ms", "<", forgetBeforeMs).execute();
    },

    async viesSlots(sinceMs) {
      const rows = await db
        .selectFrom("vies_history")
        .selectAll()
        .where("slot_at_ms", ">=", sinceMs)
        .orderBy("state")
        .orderBy("slot_at_ms")
        .execute();
      return rows.map(({ state, slot_at_ms, answered, unanswered }) => ({
        state,
        slotAtMs: Number(slot_at_ms),
        answered: Number(answered),
        unanswered: Number(unanswered),
      }));
    },
  };
}
