import type { Kysely } from "kysely";
import type { CallStore } from "../../metering/callStore.ts";
import type { Tables } from "../tables.ts";

/** Keys that were seen in browsers, in SQL that every store understands. */
export function sightingQueries(db: Kysely<Tables>): Pick<CallStore, "addSightings"> {
  return {
    async addSightings(sightings) {
      // A statement each: who holds one row alone never waits for a batch that waits for it.
      for (const { keyId, origin, atMs } of sightings) {
        await db
          .updateTable("keys")
          .set({ browser_origin: origin, browser_at_ms: atMs })
          .where("id", "=", keyId)
          .where("kind", "!=", "pub")
          .where((row) => row.or([row("browser_at_ms", "is", null), row("browser_at_ms", "<", atMs)]))
          .execute();
      }
    },
  };
}
