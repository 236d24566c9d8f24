import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Pool } from "pg";
import type { TierTable } from "../../contract/tiers.ts";
import type {
  ChargeRequest,
  Decision,
  FindTier,
  FoundKey,
  MeteringStore,
  TellEarly,
} from "../../metering/store.ts";
import { tierFinder } from "../../metering/tierFinder.ts";
import { DELETE_LAPSED_EVERY_MS, KEEP_LAPSED_MS, KEEP_SESSIONS_MS } from "../queries/retention.ts";
import { ROWS_IN_A_STEP } from "../queries/sweeping.ts";
import { type CallGroup, callGroups, liveOf, wholeGroups } from "./callGroups.ts";
import type { DatabaseCalls } from "./calls.ts";
import type { TransactionEnd } from "./commitOutcome.ts";
import { outcomeOf } from "./commitOutcome.ts";
import { asUnavailable, endsConnection, isCollision } from "./failures.ts";
import { chargeByTabs, grantByFastPath } from "./fastPath.ts";
import { FastPathBackoff } from "./fastPathBackoff.ts";
import { KeptOfAll } from "./keptRows.ts";
import { accountsOfKeys, KeyAccounts } from "./keyAccounts.ts";
import { KnownTabs } from "./knownTabs.ts";
import { TransactionPipeline } from "./pipeline.ts";
import type { PreparedStatement } from "./statementGroup.ts";
import {
  deleteSessions,
  findKeys,
  type KeyOfHash,
  retentionStatements,
  takeBackSessions,
} from "./statements.ts";
import type { OpenedTab } from "./tabs.ts";
import { decideOn } from "./transaction.ts";
import { byWays } from "./ways.ts";

/** The share of asks that the database can decide side by side, from which on it is worth asking. */
const LEAST_SHARE = 0.5;
/** A batch that collided or lost its connection is tried again until so long after it came, and so often. */
const TRY_WITHIN_MS = 1_500;
const MOST_TRIES = 4;
const MOST_PAUSE_MS = 20;

/** With so many tabs opened since, a plan made while there were few reads all of them for each batch, and so with each time as many more. */
const OPENED_BEFORE_PLANS = 16;
const TIMES_AS_MANY = 4;

export interface PostgresMeteringParts {
  readonly pool: Pool;
  readonly calls: DatabaseCalls;
  readonly tiers: TierTable;
  /** Calls a minute of the page's own keys. */
  readonly pageRate: number | undefined;
  readonly mayOpenTabs: () => boolean;
  /** Tests only: so many batches are granted before a tab is opened. */
  readonly batchesBeforeTab?: number | undefined;
  /** Tests only: the time in the place of the database's clock. */
  readonly now: (() => number) | undefined;
}

/** Metering on PostgreSQL: the database grants what it can by a fast path, the node decides the rest, see
 * docs/decisions/0015-postgres.md. */
export class PostgresMetering implements MeteringStore {
  readonly #pool: Pool;
  readonly #calls: DatabaseCalls;
  readonly #pipeline: TransactionPipeline;
  readonly #keyAccounts = new KeyAccounts();
  readonly #keptOfAll = new KeptOfAll();
  readonly #tabs: KnownTabs;
  readonly #mayOpenTabs: () => boolean;
  readonly #backoff = new FastPathBackoff();
  readonly #tiers: TierTable;
  readonly #findTier: FindTier;
  readonly #now: (() => number) | undefined;
  #deletedAtMs = performance.now();
  #opened = 0;
  #planAnewAt = OPENED_BEFORE_PLANS;

  constructor({ pool, calls, tiers, pageRate, mayOpenTabs, batchesBeforeTab, now }: PostgresMeteringParts) {
    this.#pool = pool;
    this.#calls = calls;
    this.#pipeline = new TransactionPipeline(pool);
    this.#tiers = tiers;
    this.#mayOpenTabs = mayOpenTabs;
    this.#tabs = new KnownTabs(batchesBeforeTab);
    this.#findTier = tierFinder(tiers, pageRate);
    this.#now = now;
  }

  async apply(requests: readonly ChargeRequest[], tellEarly?: TellEarly): Promise<readonly Decision[]> {
    if (tellEarly === undefined) return this.decide(requests);
    // Requests of one account keep their order only where it is known of each whose it is.
    const isInOrder = requests.length < 2 || (await this.#learnAccounts(requests));
    return isInOrder ? byWays(requests, tellEarly, this) : this.decide(requests);
  }

  /** Looks for the accounts of keys that are not known, on the connection of the batches, which waits for nobody. @returns whether it could */
  async #learnAccounts(requests: readonly ChargeRequest[]): Promise<boolean> {
    const unknown = this.#keyAccounts.unknownOf(requests.map(({ keyId }) => keyId));
    if (unknown.length === 0) return true;
    const [ended] = await Promise.allSettled([
      this.#calls.write(() =>
        this.#pipeline.run((client, onSent) => accountsOfKeys(client, unknown, onSent)),
      ),
    ]);
    if (ended.status === "rejected" || ended.value.kind !== "committed") return false;
    this.#keyAccounts.learn(ended.value.result);
    return true;
  }

  /** Whether the account of a request has an open tab, as far as is known. */
  hasTab({ keyId, isTest }: ChargeRequest): boolean {
    if (isTest === true) return false;
    const accountId = this.#keyAccounts.of(keyId);
    return accountId !== undefined && this.#tabs.isOpen(accountId);
  }

  /** The node's way: decides every request in its order, in one transaction. */
  async decide(requests: readonly ChargeRequest[]): Promise<readonly Decision[]> {
    if (requests.length === 0) return this.#calls.write(async () => []);
    const [findTier, keyAccounts, keptOfAll] = [this.#findTier, this.#keyAccounts, this.#keptOfAll];
    const groups = wholeGroups(requests, keyAccounts);
    const due = this.#dueForTabs(groups);
    const keysForTabs = due.map(({ keyId }) => keyId);
    const { decisions, tabs } = await this.#inTries((id) =>
      this.#pipeline.run((client, onSent) =>
        decideOn(
          client,
          { id, requests, findTier, keyAccounts, keptOfAll, keysForTabs, testNowMs: this.#now?.() },
          onSent,
        ),
      ),
    );
    this.#noteDecided(requests, groups);
    this.#learn(tabs, due);
    return decisions;
  }

  /**
   * The fast path: has the database grant what needs no more than a look, in one round trip.
   * @returns by index, the decision or `undefined` for a request that nothing was decided about or changed for
   */
  async grant(requests: readonly ChargeRequest[]): Promise<readonly (Decision | undefined)[]> {
    const groups = callGroups(requests, this.#keyAccounts).filter(
      ({ accountId }) => !this.#backoff.has(accountId),
    );
    const calls = groups.reduce((sum, group) => sum + group.calls.length, 0);
    // What is not granted costs a transaction more: that is lost where most requests must be decided one after the other.
    if (calls === 0 || calls < requests.length * LEAST_SHARE) return [];
    const due = this.#dueForTabs(groups);
    const keysForTabs = due.map(({ keyId }) => keyId);
    const { grants, tabs } = await this.#inTries((id) =>
      this.#pipeline.run((client, onSent) =>
        grantByFastPath(
          client,
          { id, groups, tiers: this.#tiers, keysForTabs, testNowMs: this.#now?.() },
          onSent,
        ),
      ),
    );
    for (const { accountId, keyId, calls } of groups) {
      if (calls.some(({ index }) => grants.has(index))) this.#tabs.granted(accountId, keyId);
      else this.#backoff.add(accountId);
    }
    this.#learn(tabs, due);
    return requests.map((_, index) => grants.get(index));
  }

  /**
   * The fastest path: charges calls to the open tabs of their accounts.
   * @returns as {@link grant}
   */
  async charge(requests: readonly ChargeRequest[]): Promise<readonly (Decision | undefined)[]> {
    const groups = callGroups(requests, this.#keyAccounts).filter(({ accountId, keyId }) =>
      this.#tabs.isOpen(accountId, keyId),
    );
    if (groups.length === 0) return [];
    const grants = await this.#inTries((id) =>
      this.#pipeline.run((client, onSent) =>
        chargeByTabs(client, { id, groups, tiers: this.#tiers, testNowMs: this.#now?.() }, onSent),
      ),
    );
    for (const { accountId, calls } of groups) {
      if (calls.some(({ index }) => grants.has(index))) this.#tabs.charged(accountId);
      else this.#tabs.closed(accountId);
    }
    return requests.map((_, index) => grants.get(index));
  }

  #dueForTabs(groups: readonly CallGroup[]): readonly CallGroup[] {
    if (!this.#mayOpenTabs()) return [];
    return groups.filter(({ accountId, keyId }) => this.#tabs.isDue(accountId, keyId));
  }

  /** Deciding closes tabs; what else than calls with one key is asked of an account puts off its next. */
  #noteDecided(requests: readonly ChargeRequest[], groups: readonly CallGroup[]): void {
    const whole = new Map(groups.map(({ accountId, keyId }) => [accountId, keyId]));
    const accountIds = new Set(liveOf(requests).map(({ keyId }) => this.#keyAccounts.of(keyId)));
    for (const accountId of accountIds) {
      if (accountId === undefined) continue;
      this.#tabs.closed(accountId);
      const keyId = whole.get(accountId);
      if (keyId === undefined) this.#tabs.interrupted(accountId);
      else this.#tabs.granted(accountId, keyId);
    }
  }

  /** @param due whose tabs were to be opened: a key that expires, as one of them, is granted calls and gets none */
  #learn(tabs: readonly OpenedTab[], due: readonly CallGroup[]): void {
    for (const { account_id: accountId, key_id: keyId } of tabs) this.#tabs.opened(accountId, keyId);
    this.#opened += tabs.length;
    if (this.#opened >= this.#planAnewAt) {
      this.#planAnewAt = this.#opened * TIMES_AS_MANY;
      this.#pipeline.planAnew();
    }
    for (const { accountId } of due) this.#tabs.notOpened(accountId);
  }

  findKeys(hashes: readonly string[]): Promise<readonly (FoundKey | null)[]> {
    return this.#calls.read(async () => {
      const { rows } = await this.#pool.query<KeyOfHash>(findKeys(hashes));
      this.#keyAccounts.learn(rows);
      const keys = new Map(rows.map(({ hash, id, kind }) => [hash, { id, kind }]));
      return hashes.map((hash) => keys.get(hash) ?? null);
    });
  }

  /** Gives the connection of the batches back, when nothing runs on it any more. */
  close(): Promise<void> {
    return this.#pipeline.close();
  }

  /** Runs a batch until it is committed; one that collided or lost its connection is tried again from the beginning. */
  async #inTries<Result>(run: (id: string) => Promise<TransactionEnd<Result>>): Promise<Result> {
    const lastTryMs = performance.now() + TRY_WITHIN_MS;
    for (let attempt = 1; ; attempt++) {
      const id = randomUUID();
      const ended = await this.#calls.write(() => run(id));
      if (ended.kind === "committed") {
        this.#deleteLapsed();
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

  /** Deletes what is kept no longer, apart from any batch; another process may do so at the same time. */
  #deleteLapsed(): void {
    if (performance.now() - this.#deletedAtMs < DELETE_LAPSED_EVERY_MS) return;
    this.#deletedAtMs = performance.now();
    // What could not be deleted now is deleted the next time.
    for (const statement of retentionStatements(KEEP_LAPSED_MS, this.#now?.()))
      this.#inSteps(statement).catch(() => {});
    this.#deleteSessions().catch(() => {});
  }

  async #deleteSessions(): Promise<void> {
    const nowMs = this.#now?.();
    await this.#pool.query(takeBackSessions(nowMs));
    await this.#inSteps(deleteSessions(KEEP_SESSIONS_MS, nowMs));
  }

  /** So that no statement holds many rows. */
  async #inSteps(statement: Omit<PreparedStatement, "name">): Promise<void> {
    let deleted = ROWS_IN_A_STEP;
    while (deleted >= ROWS_IN_A_STEP) deleted = (await this.#pool.query(statement)).rowCount ?? 0;
  }
}
