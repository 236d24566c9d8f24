import { chmodSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Kysely } from "kysely";
import type { TierTable } from "../../contract/tiers.ts";
import { makeOwnFile, makeOwnFolder, OWN_FILE_MODE } from "../../lib/ownFiles.ts";
import type { FindTier } from "../../metering/store.ts";
import { tierFinder } from "../../metering/tierFinder.ts";
import { isUpToDate, migrate } from "../migrate.ts";
import { sharedFacets } from "../queries/sharedFacets.ts";
import { StateRefused, type StateStore } from "../stateStore.ts";
import type { Tables } from "../tables.ts";
import { asUnavailable, kyselyOver } from "./driver.ts";
import { SqliteMetering } from "./metering.ts";

/** Long enough for a command at the terminal to finish its write, short enough for a caller to wait. */
const BUSY_TIMEOUT_MS = 2_000;

export interface SqliteStateOptions {
  readonly path: string;
  readonly tiers: TierTable;
  /** Calls a minute of the page's own keys. */
  readonly pageRate?: number;
  readonly now?: () => number;
}

/**
 * Opens the embedded state, a SQLite file, and brings it up to this version. Every call works on the calling thread:
 * run it on a thread of its own.
 * @throws {StateRefused} when the file is damaged, newer than this program, or cannot be opened
 */
export async function openSqliteState({
  path,
  tiers,
  pageRate,
  now = Date.now,
}: SqliteStateOptions): Promise<StateStore> {
  let database: DatabaseSync | undefined;
  try {
    makeOwnFolder(dirname(path));
    makeOwnFile(path);
    chmodSync(path, OWN_FILE_MODE);
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    // FULL: a charge that was acknowledged survives a power cut.
    // What is deleted is gone from the file: some of it must be forgotten.
    database.exec("pragma secure_delete = on");
    database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on");
    checkWhole(database);
    const db = kyselyOver(database);
    if (!(await isUpToDate(db))) {
      // Two processes may open a new file at once: the second waits and finds the tables made.
      database.exec("begin immediate");
      await migrate(db, { isInTransaction: true });
      database.exec("commit");
    }
    // What a call has sorted is an account's own and small; a disk that is full shall not refuse it.
    database.exec("pragma temp_store = memory");
    return stateIn(database, kyselyOver(database, asUnavailable), tierFinder(tiers, pageRate), now);
  } catch (error) {
    if (database?.isOpen) database.close();
    if (error instanceof StateRefused) throw error;
    throw asRefused(path, error);
  }
}

function checkWhole(database: DatabaseSync): void {
  const found = database.prepare("pragma quick_check(1)").get();
  if (found?.["quick_check"] !== "ok") throw new Error(`damaged: ${String(found?.["quick_check"])}`);
}

/** Why a state file cannot be used, and what to do. */
export function asRefused(path: string, error: unknown): StateRefused {
  const reason = error instanceof Error ? error.message : String(error);
  const isDamaged = /damaged|malformed|not a database|corrupt|no such (table|column)/i.test(reason);
  return new StateRefused(
    isDamaged
      ? `the state file ${path} is damaged (${reason}): restore it from a backup, or move it away with its -wal and -shm files to begin with an empty state`
      : `the state file ${path} cannot be opened (${reason}): check that DATA_DIR exists, may be written and has room`,
    error,
  );
}

/** The embedded state on the thread that calls it. */
function stateIn(
  database: DatabaseSync,
  db: Kysely<Tables>,
  findTier: FindTier,
  now: () => number,
): StateStore {
  const metering = new SqliteMetering(database, db, findTier, now);
  return {
    ...sharedFacets(db, now),
    metering,
    probe: () => metering.probe(),
    async close() {
      if (!database.isOpen) return;
      await db.connection().execute(async () => {
        if (database.isOpen) database.close();
      });
    },
  };
}
