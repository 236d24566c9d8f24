import { chmodSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Kysely } from "kysely";
import type { KeyKind } from "../../contract/keyKinds.ts";
import type { TierTable } from "../../contract/tiers.ts";
import { makeOwnFile, makeOwnFolder, OWN_FILE_MODE } from "../../lib/ownFiles.ts";
import { BooksBatch } from "../../metering/books.ts";
import { MOST_AHEAD_MS } from "../../metering/periods.ts";
import {
  type ChargeRequest,
  type Decision,
  type FindTier,
  type FoundKey,
  StoreUnavailable,
} from "../../metering/store.ts";
import { tierFinder } from "../../metering/tierFinder.ts";
import { LIVE_BOOKS, TEST_BOOKS } from "../books.ts";
import { carriedOver } from "../facets.ts";
import { isUpToDate, migrate } from "../migrate.ts";
import {
  AFTER_A_JUMP_MS,
  DELETE_LAPSED_EVERY_MS,
  KEEP_LAPSED_MS,
  KEEP_SESSIONS_MS,
} from "../queries/retention.ts";
import { sharedFacets } from "../queries/sharedFacets.ts";
import { ROWS_IN_A_STEP } from "../queries/sweeping.ts";
import { StateRefused, type StateStore } from "../stateStore.ts";
import type { Tables } from "../tables.ts";
import { callRows } from "./callRows.ts";
import { kyselyOver } from "./dialect.ts";
import { KeptOfAll, SqliteRows } from "./rows.ts";
import {
  type BookStatements,
  prepareBooks,
  prepareStatements,
  type Statements,
  writeChanges,
} from "./statements.ts";

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
    return stateIn(database, db, tierFinder(tiers, pageRate), now);
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

/** What an operator can do about SQLite's primary result codes (sqlite.org/rescode.html). */
const REMEDIES = new Map([
  [5, "another process is writing to it, try again"],
  [8, "make its file and folder writable"],
  [10, "check its disk"],
  [11, "stop the service and restore its file from a backup"],
  [13, "make room on its disk"],
  [26, "stop the service and restore its file from a backup"],
]);

function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR")) return error;
  const resultCode = "errcode" in error ? Number(error.errcode) & 0xff : 0;
  const remedy = REMEDIES.get(resultCode);
  return new StoreUnavailable(remedy === undefined ? error.message : `${error.message}; ${remedy}`, error);
}

/** The embedded state on the thread that calls it, one call after the other. */
function stateIn(
  database: DatabaseSync,
  db: Kysely<Tables>,
  findTier: FindTier,
  now: () => number,
): StateStore {
  const turns = new Turns();
  const statements = prepareStatements(database);
  const metering = new SqliteMetering(database, statements, findTier, now);
  return {
    ...carriedOver(
      {
        ...sharedFacets(db, now, { isOneStatement: false, callRows }),
        metering,
      },
      (run) =>
        (...parameters) =>
          turns.take(() => run(...parameters)),
    ),
    probe: () => turns.take(() => metering.probe()),
    close: () =>
      turns.end(async () => {
        await db.destroy();
        if (database.isOpen) database.close();
      }),
  };
}

/** Calls that are taken one after the other. */
class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #isOver = false;

  /**
   * One call after the other: a new key takes several turns of the event loop, and nothing else may land inside its
   * transaction. What SQLite refuses is told as StoreUnavailable.
   */
  take<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(async () => {
      if (this.#isOver) throw new StoreUnavailable("it is closed");
      try {
        return await work();
      } catch (error) {
        throw asUnavailable(error);
      }
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** The last call of all; whoever comes later is refused. */
  async end(work: () => Promise<void>): Promise<void> {
    await this.take(() => {
      this.#isOver = true;
      return work();
    }).catch((error: unknown) => {
      if (!this.#isOver) throw error;
    });
  }
}

/** Metering in a SQLite file: a batch is a transaction. It is called in turn. */
class SqliteMetering {
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  readonly #books: Readonly<Record<"live" | "test", BookStatements>>;
  readonly #findTier: FindTier;
  readonly #now: () => number;
  readonly #keptOfAll: KeptOfAll;
  #deletedAtMs = 0;
  /** Both clocks when they were looked at last: that of the day can jump, the steady one cannot. */
  #looked = { nowMs: 0, steadyMs: 0 };
  /** By the steady clock. */
  #deletesFromMs = 0;

  constructor(database: DatabaseSync, statements: Statements, findTier: FindTier, now: () => number) {
    this.#database = database;
    this.#statements = statements;
    this.#books = { live: prepareBooks(database, LIVE_BOOKS), test: prepareBooks(database, TEST_BOOKS) };
    this.#findTier = findTier;
    this.#now = now;
    this.#keptOfAll = new KeptOfAll(this.#books.live);
  }

  apply(requests: readonly ChargeRequest[]): readonly Decision[] {
    return this.#transaction(() => {
      const nowMs = this.#now();
      const batch = new BooksBatch(
        (which) => new SqliteRows(this.#books[which], nowMs, this.#keptOfAll),
        this.#findTier,
      );
      const decisions = requests.map((request) => batch.decide(request));
      const { live, test } = batch.changes();
      if (live !== undefined) writeChanges(this.#books.live, live, nowMs);
      if (test !== undefined) writeChanges(this.#books.test, test, nowMs);
      this.#deleteLapsed(nowMs);
      return decisions;
    });
  }

  findKeys(hashes: readonly string[]): readonly (FoundKey | null)[] {
    return hashes.map((hash) => {
      const row = this.#statements.keyOfHash.get(hash);
      return row === undefined ? null : { id: String(row["id"]), kind: row["kind"] as KeyKind };
    });
  }

  /** Writes and syncs something small. */
  probe(): void {
    this.#transaction(() => this.#statements.probe.run(this.#now()));
  }

  #deleteLapsed(nowMs: number): void {
    // What is under way when the clock jumps ahead is over by it, and is still to be settled.
    const steadyMs = performance.now();
    const jumpedMs = nowMs - this.#looked.nowMs - (steadyMs - this.#looked.steadyMs);
    this.#looked = { nowMs, steadyMs };
    if (jumpedMs > MOST_AHEAD_MS) this.#deletesFromMs = steadyMs + AFTER_A_JUMP_MS;
    if (steadyMs < this.#deletesFromMs) return;
    // A clock that was set back says nothing of how long ago the last one was.
    if (Math.abs(nowMs - this.#deletedAtMs) < DELETE_LAPSED_EVERY_MS) return;
    const deleted = Object.values(this.#books).map(({ deleteLapsed }) =>
      deleteLapsed.run(nowMs - KEEP_LAPSED_MS),
    );
    this.#statements.takeBackSessions.run(nowMs, nowMs + MOST_AHEAD_MS);
    deleted.push(this.#statements.deleteSessions.run(nowMs - KEEP_SESSIONS_MS));
    // The next batch goes on with what is left.
    if (deleted.every(({ changes }) => Number(changes) < ROWS_IN_A_STEP)) this.#deletedAtMs = nowMs;
  }

  #transaction<T>(work: () => T): T {
    try {
      this.#statements.begin.run();
      const result = work();
      this.#statements.commit.run();
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #rollBack(): void {
    try {
      if (this.#database.isTransaction) this.#statements.rollback.run();
    } catch {
      // SQLite rolls back by itself when it cannot even do this; the first error is the one to tell.
    }
  }
}
