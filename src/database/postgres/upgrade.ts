import { setTimeout as wait } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { DatabaseError } from "pg";
import { type Migrations, migrate, OlderState, schemaOf, type Upgrade } from "../migrate.ts";
import { MIGRATIONS } from "../migrations/all.ts";
import type { Tables } from "../schema/tables.ts";
import { StateRefused } from "../stateErrors.ts";
import { kyselyOverPostgres, openPool } from "./connect.ts";

/** An arbitrary number: the lock that lets one node at a time migrate the tables. */
const MIGRATION_LOCK = 7_065_919;
/**
 * A migration waits for users of a table, and all later ones wait for the migration. This limits how long calls of
 * serving nodes may be delayed, far below their timeout. It is below the server's `deadlock_timeout`, so that the
 * migration gives way.
 */
const LOCK_WITHIN_MS = 500;
const TRY_AGAIN_AFTER_MS = 500;
const TRY_WITHIN_MS = 30_000;
/** SQLSTATE of a lock timeout. */
const LOCK_NOT_AVAILABLE = "55P03";

interface UpgradeOptions {
  /** Whether to upgrade an older state, irreversibly; otherwise it is refused. */
  readonly mayUpgrade?: boolean;
  /** For tests: the migrations of another version. */
  readonly migrations?: Migrations;
  /** For tests: how long to retry while another session locks the tables. */
  readonly tryWithinMs?: number;
  readonly connectWithinMs?: number | undefined;
}

/**
 * Creates missing tables, and upgrades older ones if allowed, while nodes are serving. Several nodes may start at once:
 * one migrates the tables, the others wait for it.
 * @returns undefined unless this call upgraded them
 * @throws {StateRefused} if the state has another version of this program, or its tables stay locked
 */
export async function upgradeTables(url: string, options: UpgradeOptions = {}): Promise<Upgrade | undefined> {
  const {
    mayUpgrade = false,
    migrations = MIGRATIONS,
    tryWithinMs = TRY_WITHIN_MS,
    connectWithinMs,
  } = options;
  const pool = openPool({ url, maxConnections: 1, isPatient: true, connectWithinMs });
  const db = kyselyOverPostgres(pool);
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
            "the upgrade must change tables that another session has locked, such as a backup or a long query: start again when it has finished",
          );
        }
        await wait(TRY_AGAIN_AFTER_MS);
      }
    }
  } finally {
    await db.destroy();
  }
}

/** @returns undefined if another node was first, or the state was new */
async function change(db: Kysely<Tables>, migrations: Migrations): Promise<Upgrade | undefined> {
  await sql`begin`.execute(db);
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(db);
  const schema = await schemaOf(db, migrations);
  if (schema.is !== "current") {
    await lockTables(db);
    await migrate(db, { isInTransaction: true, migrations });
  }
  await sql`commit`.execute(db);
  return schema.is === "older" ? { from: schema.last, to: schema.latest } : undefined;
}

/**
 * Locks all tables before any change, so that no change has to wait. Every batch begins by locking rows of `accounts`,
 * so once that table is locked, no batch has another lock.
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
