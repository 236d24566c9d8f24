import { DatabaseSync } from "node:sqlite";
import type { Client } from "pg";
import { openRawPostgres } from "../../src/storage/moving/rawPostgres.ts";
import { openRawSqlite } from "../../src/storage/moving/rawSqlite.ts";
import { type Row, rowsAtOnce, type StateLocation } from "../../src/storage/moving/rawState.ts";
import type { Tables } from "../../src/storage/schema/tables.ts";

/** What a table takes on the disk. */
export interface Weight {
  readonly tableBytes: number;
  readonly indexBytes: number;
}

/** Puts rows into an empty state. */
export async function fill(
  place: StateLocation,
  tables: readonly (readonly [keyof Tables, readonly Row[]])[],
): Promise<void> {
  const state =
    "url" in place ? await openRawPostgres(place.url, "alone") : openRawSqlite(place.path, "alone");
  try {
    for (const [table, rows] of tables) {
      const most = rowsAtOnce(table);
      for (let start = 0; start < rows.length; start += most) {
        await state.add(table, rows.slice(start, start + most));
      }
    }
    await state.commit();
  } finally {
    await state.close();
  }
}

/** Of a table in a file of SQLite, by whole pages. */
export function weightInSqlite(path: string, table: string): Weight {
  const database = new DatabaseSync(path);
  try {
    const rows = database
      .prepare(
        `select s.type, sum(d.pgsize) as bytes from dbstat d join sqlite_schema s on s.name = d.name
         where s.tbl_name = ? group by s.type`,
      )
      .all(table);
    const of = (type: string) => Number(rows.find((row) => row["type"] === type)?.["bytes"] ?? 0);
    return { tableBytes: of("table"), indexBytes: of("index") };
  } finally {
    database.close();
  }
}

/** Of a table on PostgreSQL, by whole pages, with its maps of free and visible room. */
export async function weightInPostgres(client: Client, table: string): Promise<Weight> {
  const { rows } = await client.query<{ table_bytes: string; index_bytes: string }>(
    "select pg_table_size($1::regclass) as table_bytes, pg_indexes_size($1::regclass) as index_bytes",
    [table],
  );
  return {
    tableBytes: Number(rows[0]?.table_bytes ?? 0),
    indexBytes: Number(rows[0]?.index_bytes ?? 0),
  };
}
