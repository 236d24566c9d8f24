import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { type Query, query, type Statement } from "../../database/sql.ts";
import {
  asUnavailable,
  BEGIN,
  isBusy,
  runSql,
  type SqlRequest,
  type SqlResult,
} from "../../database/sqlite/driver.ts";
import {
  type BatchTransaction,
  type ChargeTerms,
  type DecidedBatch,
  decideBatch,
  StoredBytes,
} from "../batch/decideBatch.ts";
import { KEYS_BY_HASH } from "../batch/reads.ts";
import type { ChargeRequest, Decision, FoundKey } from "../store.ts";

/** Long enough for the write of a command, short enough for a waiting caller. */
const BUSY_WITHIN_MS = 2_000;
const LOCK_RETRY_MS = 5;

/** The embedded state, on this thread or another one. Requests run in the order of the calls. */
export interface EmbeddedState {
  /** Decides and stores a batch of charges in one transaction. */
  apply(requests: readonly ChargeRequest[]): Promise<readonly Decision[]>;
  findKeys(hashes: readonly string[]): Promise<readonly (FoundKey | null)[]>;
  /** Runs a statement of another query. */
  runSql(request: SqlRequest): Promise<SqlResult>;
  /** Writes and syncs something small. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/** The owner of a SQLite file. While a transaction of several statements is open, everything else waits. */
export class SqliteOwner implements EmbeddedState {
  readonly #database: DatabaseSync;
  readonly #terms: ChargeTerms;
  readonly #now: () => number;
  readonly #storedBytes = new StoredBytes();
  readonly #prepared = new Map<Statement<unknown>, StatementSync>();
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #probe: StatementSync;
  readonly #transaction: BatchTransaction;
  /** The connection with an open transaction. */
  #openTransaction: number | undefined;
  #released = Promise.withResolvers<void>();

  constructor(database: DatabaseSync, terms: ChargeTerms, now: () => number) {
    this.#database = database;
    this.#terms = terms;
    this.#now = now;
    this.#begin = database.prepare(BEGIN);
    this.#commit = database.prepare("commit");
    this.#probe = database.prepare("update probe set probed_at_ms = ? where id = 1");
    this.#transaction = { read: (query) => this.#rows(query), now };
  }

  async apply(requests: readonly ChargeRequest[]): Promise<readonly Decision[]> {
    const { outcomes } = await this.#inTransaction(() => {
      const decided = decideBatch(this.#transaction, requests, {
        ...this.#terms,
        lockedRows: "wait",
        storedBytes: this.#storedBytes,
      });
      if (decided instanceof Promise) throw new TypeError("a batch was not decided synchronously");
      for (const write of decided.writes) this.#rows(write);
      return decided;
    });
    return outcomes.map(asDecision);
  }

  findKeys(hashes: readonly string[]): Promise<readonly (FoundKey | null)[]> {
    return this.#inTurn(() => {
      const rows = this.#rows(query(KEYS_BY_HASH, hashes));
      const found = new Map(rows.map(({ hash, id, kind }) => [hash, { id, kind }]));
      return hashes.map((hash) => found.get(hash) ?? null);
    });
  }

  runSql(request: SqlRequest): Promise<SqlResult> {
    return this.#inTurn(() => {
      try {
        return runSql(this.#database, request);
      } finally {
        this.#noteTransaction(request.transaction);
      }
    }, request.transaction);
  }

  async probe(): Promise<void> {
    await this.#inTransaction(() => this.#probe.run(this.#now()));
  }

  async close(): Promise<void> {
    await this.#inTurn(() => {
      if (this.#database.isOpen) this.#database.close();
    });
  }

  #rows<Row>({ statement, values }: Query<Row>): readonly Row[] {
    let prepared = this.#prepared.get(statement);
    if (prepared === undefined) {
      prepared = this.#database.prepare(statement.sqlite);
      this.#prepared.set(statement, prepared);
    }
    const rows: unknown = prepared.all(...values);
    return rows as readonly Row[];
  }

  /**
   * Runs work when no other transaction is open. Retries for a while if another process has locked the file, because
   * nothing was done then.
   */
  async #inTurn<T>(work: () => T, transaction?: number): Promise<T> {
    const lastTryMs = performance.now() + BUSY_WITHIN_MS;
    for (;;) {
      while (this.#openTransaction !== undefined && this.#openTransaction !== transaction) {
        await this.#released.promise;
      }
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() >= lastTryMs) throw asUnavailable(error);
        await pause(LOCK_RETRY_MS);
      }
    }
  }

  #noteTransaction(transaction: number | undefined): void {
    if (this.#database.isOpen && this.#database.isTransaction) {
      this.#openTransaction = transaction;
    } else if (this.#openTransaction !== undefined) {
      this.#openTransaction = undefined;
      this.#released.resolve();
      this.#released = Promise.withResolvers();
    }
  }

  #inTransaction<T>(work: () => T): Promise<T> {
    return this.#inTurn(() => {
      try {
        this.#begin.run();
        const result = work();
        this.#commit.run();
        return result;
      } catch (error) {
        this.#rollBack();
        throw error;
      }
    });
  }

  #rollBack(): void {
    try {
      if (this.#database.isOpen && this.#database.isTransaction) this.#database.exec("rollback");
    } catch {
      // SQLite rolls back by itself if it cannot even do this. The first error is the one to report.
    }
  }
}

/** Returns the decision. No row can be locked, because no one else writes during a transaction. */
function asDecision(outcome: DecidedBatch["outcomes"][number]): Decision {
  if ("lockedAccount" in outcome) throw new RangeError("a row is locked in an exclusive transaction");
  return outcome;
}
