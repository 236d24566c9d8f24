import { JOB_OPERATIONS, type JobKind, type PauseReason, priceOfItem } from "../contract/jobs.ts";
import { LeasedLoop, type LeasedLoopOptions } from "../lib/leasedLoop.ts";
import type { JobChunk } from "../metering/jobChunk.ts";
import type { Meter } from "../metering/meter.ts";
import { isPayable, LIST_KINDS } from "./kinds.ts";
import type { ItemResult, ListServices } from "./listWork.ts";
import type { Pace } from "./pace.ts";
import type { JobQueries } from "./queries/jobs.ts";
import { storedResults } from "./results.ts";
import type { NextItems, StoredList } from "./stored.ts";
import type { SuppressionMark } from "./suppressionMark.ts";

/** Items charged and stored together. */
const CHUNK = 100;
/** How long a list is processed before the list of another account. */
const TURN_MS = 3_000;
/** A chunk is stored after this time, even if it is not full. */
const CHUNK_WITHIN_MS = 5_000;
/** How long a claim lasts. The worker extends it; after a crash another process claims the list. */
const LEASE_MS = 15_000;
/** Longer than any chunk takes, including waits for an upstream. */
const RESERVED_FOR_MS = 90_000;
/** How long a list waits when its account is suspended or has no tokens left. */
const RETRY_PAUSED_MS = 60_000;
/** Pauses before an item is retried after an outage. After the last retry it is reported as failed. */
const TRY_AGAIN_AFTER_MS = [60_000, 600_000, 3_600_000, 14_400_000, 43_200_000, 43_200_000];

export interface ListWorkerParts extends Pick<LeasedLoopOptions, "pollEveryMs" | "onError"> {
  readonly store: JobQueries;
  readonly meter: Pick<Meter, "decide">;
  readonly services: ListServices;
  /** For the lists of test keys. */
  readonly testServices: ListServices;
  readonly pace: Pace;
  readonly mark: Pick<SuppressionMark, "known">;
  /** Called for each stored chunk of a live key; test keys spend no real tokens. */
  readonly onChunkStored?: (kind: JobKind, counts: { found: number; failed: number; tokens: number }) => void;
  readonly tryAgainAfterMs?: readonly number[];
  readonly retryPausedMs?: number;
}

/**
 * Processes lists, one chunk of items at a time. Every process has one. Each chunk is reserved, looked up, and stored
 * with its charge.
 */
export class ListWorker extends LeasedLoop<StoredList> {
  readonly #parts: ListWorkerParts;
  /** Time spent waiting for the state since the last pause. */
  #stateWaitMs = 0;

  constructor(parts: ListWorkerParts) {
    super({ ...parts, renewEveryMs: LEASE_MS / 3 });
    this.#parts = parts;
  }

  protected override claim(): Promise<StoredList | undefined> {
    return this.#parts.store.claimList(LEASE_MS);
  }

  protected override renew({ id, claim }: StoredList): Promise<boolean> {
    return this.#parts.store.extendClaim(id, claim, LEASE_MS);
  }

  protected override async run(list: StoredList): Promise<void> {
    await this.#releaseEarlier(list);
    await this.#runTurn(list);
  }

  async #runTurn(claimed: StoredList): Promise<void> {
    const { store } = this.#parts;
    const { id, claim } = claimed;
    const endMs = performance.now() + TURN_MS;
    let list = claimed;
    while (performance.now() < endMs && !this.ending.aborted) {
      if (!(await this.#timed(store.extendClaim(id, claim, LEASE_MS)))) return;
      const next = await this.#timed(store.nextItems(id, CHUNK));
      if (next === undefined) return void (await store.completeList(id, claim));
      if ("dueInMs" in next)
        return store.releaseList(id, claim, { claimableAfterMs: Math.max(1_000, next.dueInMs) });
      const charged = await this.#workChunk(list, next);
      if (charged === "lost") return;
      if (typeof charged === "string") return this.#pause(list, charged);
      list = { ...list, step: list.step + 1, charged: list.charged + charged };
    }
    await store.releaseList(id, claim, {});
  }

  #pause({ id, claim }: StoredList, reason: PauseReason): Promise<void> {
    const { store, retryPausedMs = RETRY_PAUSED_MS } = this.#parts;
    const resumesByItself = reason === "allowance" || reason === "account";
    return store.releaseList(id, claim, {
      reason,
      ...(resumesByItself && { claimableAfterMs: retryPausedMs }),
    });
  }

  /** Releases the tokens that a killed worker left reserved. */
  async #releaseEarlier({ id, keyId, isTest, step, claim }: StoredList): Promise<void> {
    if (claim < 2) return;
    const reservationId = reservationOf(id, step, claim - 1);
    await this.#parts.meter.decide({ kind: "settle", keyId, isTest, reservationId, charge: 0 });
  }

  /** @returns the tokens charged for the chunk, or the reason why the list stops */
  async #workChunk(list: StoredList, next: NextItems): Promise<number | "lost" | PauseReason> {
    const { meter } = this.#parts;
    const { keyId, isTest, kind, step, claim } = list;
    const operation = JOB_OPERATIONS[kind];
    // A count of 0 only reads the balance.
    const current = await this.#timed(meter.decide({ kind: "refusals", keyId, isTest, operation, count: 0 }));
    if (!("balance" in current)) return "key";
    const { tokensRemaining, tierName } = current.balance;
    const items = affordable(list, next.items, tokensRemaining);
    if (typeof items === "string") return items;
    const price = priceOfItem(kind) * items.filter((item) => isPayable(kind, item)).length;
    const reservationId = reservationOf(list.id, step, claim);
    const terms = { lifetimeMs: RESERVED_FOR_MS, isCounted: true, skipIpCheck: true };
    const reserved = await this.#timed(
      meter.decide({ kind: "reserve", keyId, isTest, operation, price, reservationId, ...terms }),
    );
    if (reserved.outcome !== "granted") return REASONS[reserved.outcome] ?? "allowance";
    const { chunk, charge } = await this.#lookUp(list, next, items, tierName).catch(
      async (error: unknown) => {
        await meter.decide({ kind: "settle", keyId, isTest, reservationId, charge: 0 });
        throw error;
      },
    );
    const settled = await this.#timed(
      meter.decide({ kind: "settle", keyId, isTest, reservationId, charge, chunk }),
    );
    if (settled.outcome !== "granted") return "lost";
    const { found, failed } = chunk;
    if (isTest !== true) this.#parts.onChunkStored?.(kind, { found, failed, tokens: settled.charged });
    await this.#parts.pace.pauseAfter(this.#stateWaitMs, this.ending);
    this.#stateWaitMs = 0;
    return settled.charged;
  }

  async #timed<T>(pending: Promise<T>): Promise<T> {
    const begunMs = performance.now();
    try {
      return await pending;
    } finally {
      this.#stateWaitMs += performance.now() - begunMs;
    }
  }

  /**
   * Processes items, a few at a time, until all are done or the results are due to be stored.
   * @returns the chunk to store and its price
   */
  async #lookUp(
    { id, kind, accountId, keyId, isTest, step, claim }: StoredList,
    { block, attempt, taken: takenBefore }: NextItems,
    items: readonly string[],
    tierName: string,
  ): Promise<{ readonly chunk: JobChunk; readonly charge: number }> {
    const { pace, tryAgainAfterMs = TRY_AGAIN_AFTER_MS } = this.#parts;
    const services = isTest === true ? this.#parts.testServices : this.#parts.services;
    const owner = { accountId, keyId, isTest, tierName };
    const retryAfterMs = tryAgainAfterMs[attempt];
    // The mark from before the lookups: a suppression during them makes the results stale.
    const mark = this.#parts.mark.known();
    const finished: ItemResult[] = [];
    const toRetry: string[] = [];
    const endMs = performance.now() + CHUNK_WITHIN_MS;
    const { concurrency, work } = LIST_KINDS[kind];
    let processed = 0;
    while (processed < items.length) {
      const begunMs = performance.now();
      const pending = work(items.slice(processed, processed + concurrency), owner, services);
      // Only the synchronous part: waiting does not load the event loop.
      const workedMs = performance.now() - begunMs;
      for (const [index, result] of (await pending).entries()) {
        if (result.isOutage && retryAfterMs !== undefined) toRetry.push(items[processed + index] ?? "");
        else finished.push(result);
      }
      processed += concurrency;
      if (performance.now() > endMs || this.ending.aborted) break;
      await pace.pauseAfter(workedMs, this.ending);
    }
    const results = finished.map(({ line }) => line);
    const found = results.filter((line) => "result" in line).length;
    const chunk = {
      jobId: id,
      step,
      claim,
      block,
      taken: takenBefore + Math.min(processed, items.length),
      found,
      failed: results.length - found,
      ...storedResults(kind, results, mark),
      ...(toRetry.length > 0 && {
        toRetry: {
          numbers: JSON.stringify(toRetry),
          size: toRetry.length,
          attempt: attempt + 1,
          retryAfterMs: retryAfterMs ?? 0,
        },
      }),
      leaseMs: LEASE_MS,
    };
    return { chunk, charge: finished.reduce((sum, result) => sum + result.charge, 0) };
  }
}

const REASONS: Readonly<Record<string, PauseReason>> = {
  quota: "allowance",
  suspended: "account",
  revoked: "key",
  expired: "key",
};

/** Names a worker's reservation for a step, so that the next worker can release it. */
function reservationOf(listId: string, step: number, claim: number): string {
  return `${listId} ${step} ${claim}`;
}

/**
 * Returns the items that both `maxTokens` and the account's tokens cover. If they do not cover the first item,
 * it returns the limit that stopped the list.
 */
function affordable(
  { kind, charged, maxTokens }: Pick<StoredList, "kind" | "charged" | "maxTokens">,
  items: readonly string[],
  tokensRemaining: number,
): readonly string[] | "cap" | "allowance" {
  const price = priceOfItem(kind);
  if (price === 0) return items;
  const belowCap = maxTokens === undefined ? Number.POSITIVE_INFINITY : maxTokens - charged;
  const maxPayable = Math.floor(Math.min(belowCap, tokensRemaining) / price);
  let payable = 0;
  let covered = 0;
  for (const item of items) {
    if (isPayable(kind, item)) payable += 1;
    if (payable > maxPayable) break;
    covered += 1;
  }
  if (covered > 0) return items.slice(0, covered);
  return belowCap < price ? "cap" : "allowance";
}
