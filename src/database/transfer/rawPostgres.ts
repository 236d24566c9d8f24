import { setTimeout as wait } from "node:timers/promises";
import type { PoolClient } from "pg";
import { IS_OWN_SESSION, openPool } from "../postgres/connect.ts";
import { asDatabaseRefused } from "../postgres/failures.ts";
import { TABLES, type Tables, TRANSFERRED_TABLES } from "../schema/tables.ts";
import { StateRefused } from "../stateErrors.ts";
import { asRow, type RawAccess, type RawState, rowsAtOnce } from "./rawState.ts";

/** A recently closed session, such as that of the upgrade, is still listed for a while. */
const SESSION_ENDS_WITHIN_MS = 2_000;
const POLL_EVERY_MS = 50;

/**
 * The rows of a state on PostgreSQL, which must be up to date.
 * @throws {StateRefused} if exclusive access is requested and a node has it open, or it cannot be read; the message
 * contains no password
 */
export async function openRawPostgres(url: string, access: RawAccess): Promise<RawState> {
  const pool = openPool({ url, maxConnections: 1, isPatient: true });
  let client: PoolClient | undefined;
  const close = async () => {
    // Rolls back an open transaction.
    client?.release(true);
    await pool.end();
  };
  try {
    client = await pool.connect();
    if (access === "exclusive") await lockAlone(client);
    else await client.query("begin isolation level repeatable read read only");
    return rawState(client, close);
  } catch (error) {
    await close();
    throw asDatabaseRefused(error, "the database");
  }
}

/** A running node would keep charging to rows that were already copied. Checked before and after locking. */
async function lockAlone(client: PoolClient): Promise<void> {
  const sinceMs = performance.now();
  while (await isUsed(client)) {
    if (performance.now() - sinceMs > SESSION_ENDS_WITHIN_MS) throw inUse();
    await wait(POLL_EVERY_MS);
  }
  await client.query("begin isolation level repeatable read");
  await client.query("set local lock_timeout = '5s'");
  await client.query(`lock table ${TRANSFERRED_TABLES.join(", ")} in exclusive mode`);
  if (await isUsed(client)) throw inUse();
}

async function isUsed(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ nodes: number }>(
    `select count(*) as nodes from pg_stat_activity
     where datname = current_database() and ${IS_OWN_SESSION} and pid <> pg_backend_pid()`,
  );
  return (rows[0]?.nodes ?? 0) > 0;
}

function inUse(): StateRefused {
  return new StateRefused("the database is in use by Opzoek: stop all nodes and try again");
}

function rawState(client: PoolClient, close: () => Promise<void>): RawState {
  return {
    async *rowsOf(table) {
      const columns = await columnsOf(client, table);
      // Ordered by code points, whatever the collation of the database.
      const order = TABLES[table].key.map((name) =>
        columns.get(name) === "text" ? `${name} collate "C"` : name,
      );
      await client.query(
        `declare moved no scroll cursor for select * from ${table} order by ${order.join(", ")}`,
      );
      for (;;) {
        const { rows } = await client.query(`fetch ${rowsAtOnce(table)} from moved`);
        if (rows.length === 0) break;
        yield rows.map(asRow);
      }
      await client.query("close moved");
    },
    async add(table, rows) {
      const columns = Object.keys(rows[0] ?? {});
      const places = rows.map((_, index) => {
        const first = index * columns.length + 1;
        return `(${columns.map((_column, offset) => `$${first + offset}`).join(", ")})`;
      });
      await client.query(
        `insert into ${table} (${columns.join(", ")}) values ${places.join(", ")}`,
        rows.flatMap((row) => columns.map((column) => row[column] ?? null)),
      );
    },
    async commit() {
      await client.query("commit");
    },
    close,
  };
}

async function columnsOf(client: PoolClient, table: keyof Tables): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ column_name: string; data_type: string }>(
    `select column_name, data_type from information_schema.columns
     where table_schema = current_schema() and table_name = $1`,
    [table],
  );
  return new Map(rows.map(({ column_name, data_type }) => [column_name, data_type]));
}
