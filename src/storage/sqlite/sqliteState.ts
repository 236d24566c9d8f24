import { chmodSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Kysely } from "kysely";
import type { TierTable } from "../../contract/tiers.ts";
import { makeOwnFile, makeOwnFolder, OWN_FILE_MODE } from "../../lib/ownFiles.ts";
import { Batch, tierFinder } from "../../metering/batch.ts";
import { type Ask, type Decision, type FindTier, StoreUnavailable } from "../../metering/store.ts";
import { isUpToDate, migrate } from "../migrate.ts";
import { accountQueries } from "../queries/accounts.ts";
import { liveQueries } from "../queries/live.ts";
import { callPeople, peopleQueries, peopleStoreOf } from "../queries/people.ts";
import { KEEP_LAPSED_MS, SWEEP_EVERY_MS } from "../queries/retention.ts";
import { suppressionQueries } from "../queries/suppressed.ts";
import { verdictQueries } from "../queries/verdicts.ts";
import { StateRefused, type StateStore } from "../stateStore.ts";
import type { Tables } from "../tables.ts";
import { kyselyOver } from "./dialect.ts";
import { SqliteRows, writeChanges } from "./rows.ts";
import { prepareStatements, type Statements } from "./statements.ts";

/** Long enough for a command at the terminal to finish its write, short enough for a caller to wait. */
const BUSY_TIMEOUT_MS = 2_000;

export interface SqliteStateOptions {
  readonly path: string;
  readonly tiers: TierTable;
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
    return new SqliteState(database, db, tiers, now);
  } catch (error) {
    if (database?.isOpen) database.close();
    if (error instanceof StateRefused) throw error;
    throw refusal(path, error);
  }
}

function checkWhole(database: DatabaseSync): void {
  const found = database.prepare("pragma quick_check(1)").get();
  if (found?.["quick_check"] !== "ok") throw new Error(`damaged: ${String(found?.["quick_check"])}`);
}

function refusal(path: string, error: unknown): StateRefused {
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

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

class SqliteState implements StateStore {
  readonly #database: DatabaseSync;
  readonly #db: Kysely<Tables>;
  readonly #statements: Statements;
  readonly #findTier: FindTier;
  readonly #now: () => number;
  readonly #cold: ReturnType<typeof accountQueries>;
  readonly #verdicts: ReturnType<typeof verdictQueries>;
  readonly #live: ReturnType<typeof liveQueries>;
  readonly #forgetting: ReturnType<typeof suppressionQueries>;
  readonly people: StateStore["people"];
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #sweptAtMs = 0;

  constructor(database: DatabaseSync, db: Kysely<Tables>, tiers: TierTable, now: () => number) {
    this.#database = database;
    this.#db = db;
    this.#statements = prepareStatements(database);
    this.#findTier = tierFinder(tiers);
    this.#now = now;
    this.#cold = accountQueries(db, now);
    this.#verdicts = verdictQueries(db);
    this.#live = liveQueries(db);
    this.#forgetting = suppressionQueries(db);
    const people = peopleQueries(db, now);
    this.people = peopleStoreOf((method, parameters) =>
      this.#inTurn(() => callPeople(people, method, parameters)),
    );
  }

  apply(asks: readonly Ask[]): Promise<readonly Decision[]> {
    return this.#inTurn(() =>
      this.#transaction(() => {
        const nowMs = this.#now();
        const batch = new Batch(new SqliteRows(this.#statements, nowMs), this.#findTier);
        const decisions = asks.map((ask) => batch.decide(ask));
        writeChanges(this.#statements, batch.changes());
        this.#sweep(nowMs);
        return decisions;
      }),
    );
  }

  async probe(): Promise<void> {
    await this.#inTurn(() => this.#transaction(() => this.#statements.probe.run(this.#now())));
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => {
      this.#isClosed = true;
      await this.#db.destroy();
      if (this.#database.isOpen) this.#database.close();
    }).catch((error: unknown) => {
      if (!this.#isClosed) throw error;
    });
  }

  addAccount: StateStore["addAccount"] = (account) => this.#inTurn(() => this.#cold.addAccount(account));
  account: StateStore["account"] = (id) => this.#inTurn(() => this.#cold.account(id));
  accounts: StateStore["accounts"] = () => this.#inTurn(() => this.#cold.accounts());
  accountsByTier: StateStore["accountsByTier"] = () => this.#inTurn(() => this.#cold.accountsByTier());
  setTier: StateStore["setTier"] = (id, tierName) => this.#inTurn(() => this.#cold.setTier(id, tierName));
  setSuspended: StateStore["setSuspended"] = (id, isSuspended, at) =>
    this.#inTurn(() => this.#cold.setSuspended(id, isSuspended, at));
  addKey: StateStore["addKey"] = (key, mostLiveKeys, daily) =>
    this.#inTurn(() => this.#cold.addKey(key, mostLiveKeys, daily));
  revokeKey: StateStore["revokeKey"] = (id, revokedAt) =>
    this.#inTurn(() => this.#cold.revokeKey(id, revokedAt));
  findKeyIds: StateStore["findKeyIds"] = (hashes) =>
    this.#inTurn(() => hashes.map((hash) => textOrNull(this.#statements.keyId.get(hash)?.["id"])));
  ledger: StateStore["ledger"] = (accountId, fromDay, toDay) =>
    this.#inTurn(() => this.#cold.ledger(accountId, fromDay, toDay));
  spent: StateStore["spent"] = (accountId) => this.#inTurn(() => this.#cold.spent(accountId));
  aheadOfClock: StateStore["aheadOfClock"] = () => this.#inTurn(() => this.#cold.aheadOfClock());
  heldVerdicts: StateStore["heldVerdicts"] = (vatNumbers) =>
    this.#inTurn(() => this.#verdicts.heldVerdicts(vatNumbers));
  keepVerdict: StateStore["keepVerdict"] = (vatNumber, answer) =>
    this.#inTurn(() => this.#verdicts.keepVerdict(vatNumber, answer));
  keepConsultation: StateStore["keepConsultation"] = (consultation) =>
    this.#inTurn(() => this.#verdicts.keepConsultation(consultation));
  consultation: StateStore["consultation"] = (accountId, vatNumber, requester) =>
    this.#inTurn(() => this.#verdicts.consultation(accountId, vatNumber, requester));
  forgetVerdicts: StateStore["forgetVerdicts"] = (beforeMs) =>
    this.#inTurn(() => this.#verdicts.forgetVerdicts(beforeMs));
  heldCompanies: StateStore["heldCompanies"] = (kvkNumbers) =>
    this.#inTurn(() => this.#live.heldCompanies(kvkNumbers));
  keepCompany: StateStore["keepCompany"] = (kvkNumber, facts, toldAtMs) =>
    this.#inTurn(() => this.#live.keepCompany(kvkNumber, facts, toldAtMs));
  keepBranches: StateStore["keepBranches"] = (kvkNumber, toldAtMs, told) =>
    this.#inTurn(() => this.#live.keepBranches(kvkNumber, toldAtMs, told));
  mostTold: StateStore["mostTold"] = (most) => this.#inTurn(() => this.#live.mostTold(most));
  toldSince: StateStore["toldSince"] = (sinceMs, after, most) =>
    this.#inTurn(() => this.#live.toldSince(sinceMs, after, most));
  heldSearch: StateStore["heldSearch"] = (criteria) => this.#inTurn(() => this.#live.heldSearch(criteria));
  keepSearch: StateStore["keepSearch"] = (criteria, search) =>
    this.#inTurn(() => this.#live.keepSearch(criteria, search));
  spendCall: StateStore["spendCall"] = (day, most, share) =>
    this.#inTurn(() => this.#live.spendCall(day, most, share));
  refundCall: StateStore["refundCall"] = (day, isOfShare) =>
    this.#inTurn(() => this.#live.refundCall(day, isOfShare));
  spentCalls: StateStore["spentCalls"] = (day) => this.#inTurn(() => this.#live.spentCalls(day));
  hasAccountBeyond: StateStore["hasAccountBeyond"] = (tierNames) =>
    this.#inTurn(() => this.#live.hasAccountBeyond(tierNames));
  holdPlaces: StateStore["holdPlaces"] = (held) => this.#inTurn(() => this.#live.holdPlaces(held));
  clearLive: StateStore["clearLive"] = (tooOld) => this.#inTurn(() => this.#live.clearLive(tooOld));
  forgotten: StateStore["forgotten"] = () => this.#inTurn(() => this.#forgetting.forgotten());
  forgottenMark: StateStore["forgottenMark"] = () => this.#inTurn(() => this.#forgetting.forgottenMark());
  forget: StateStore["forget"] = (company) => this.#inTurn(() => this.#forgetting.forget(company));
  undoForget: StateStore["undoForget"] = (kvkNumber) =>
    this.#inTurn(() => this.#forgetting.undoForget(kvkNumber));

  /**
   * One call after the other: a new key takes several turns of the event loop, and nothing else may land inside its
   * transaction. What SQLite refuses is told as StoreUnavailable.
   */
  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(async () => {
      if (this.#isClosed) throw new StoreUnavailable("it is closed");
      try {
        return await work();
      } catch (error) {
        throw asUnavailable(error);
      }
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  #sweep(nowMs: number): void {
    // A clock that was set back says nothing of how long ago the last one was.
    if (Math.abs(nowMs - this.#sweptAtMs) < SWEEP_EVERY_MS) return;
    this.#sweptAtMs = nowMs;
    this.#statements.sweep.run(nowMs - KEEP_LAPSED_MS);
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
