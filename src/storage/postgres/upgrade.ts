import { setTimeout as wait } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { DatabaseError } from "pg";
import { type Migrations, migrate, OlderState, schemaOf, type Upgrade } from "../migrate.ts";
import { MIGRATIONS } from "../migrations/all.ts";
import type { Tables } from "../schema/tables.ts";
import { StateRefused } from "../stateStore.ts";
import { kyselyOver, openPool } from "./connect.ts";

/** Any number of this program's own: the lock that lets one node at a time change the tables. */
const MIGRATION_LOCK = 7_065_919;
/**
 * A change of a table waits for those who use it, and everybody who comes later waits for the change: calls of nodes that
 * serve are held up for so long at most, far less than makes them fail. Below the server's `deadlock_timeout`, so that it
 * is the change that gives way.
 */
const LOCK_WITHIN_MS = 500;
const TRY_AGAIN_AFTER_MS = 500;
const TRY_WITHIN_MS = 30_000;
/** SQLSTATE of a lock that was not had in time. */
const LOCK_NOT_AVAILABLE = "55P03";

interface UpgradeOptions {
  /** Whether an older state is brought to this version, for good; else it is refused. */
  readonly mayUpgrade?: boolean;
  /** Tests only: the changes of another version. */
  readonly migrations?: Migrations;
  /** Tests only: how long to try for tables that another session holds. */
  readonly tryWithinMs?: number;
  /** How long the connection may take. */
  readonly connectWithinMs?: number | undefined;
}

/**
 * Creates the tables where there are none, and upgrades older ones if it may, next to nodes that serve. Several nodes may start at once: one
 * changes the tables, the others wait for it and find them changed.
 * @returns undefined unless this call upgraded them
 * @throws {StateRefused} when the state is of another version of this program, or its tables stay in use
 */
export async function bringUpToDate(url: string, options: UpgradeOptions = {}): Promise<Upgrade | undefined> {
  const {
    mayUpgrade = false,
    migrations = MIGRATIONS,
    tryWithinMs = TRY_WITHIN_MS,
    connectWithinMs,
  } = options;
  const pool = openPool({ url, maxConnections: 1, isPatient: true, connectWithinMs });
  const db = kyselyOver(pool);
  const lastTryMs = performance.now() + tryWithinMs;
  try {
    for (;;) {
      const schema = await schemaOf(db, migrations);
      if (schema.is === "current") return undefined;
      if (schema.is === "older" && !mayUpgrade) throw new OlderState(schema);
      try {
        return await change(db, migrations);
      } catch (error) {
        if (!(error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE)) throw error;
        await sql`rollback`.execute(db);
        if (performance.now() >= lastTryMs) {
          throw new StateRefused(
            "the tables of the state must be changed, and another session holds them, such as a backup or a long query: start again when it has ended",
          );
        }
        await wait(TRY_AGAIN_AFTER_MS);
      }
    }
  } finally {
    await db.destroy();
  }
}

/** @returns undefined when another node was first, or when the state was new */
async function change(db: Kysely<Tables>, migrations: Migrations): Promise<Upgrade | undefined> {
  await sql`begin`.execute(db);
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(db);
  const schema = await schemaOf(db, migrations);
  if (schema.is !== "current") {
    await lockTables(db);
    await migrate(db, { isInTransaction: true, migrations });
  }
  await sql`commit`.execute(db);
  return schema.is === "older" ? { from: schema.last, to: schema.wanted } : undefined;
}

/**
 * All tables at once and before any change, so that no change has to wait. Every batch begins with a lock in `accounts`: once that table is
 * locked, no batch holds another one.
 */
async function lockTables(db: Kysely<Tables>): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(LOCK_WITHIN_MS)}, true)`.execute(db);
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema() and tablename not like 'kysely%'
    order by tablename <> 'accounts', tablename`.execute(db);
  if (rows.length === 0) return;
  const tables = sql.join(rows.map(({ name }) => sql.table(name)));
  await sql`lock table ${tables} in access exclusive mode`.execute(db);
}
