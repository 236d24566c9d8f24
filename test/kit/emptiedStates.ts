import { existsSync } from "node:fs";
import { Client } from "pg";
import type { Databases } from "./postgres.ts";

/** Tables that are not empty in an unused state. */
const OF_EACH_STATE = "'kysely_migration', 'kysely_migration_lock', 'probe'";

/** Deletes all rows of a state. */
async function empty(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ sql: string }>(
      `select string_agg(format('delete from %I', tablename), ';') as sql from pg_tables
       where schemaname = 'public' and tablename not in (${OF_EACH_STATE})`,
    );
    // Without the checks of references.
    await client.query(`set session_replication_role = replica; ${rows[0]?.sql}`);
  } finally {
    await client.end();
  }
  return url;
}

/**
 * Returns the database of the state that a folder names. The state of a deleted folder is emptied and used again:
 * making one takes twenty times as long.
 */
export function emptiedStates(server: Databases): (folder: string) => Promise<string> {
  const states = new Map<string, Promise<string>>();
  return (folder) => {
    const known = states.get(folder);
    if (known !== undefined) return known;
    const unused = [...states].find(([name]) => !existsSync(name));
    if (unused !== undefined) states.delete(unused[0]);
    const state = unused === undefined ? server.databaseOf(folder) : unused[1].then(empty);
    states.set(folder, state);
    return state;
  };
}
