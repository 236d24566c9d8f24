import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Pool } from "pg";
import type { TierTable } from "../../contract/tiers.ts";
import { tierFinder } from "../../metering/batch.ts";
import { type Ask, type Decision, type FindTier, StoreUnavailable } from "../../metering/store.ts";
import { coldPaths } from "../coldPaths.ts";
import { forgottenPaths } from "../forgottenPaths.ts";
import { livePaths } from "../livePaths.ts";
import { callPeople, onlyReads, peoplePaths, peopleStoreOf } from "../people/peoplePaths.ts";
import { StateRefused, type StateStore } from "../stateStore.ts";
import { KEEP_LAPSED_MS, SWEEP_EVERY_MS } from "../sweeping.ts";
import { verdictPaths } from "../verdictPaths.ts";
import { callRuns } from "./callRuns.ts";
import { databaseTime, outcomeOf } from "./commitOutcome.ts";
import { kyselyOver, openPool } from "./connect.ts";
import type { Ended } from "./ended.ts";
import { asUnavailable, endsConnection, isCollision, reasonOf } from "./failures.ts";
import { Lane } from "./lane.ts";
import { LeftOpen } from "./leftOpen.ts";
import { Owners } from "./owners.ts";
import { grantPlainly } from "./plainGrants.ts";
import { findKeys, type KeyOfHash, sweepStatements } from "./statements.ts";
import { decideOn } from "./transaction.ts";
import { bringUpToDate } from "./upgrade.ts";

/** Connections of one process at most: batches, the rarer calls, and one to learn of a cut commit. */
const MOST_CONNECTIONS = 8;
/**
 * Batches of one process at the database: one, and the next whose first statements follow it. A batch costs both sides more
 * than the asks in it, most of all when they are of one account, so it takes many to be worth one. The statement that grants costs
 * more than the round trip that it saves while few asks share it.
 */
export const POSTGRES_BATCHES = { batchesAtOnce: 2, worthABatch: 32, worthGranting: 4 } as const;
/** The share of asks that the database can decide side by side, from which on it is worth asking. */
const LEAST_SHARE = 0.5;
/** A batch that collided or lost its connection is tried again until so long after it came, and so often. */
const TRY_WITHIN_MS = 1_500;
const MOST_TRIES = 4;
const MOST_PAUSE_MS = 20;
const CLOSE_WITHIN_MS = 1_000;

export interface PostgresStateOptions {
  /** `postgres://user:password@host:port/database`, with libpq's `sslmode` and the like as its query. */
  readonly url: string;
  readonly tiers: TierTable;
  /** Tests only: the time in the place of the database's clock. */
  readonly now?: () => number;
}

/**
 * Opens the state on a PostgreSQL server, which any number of processes may share, and brings it up to this version.
 * @throws {StateRefused} when it is newer than this program or cannot be used; the message holds no password
 */
export async function openPostgresState({ url, tiers, now }: PostgresStateOptions): Promise<StateStore> {
  try {
    await bringUpToDate(url);
    const pool = openPool({ url, mostConnections: MOST_CONNECTIONS });
    // One stays open from now on, for those to see who must have the database alone.
    await pool.query("select 1");
    return new PostgresState(pool, tiers, now);
  } catch (error) {
    if (error instanceof StateRefused) throw error;
    throw new StateRefused(
      `the database of DATABASE_URL cannot be used (${reasonOf(error)}): check that its server runs, and its name, user, password and rights`,
    );
  }
}

class PostgresState implements StateStore {
  readonly #pool: Pool;
  readonly #lane: Lane;
  readonly #owners = new Owners();
  readonly #leftOpen = new LeftOpen();
  readonly #tiers: TierTable;
  readonly #findTier: FindTier;
  readonly #now: (() => number) | undefined;
  readonly #cold: ReturnType<typeof coldPaths>;
  readonly #verdicts: ReturnType<typeof verdictPaths>;
  readonly #live: ReturnType<typeof livePaths>;
  readonly #forgetting: ReturnType<typeof forgottenPaths>;
  readonly people: StateStore["people"];
  #closing: Promise<void> | undefined;
  #sweptAtMs = performance.now();

  constructor(pool: Pool, tiers: TierTable, now: (() => number) | undefined) {
    const db = kyselyOver(pool);
    this.#pool = pool;
    this.#lane = new Lane(pool);
    this.#tiers = tiers;
    this.#findTier = tierFinder(tiers);
    this.#now = now;
    const clock = now ?? (() => databaseTime(pool));
    this.#cold = coldPaths(db, clock);
    this.#verdicts = verdictPaths(db);
    this.#live = livePaths(db);
    this.#forgetting = forgottenPaths(db);
    const people = peoplePaths(db, clock);
    this.people = peopleStoreOf((method, parameters) => {
      const work = () => callPeople(people, method, parameters);
      return onlyReads(method) ? this.#read(work) : this.#open(work);
    });
  }

  async apply(asks: readonly Ask[]): Promise<readonly Decision[]> {
    if (asks.length === 0) return this.#open(async () => []);
    const [findTier, owners] = [this.#findTier, this.#owners];
    return this.#inTries((id) =>
      this.#lane.run((client, onSent) =>
        decideOn(client, { id, asks, findTier, owners, testNowMs: this.#now?.() }, onSent),
      ),
    );
  }

  async grant(asks: readonly Ask[]): Promise<readonly (Decision | undefined)[]> {
    const runs = callRuns(asks, this.#owners).filter(({ accountId }) => !this.#leftOpen.has(accountId));
    const calls = runs.reduce((sum, run) => sum + run.calls.length, 0);
    // What is not granted costs a transaction more: that is lost where most asks must be decided one after the other.
    if (calls === 0 || calls < asks.length * LEAST_SHARE) return [];
    const granted = await this.#inTries((id) =>
      this.#lane.run((client, onSent) =>
        grantPlainly(client, { id, runs, tiers: this.#tiers, testNowMs: this.#now?.() }, onSent),
      ),
    );
    for (const { accountId, calls } of runs) {
      if (!calls.some(({ place }) => granted.has(place))) this.#leftOpen.add(accountId);
    }
    return asks.map((_, place) => granted.get(place));
  }

  probe(): Promise<void> {
    return this.#open(async () => {
      const client = await this.#pool.connect();
      let hasFailed = true;
      try {
        await client.query("update probe set probed_at_ms = $1 where id = 1", [Date.now()]);
        hasFailed = false;
      } finally {
        client.release(hasFailed);
      }
    });
  }

  close(): Promise<void> {
    // A server that does not answer is not waited for: nothing is under way any more that it could lose.
    this.#closing ??= Promise.race([this.#lane.close().then(() => this.#pool.end()), wait(CLOSE_WITHIN_MS)]);
    return this.#closing;
  }

  addAccount: StateStore["addAccount"] = (account) => this.#open(() => this.#cold.addAccount(account));
  account: StateStore["account"] = (id) => this.#read(() => this.#cold.account(id));
  accounts: StateStore["accounts"] = () => this.#read(() => this.#cold.accounts());
  accountsByTier: StateStore["accountsByTier"] = () => this.#read(() => this.#cold.accountsByTier());
  setTier: StateStore["setTier"] = (id, tierName) => this.#open(() => this.#cold.setTier(id, tierName));
  setSuspended: StateStore["setSuspended"] = (id, isSuspended, at) =>
    this.#open(() => this.#cold.setSuspended(id, isSuspended, at));
  addKey: StateStore["addKey"] = (key, mostLiveKeys, daily) =>
    this.#open(() => this.#cold.addKey(key, mostLiveKeys, daily));
  revokeKey: StateStore["revokeKey"] = (id, revokedAt) =>
    this.#open(() => this.#cold.revokeKey(id, revokedAt));
  findKeyIds: StateStore["findKeyIds"] = (hashes) =>
    this.#read(async () => {
      const { rows } = await this.#pool.query<KeyOfHash>(findKeys(hashes));
      const ids = new Map(rows.map(({ hash, id }) => [hash, id]));
      return hashes.map((hash) => ids.get(hash) ?? null);
    });
  ledger: StateStore["ledger"] = (accountId, fromDay, toDay) =>
    this.#read(() => this.#cold.ledger(accountId, fromDay, toDay));
  spent: StateStore["spent"] = (accountId) => this.#read(() => this.#cold.spent(accountId));
  aheadOfClock: StateStore["aheadOfClock"] = () => this.#read(() => this.#cold.aheadOfClock());
  heldVerdicts: StateStore["heldVerdicts"] = (vatNumbers) =>
    this.#read(() => this.#verdicts.heldVerdicts(vatNumbers));
  keepVerdict: StateStore["keepVerdict"] = (vatNumber, answer) =>
    this.#open(() => this.#verdicts.keepVerdict(vatNumber, answer));
  keepConsultation: StateStore["keepConsultation"] = (consultation) =>
    this.#open(() => this.#verdicts.keepConsultation(consultation));
  consultation: StateStore["consultation"] = (accountId, vatNumber, requester) =>
    this.#read(() => this.#verdicts.consultation(accountId, vatNumber, requester));
  forgetVerdicts: StateStore["forgetVerdicts"] = (beforeMs) =>
    this.#open(() => this.#verdicts.forgetVerdicts(beforeMs));
  heldCompanies: StateStore["heldCompanies"] = (kvkNumbers) =>
    this.#read(() => this.#live.heldCompanies(kvkNumbers));
  keepCompany: StateStore["keepCompany"] = (kvkNumber, facts, toldAtMs) =>
    this.#open(() => this.#live.keepCompany(kvkNumber, facts, toldAtMs));
  keepBranches: StateStore["keepBranches"] = (kvkNumber, toldAtMs, told) =>
    this.#open(() => this.#live.keepBranches(kvkNumber, toldAtMs, told));
  mostTold: StateStore["mostTold"] = (most) => this.#read(() => this.#live.mostTold(most));
  toldSince: StateStore["toldSince"] = (sinceMs, after, most) =>
    this.#read(() => this.#live.toldSince(sinceMs, after, most));
  heldSearch: StateStore["heldSearch"] = (criteria) => this.#read(() => this.#live.heldSearch(criteria));
  keepSearch: StateStore["keepSearch"] = (criteria, search) =>
    this.#open(() => this.#live.keepSearch(criteria, search));
  spendCall: StateStore["spendCall"] = (day, most, share) =>
    this.#open(() => this.#live.spendCall(day, most, share));
  refundCall: StateStore["refundCall"] = (day, isOfShare) =>
    this.#open(() => this.#live.refundCall(day, isOfShare));
  spentCalls: StateStore["spentCalls"] = (day) => this.#read(() => this.#live.spentCalls(day));
  hasAccountBeyond: StateStore["hasAccountBeyond"] = (tierNames) =>
    this.#read(() => this.#live.hasAccountBeyond(tierNames));
  holdPlaces: StateStore["holdPlaces"] = (held) => this.#open(() => this.#live.holdPlaces(held));
  clearLive: StateStore["clearLive"] = (tooOld) => this.#open(() => this.#live.clearLive(tooOld));
  forgotten: StateStore["forgotten"] = () => this.#read(() => this.#forgetting.forgotten());
  forgottenMark: StateStore["forgottenMark"] = () => this.#read(() => this.#forgetting.forgottenMark());
  forget: StateStore["forget"] = (company) => this.#open(() => this.#forgetting.forget(company));
  undoForget: StateStore["undoForget"] = (kvkNumber) =>
    this.#open(() => this.#forgetting.undoForget(kvkNumber));

  /** Runs a batch until it is committed; one that collided or lost its connection is tried again from the beginning. */
  async #inTries<Result>(run: (id: string) => Promise<Ended<Result>>): Promise<Result> {
    const lastTryMs = performance.now() + TRY_WITHIN_MS;
    for (let attempt = 1; ; attempt++) {
      const id = randomUUID();
      const ended = await this.#open(() => run(id));
      if (ended.kind === "committed") {
        this.#sweep();
        return ended.result;
      }
      if (ended.kind === "unknown") {
        const outcome = await outcomeOf(this.#pool, id);
        if (outcome.isCommitted) return ended.resultOf(outcome.granted);
      }
      // Nothing was changed.
      const { error } = ended;
      const mayTryAgain = attempt < MOST_TRIES && performance.now() < lastTryMs;
      if (!mayTryAgain || !(isCollision(error) || endsConnection(error))) throw asUnavailable(error);
      await wait(Math.random() * MOST_PAUSE_MS);
    }
  }

  /** Whatever the database or the way to it fails with is told as StoreUnavailable. */
  async #open<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw new StoreUnavailable("it is closed");
    try {
      return await work();
    } catch (error) {
      if (error instanceof TypeError || error instanceof RangeError) throw error;
      throw asUnavailable(error);
    }
  }

  /** What only reads is asked once more when its connection breaks: the server may have ended idle ones. */
  #read<T>(work: () => Promise<T>): Promise<T> {
    const lastTryMs = performance.now() + TRY_WITHIN_MS;
    return this.#open(async () => {
      try {
        return await work();
      } catch (error) {
        if (!endsConnection(error) || performance.now() > lastTryMs) throw error;
        return work();
      }
    });
  }

  /** Deletes what is kept no longer, apart from any batch; another process may do so at the same time. */
  #sweep(): void {
    if (performance.now() - this.#sweptAtMs < SWEEP_EVERY_MS) return;
    this.#sweptAtMs = performance.now();
    for (const statement of sweepStatements(KEEP_LAPSED_MS)) {
      // What could not be deleted now is deleted by the next sweep.
      this.#pool.query(statement).catch(() => {});
    }
  }
}
