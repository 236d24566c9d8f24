import { chmodSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TierTable } from "../../contract/tiers.ts";
import { migrate, OlderState, schemaOf } from "../../database/migrate.ts";
import { ObservedCalls } from "../../database/observedCalls.ts";
import { kyselyOverSqlite, sqliteKysely } from "../../database/sqlite/driver.ts";
import { asRefused, BUSY_TIMEOUT_MS, checkWhole } from "../../database/sqlite/stateFile.ts";
import { StateRefused } from "../../database/stateErrors.ts";
import { makeOwnFile, makeOwnFolder, OWN_FILE_MODE } from "../../lib/ownFiles.ts";
import { tierFinder } from "../../metering/decide.ts";
import { type EmbeddedState, SqliteOwner } from "../../metering/sqlite/owner.ts";
import { EVENT_TABLES } from "../../monitors/batchEvents.ts";
import { stateQueries } from "./stateQueries.ts";
import type { StateStore } from "./stateStore.ts";

interface SqliteStateOptions {
  readonly path: string;
  readonly tiers: TierTable;
  /** Calls per minute of the page's own keys. */
  readonly pageRate?: number;
  readonly now?: () => number;
}

/**
 * Opens the embedded state in this thread, for a command.
 * @throws {StateRefused} if the file is damaged, of another version of this program, or cannot be opened
 */
export async function openSqliteState(options: SqliteStateOptions): Promise<StateStore> {
  return embeddedStore(await openOwner(options), options.now ?? Date.now);
}

/** @param now the clock of the state, Unix milliseconds */
export function embeddedStore(embedded: EmbeddedState, now: () => number): StateStore {
  const calls = new ObservedCalls();
  return {
    ...stateQueries(
      sqliteKysely((request) => calls.observe(embedded.runSql(request))),
      now,
    ),
    metering: {
      apply: (requests) => calls.observe(embedded.apply(requests), true),
      findKeys: (hashes) => calls.observe(embedded.findKeys(hashes)),
    },
    probe: () => calls.observe(embedded.probe(), true),
    onCall: (observer) => calls.report(observer),
    close: () => embedded.close(),
  };
}

/**
 * Opens the SQLite file of the embedded state and creates it if absent.
 * @throws {StateRefused} as {@link openSqliteState}
 */
export async function openOwner({
  path,
  tiers,
  pageRate,
  now = Date.now,
}: SqliteStateOptions): Promise<SqliteOwner> {
  let database: DatabaseSync | undefined;
  try {
    makeOwnFolder(dirname(path));
    makeOwnFile(path);
    chmodSync(path, OWN_FILE_MODE);
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    // FULL: an acknowledged charge survives a power cut.
    // Deleted data is overwritten in the file, because some of it must be erased.
    database.exec("pragma secure_delete = on");
    database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on");
    checkWhole(database);
    const db = kyselyOverSqlite(database);
    const schema = await schemaOf(db);
    if (schema.is === "older") throw new OlderState(schema);
    if (schema.is === "new") {
      // Two processes may open a new file at once: the second waits and finds the tables.
      database.exec("begin immediate");
      await migrate(db, { isInTransaction: true });
      database.exec("commit");
    }
    // Sorted data of a call is small, and must not fail on a full disk.
    database.exec("pragma temp_store = memory");
    // SQLite would block the thread while it waits; the owner waits for locks itself.
    database.exec("pragma busy_timeout = 0");
    const terms = { findTier: tierFinder(tiers, pageRate), events: EVENT_TABLES };
    return new SqliteOwner(database, terms, now);
  } catch (error) {
    if (database?.isOpen) database.close();
    if (error instanceof StateRefused) throw error;
    throw asRefused(path, error);
  }
}
