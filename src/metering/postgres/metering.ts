import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { CompiledQuery, type Kysely } from "kysely";
import type { Pool } from "pg";
import { isCommitted } from "../../database/postgres/commitOutcome.ts";
import { asStoreError, endsConnection, isCollision } from "../../database/postgres/failures.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { type LockedRows, query } from "../../database/sql.ts";
import { StoreUnavailable } from "../../lib/storeErrors.ts";
import { type ChargeTerms, type DecidedBatch, decideBatch, StoredBytes } from "../batch/decideBatch.ts";
import { KEYS_BY_HASH } from "../batch/reads.ts";
import type { ChargeRequest, Decision, FoundKey, MeteringStore } from "../store.ts";
import { runBatch } from "./batchTransaction.ts";
import { BusyAccounts } from "./busyAccounts.ts";
import { type Outcome, SideBySide } from "./sideBySide.ts";

/** How long and how often a batch is retried after a conflict or a lost connection. */
const TRY_WITHIN_MS = 1_500;
const MAX_TRIES = 4;
const MAX_PAUSE_MS = 20;

interface PostgresMeteringParts {
  /** For batches only. */
  readonly batches: Pool;
  /** For everything else. */
  readonly pool: Pool;
  readonly db: Kysely<Tables>;
  readonly terms: ChargeTerms;
  readonly isClosed: () => boolean;
  /** Tests only: the time instead of the database's clock. */
  readonly now: (() => number) | undefined;
}

/**
 * Metering on PostgreSQL: a batch is one transaction that locks its keys and accounts. Batches of one process run side
 * by side if they have no common account. Requests of an account that another session has locked leave the batch and
 * wait in their own batch.
 */
export class PostgresMetering implements MeteringStore {
  readonly #parts: PostgresMeteringParts;
  readonly #storedBytes = new StoredBytes();
  readonly #busyAccounts: BusyAccounts;
  readonly #sideBySide = new SideBySide((requests) => this.#decide(requests, "skip"));

  constructor(parts: PostgresMeteringParts) {
    this.#parts = parts;
    this.#busyAccounts = new BusyAccounts((requests) => this.#decide(requests, "wait"));
  }

  async apply(requests: readonly ChargeRequest[]): Promise<readonly (Decision | Promise<Decision>)[]> {
    if (this.#parts.isClosed()) throw new StoreUnavailable("it is closed");
    const outcomes = await this.#sideBySide.decide(requests);
    const decisionOf = (outcome: Outcome, request: ChargeRequest) =>
      "lockedAccount" in outcome ? this.#busyAccounts.decide(outcome.lockedAccount, request) : outcome;
    return requests.map((request, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined) throw new RangeError("a request was not decided");
      if (!(outcome instanceof Promise)) return decisionOf(outcome, request);
      const decision = outcome.then((late) => decisionOf(late, request));
      // The caller may attach its handlers later.
      decision.catch(() => {});
      return decision;
    });
  }

  /** Resolves when the accepted batches have been decided. Never rejects. */
  async idle(): Promise<void> {
    await this.#sideBySide.idle();
  }

  async findKeys(hashes: readonly string[]): Promise<readonly (FoundKey | null)[]> {
    const { statement, values } = query(KEYS_BY_HASH, hashes);
    const { rows } = await this.#parts.db.executeQuery<NonNullable<typeof statement.row>>(
      CompiledQuery.raw(statement.postgres, [...values]),
    );
    for (const { id, account_id } of rows) this.#sideBySide.learnAccount(id, account_id);
    const keys = new Map(rows.map(({ hash, id, kind }) => [hash, { id, kind }]));
    return hashes.map((hash) => keys.get(hash) ?? null);
  }

  /** Runs a batch until it is committed. After a conflict or a lost connection it is retried from the beginning. */
  async #decide(
    requests: readonly ChargeRequest[],
    lockedRows: LockedRows,
  ): Promise<DecidedBatch["outcomes"]> {
    if (requests.length === 0) return [];
    const lastTryMs = performance.now() + TRY_WITHIN_MS;
    for (let attempt = 1; ; attempt++) {
      const id = randomUUID();
      const { end, outcomes } = await this.#try(id, requests, lockedRows);
      if (end.kind === "committed") return outcomes;
      if (end.kind === "unknown" && (await isCommitted(this.#parts.pool, id))) return outcomes;
      // Nothing was changed.
      const mayRetry = attempt < MAX_TRIES && performance.now() < lastTryMs;
      if (!mayRetry || !(isCollision(end.error) || endsConnection(end.error))) throw asStoreError(end.error);
      await wait(Math.random() * MAX_PAUSE_MS);
    }
  }

  /** Runs a batch once, in one transaction. */
  async #try(
    id: string,
    requests: readonly ChargeRequest[],
    lockedRows: LockedRows,
  ): ReturnType<typeof runBatch> {
    const { batches, now } = this.#parts;
    const client = await batches.connect().catch((error: unknown) => {
      throw asStoreError(error);
    });
    const terms = { ...this.#parts.terms, lockedRows, storedBytes: this.#storedBytes };
    const ended = await runBatch(client, id, (transaction) => decideBatch(transaction, requests, terms), now);
    const { end } = ended;
    client.release(end.kind === "unknown" || (end.kind === "failed" && endsConnection(end.error)));
    return ended;
  }
}
