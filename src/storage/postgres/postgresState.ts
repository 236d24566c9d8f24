import type { Pool } from "pg";
import type { TierTable } from "../../contract/tiers.ts";
import { withTimeout } from "../../lib/deadline.ts";
import { accountQueries } from "../queries/accounts.ts";
import { liveQueries } from "../queries/live.ts";
import { callPeople, onlyReads, peopleQueries, peopleStoreOf } from "../queries/people.ts";
import { suppressionQueries } from "../queries/suppressed.ts";
import { verdictQueries } from "../queries/verdicts.ts";
import { StateRefused, type StateStore } from "../stateStore.ts";
import { DatabaseCalls } from "./calls.ts";
import { databaseTime } from "./commitOutcome.ts";
import { kyselyOver, openPool } from "./connect.ts";
import { reasonOf } from "./failures.ts";
import { PostgresMetering } from "./metering.ts";
import { bringUpToDate } from "./upgrade.ts";

/** Connections of one process at most: batches, the rarer calls, and one to learn of a cut commit. */
const MOST_CONNECTIONS = 8;
/**
 * Batches of one process at the database: one, and the next whose first statements follow it. A batch costs both sides more
 * than the asks in it, most of all when they are of one account, so it takes many to be worth one.
 */
export const POSTGRES_BATCHES = { batchesAtOnce: 2, worthABatch: 32 } as const;
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
export async function openPostgresState({ url, tiers, now }: PostgresStateOptions): Promise<PostgresState> {
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

export class PostgresState implements StateStore {
  readonly #pool: Pool;
  readonly #calls = new DatabaseCalls();
  readonly metering: PostgresMetering;
  readonly #cold: ReturnType<typeof accountQueries>;
  readonly #verdicts: ReturnType<typeof verdictQueries>;
  readonly #live: ReturnType<typeof liveQueries>;
  readonly #forgetting: ReturnType<typeof suppressionQueries>;
  readonly people: StateStore["people"];
  #closing: Promise<void> | undefined;

  constructor(pool: Pool, tiers: TierTable, now: (() => number) | undefined) {
    const db = kyselyOver(pool);
    this.#pool = pool;
    this.metering = new PostgresMetering({ pool, calls: this.#calls, tiers, now });
    const clock = now ?? (() => databaseTime(pool));
    this.#cold = accountQueries(db, clock);
    this.#verdicts = verdictQueries(db);
    this.#live = liveQueries(db);
    this.#forgetting = suppressionQueries(db);
    const people = peopleQueries(db, clock);
    this.people = peopleStoreOf((method, parameters) => {
      const work = () => callPeople(people, method, parameters);
      return onlyReads(method) ? this.#calls.read(work) : this.#calls.write(work);
    });
  }

  apply: StateStore["apply"] = (asks, tellEarly) => this.metering.apply(asks, tellEarly);
  findKeyIds: StateStore["findKeyIds"] = (hashes) => this.metering.findKeyIds(hashes);

  probe(): Promise<void> {
    return this.#calls.write(async () => {
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
    this.#calls.close();
    // A server that does not answer is not waited for: nothing is under way any more that it could lose.
    this.#closing ??= withTimeout(
      CLOSE_WITHIN_MS,
      this.metering.close().then(() => this.#pool.end()),
    );
    return this.#closing;
  }

  addAccount: StateStore["addAccount"] = (account) => this.#calls.write(() => this.#cold.addAccount(account));
  account: StateStore["account"] = (id) => this.#calls.read(() => this.#cold.account(id));
  accounts: StateStore["accounts"] = () => this.#calls.read(() => this.#cold.accounts());
  accountsByTier: StateStore["accountsByTier"] = () => this.#calls.read(() => this.#cold.accountsByTier());
  setTier: StateStore["setTier"] = (id, tierName) =>
    this.#calls.write(() => this.#cold.setTier(id, tierName));
  setSuspended: StateStore["setSuspended"] = (id, isSuspended, at) =>
    this.#calls.write(() => this.#cold.setSuspended(id, isSuspended, at));
  addKey: StateStore["addKey"] = (key, mostLiveKeys, daily) =>
    this.#calls.write(() => this.#cold.addKey(key, mostLiveKeys, daily));
  revokeKey: StateStore["revokeKey"] = (id, revokedAt) =>
    this.#calls.write(() => this.#cold.revokeKey(id, revokedAt));
  ledger: StateStore["ledger"] = (accountId, fromDay, toDay) =>
    this.#calls.read(() => this.#cold.ledger(accountId, fromDay, toDay));
  spent: StateStore["spent"] = (accountId) => this.#calls.read(() => this.#cold.spent(accountId));
  aheadOfClock: StateStore["aheadOfClock"] = () => this.#calls.read(() => this.#cold.aheadOfClock());
  heldVerdicts: StateStore["heldVerdicts"] = (vatNumbers) =>
    this.#calls.read(() => this.#verdicts.heldVerdicts(vatNumbers));
  keepVerdict: StateStore["keepVerdict"] = (vatNumber, answer) =>
    this.#calls.write(() => this.#verdicts.keepVerdict(vatNumber, answer));
  keepConsultation: StateStore["keepConsultation"] = (consultation) =>
    this.#calls.write(() => this.#verdicts.keepConsultation(consultation));
  consultation: StateStore["consultation"] = (accountId, vatNumber, requester) =>
    this.#calls.read(() => this.#verdicts.consultation(accountId, vatNumber, requester));
  forgetVerdicts: StateStore["forgetVerdicts"] = (beforeMs) =>
    this.#calls.write(() => this.#verdicts.forgetVerdicts(beforeMs));
  heldCompanies: StateStore["heldCompanies"] = (kvkNumbers) =>
    this.#calls.read(() => this.#live.heldCompanies(kvkNumbers));
  keepCompany: StateStore["keepCompany"] = (kvkNumber, facts, toldAtMs) =>
    this.#calls.write(() => this.#live.keepCompany(kvkNumber, facts, toldAtMs));
  keepBranches: StateStore["keepBranches"] = (kvkNumber, toldAtMs, told) =>
    this.#calls.write(() => this.#live.keepBranches(kvkNumber, toldAtMs, told));
  mostTold: StateStore["mostTold"] = (most) => this.#calls.read(() => this.#live.mostTold(most));
  toldSince: StateStore["toldSince"] = (sinceMs, after, most) =>
    this.#calls.read(() => this.#live.toldSince(sinceMs, after, most));
  heldSearch: StateStore["heldSearch"] = (criteria) =>
    this.#calls.read(() => this.#live.heldSearch(criteria));
  keepSearch: StateStore["keepSearch"] = (criteria, search) =>
    this.#calls.write(() => this.#live.keepSearch(criteria, search));
  spendCall: StateStore["spendCall"] = (day, most, share) =>
    this.#calls.write(() => this.#live.spendCall(day, most, share));
  refundCall: StateStore["refundCall"] = (day, isOfShare) =>
    this.#calls.write(() => this.#live.refundCall(day, isOfShare));
  spentCalls: StateStore["spentCalls"] = (day) => this.#calls.read(() => this.#live.spentCalls(day));
  hasAccountBeyond: StateStore["hasAccountBeyond"] = (tierNames) =>
    this.#calls.read(() => this.#live.hasAccountBeyond(tierNames));
  holdPlaces: StateStore["holdPlaces"] = (held) => this.#calls.write(() => this.#live.holdPlaces(held));
  clearLive: StateStore["clearLive"] = (tooOld) => this.#calls.write(() => this.#live.clearLive(tooOld));
  forgotten: StateStore["forgotten"] = () => this.#calls.read(() => this.#forgetting.forgotten());
  forgottenMark: StateStore["forgottenMark"] = () => this.#calls.read(() => this.#forgetting.forgottenMark());
  forget: StateStore["forget"] = (company) => this.#calls.write(() => this.#forgetting.forget(company));
  undoForget: StateStore["undoForget"] = (kvkNumber) =>
    this.#calls.write(() => this.#forgetting.undoForget(kvkNumber));
}
