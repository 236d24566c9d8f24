import type { DatabaseSync } from "node:sqlite";
import { prepareQuery } from "../lib/rows.ts";

const OUR_VIRTUAL_TABLE = "find";
/** As `PRAGMA table_xinfo` numbers them: computed when a row is read, and computed when it is written. */
const GENERATED = "(2, 3)";

/**
 * What a file says must never run as code. Tables and indexes only hold data; a view in the place of a table, or a
 * column that is computed, would be run by our own queries, for as long as it likes. Whatever we build has none.
 * @throws when a snapshot's schema holds one
 */
export function refuseCode(db: DatabaseSync): void {
  const [name] =
    prepareQuery<[string]>(
      db,
      `SELECT name FROM sqlite_schema WHERE type NOT IN ('table', 'index')
       UNION ALL
       SELECT name FROM pragma_table_list
       WHERE schema = 'main' AND (type = 'view' OR (type = 'virtual' AND name <> '${OUR_VIRTUAL_TABLE}'))
       UNION ALL
       SELECT t.name FROM pragma_table_list t, pragma_table_xinfo(t.name) c
       WHERE t.schema = 'main' AND t.type = 'table' AND c.hidden IN ${GENERATED} LIMIT 1`,
    ).get() ?? [];
  if (name !== undefined)
    throw new Error(`it holds code (${JSON.stringify(name)}), which no snapshot of ours does`);
}
