import type { LedgerOperation } from "../contract/prices.ts";
import { RefusalMemory } from "./refusals.ts";
import type { Balance, ChargeRequest, Decision, MeteringStore, RefusalCount } from "./store.ts";

/** Too many callers wait, for the store unless said otherwise: nothing was charged. */
export class MeterOverloaded extends Error {
  constructor(message = "too many calls wait for the state store") {
    super(message);
    this.name = "MeterOverloaded";
  }
}

interface Waiting extends PromiseWithResolvers<Decision> {
  readonly request: ChargeRequest;
}

export interface MeterOptions {
  /** Requests that may wait at once, those at the store among them; beyond it a call is refused instead of queued. */
  readonly mostWaiting?: number;
  /**
   * Batches that may be at the store at once. One is right for a store whose transactions wait for each other's locks; a store that gathers
   * itself what waits takes those of many turns of the event loop.
   */
  readonly batchesAtOnce?: number;
  /** While a batch is running, another one starts only with this many requests. */
  readonly minBatchSize?: number;
  readonly now?: () => number;
  /**
   * Called when the store took a window or month back that was begun by a clock that was wrong: with the first, and once an hour
   * at most, as every key may have one.
   */
  readonly onTookBack?: (aheadMs: number) => void;
  /** Called with each request as it is asked, before it joins a batch. */
  readonly onAsked?: (request: ChargeRequest) => void;
  /** Called with each request of a caller. */
  readonly onCaller?: () => void;
  /** Called when a batch was decided or has failed: how many requests it had, and how long the store took. */
  readonly onBatch?: (requests: number, tookMs: number) => void;
}

const MAX_IN_A_BATCH = 512;
const DEFAULTS = { mostWaiting: 10_000, batchesAtOnce: 1, minBatchSize: 20, now: () => Date.now() };
/** Four whole batches. */
const BUSY_FROM = 2_048;
const WRITE_REFUSALS_EVERY_MS = 1_000;
const TELL_TAKEN_BACK_EVERY_MS = 3_600_000;

/**
 * Puts requests to the store in batches, at most one for each turn of the event loop: while the store has as many as it takes at once, the
 * next gathers, so that a disk sync is shared by all who wait for it. An answer is given only after its batch is
 * durable.
 */
export class Meter {
  readonly #store: MeteringStore;
  readonly #options: MeterOptions & Required<Pick<MeterOptions, keyof typeof DEFAULTS>>;
  readonly #refusals: RefusalMemory;
  /** The same of refusals that others decide. */
  readonly #counted: RefusalMemory;
  readonly #refusalTimer: NodeJS.Timeout;
  #reportedSkewMs = Number.NEGATIVE_INFINITY;
  #waiting: Waiting[] = [];
  /** Those that wait, and those that the store has. */
  readonly #undecided = new Set<Waiting>();
  #batchesUnderWay = 0;
  #isScheduled = false;

  constructor(store: MeteringStore, options: MeterOptions = {}) {
    this.#store = store;
    this.#options = { ...DEFAULTS, ...options };
    this.#refusals = new RefusalMemory(this.#options.now);
    this.#counted = new RefusalMemory(this.#options.now);
    this.#refusalTimer = setInterval(() => this.#writeRefusals(), WRITE_REFUSALS_EVERY_MS).unref();
  }

  /**
   * What the store decided about one request.
   * @throws {MeterOverloaded} when too many wait; else whatever the store failed with: nothing was charged
   */
  decide(request: ChargeRequest): Promise<Decision> {
    this.#options.onCaller?.();
    return this.decideUnawaited(request);
  }

  /** The same for what no caller waits for. */
  decideUnawaited(request: ChargeRequest): Promise<Decision> {
    if (this.waitingRequests >= this.#options.mostWaiting) return Promise.reject(new MeterOverloaded());
    return this.#enqueue(request);
  }

  #enqueue(request: ChargeRequest): Promise<Decision> {
    this.#options.onAsked?.(request);
    const waiting = { request, ...Promise.withResolvers<Decision>() };
    this.#undecided.add(waiting);
    this.#waiting.push(waiting);
    this.#schedule();
    return waiting.promise;
  }

  /** Writes after the I/O of this turn of the event loop: all who came with it share a batch. */
  #schedule(): void {
    const { batchesAtOnce, minBatchSize } = this.#options;
    const isWorth = this.#batchesUnderWay === 0 || this.#waiting.length >= minBatchSize;
    if (this.#isScheduled || this.#batchesUnderWay >= batchesAtOnce || !isWorth) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#write();
    });
  }

  /** How many requests wait for the store, those that it has among them. */
  get waitingRequests(): number {
    return this.#undecided.size;
  }

  /** Whether so many requests wait for the store that what is not needed must not add to them. */
  get isBusy(): boolean {
    return this.waitingRequests >= BUSY_FROM;
  }

  /**
   * A refusal for the rate that is known without asking the store: the key was over its window a moment ago and the
   * window has not ended. Counts the refusal.
   */
  refusedFromMemory(keyId: string, operation: LedgerOperation): Balance | undefined {
    return this.#refusals.refuse(keyId, operation);
  }

  /**
   * Counts a call that was refused before the store was asked, and tells its balance, a second old at most: a flood of them costs the
   * store a question a second.
   */
  async countRefusal(refused: Omit<RefusalCount, "kind" | "count">): Promise<Decision> {
    const known = this.#counted.refuse(refused.keyId, refused.operation);
    if (known !== undefined) return { outcome: "granted", charged: 0, balance: known };
    const decision = await this.decide({ kind: "refusals", ...refused, count: 1 });
    if (decision.outcome === "granted") this.#counted.remember(refused, decision.balance);
    return decision;
  }

  /** Has every request decided that waits, and writes what is still counted in memory. */
  async close(): Promise<void> {
    clearInterval(this.#refusalTimer);
    // A count on its way may come back: it is written with the last ones.
    while (this.#undecided.size > 0) {
      await Promise.allSettled([...this.#undecided].map(({ promise }) => promise));
    }
    const counts = [...this.#refusals.take(), ...this.#counted.take()];
    await Promise.allSettled(counts.map((request) => this.#enqueue(request)));
  }

  #writeRefusals(): void {
    for (const memory of [this.#refusals, this.#counted]) {
      for (const request of memory.take()) {
        // A count that could not be written is kept for the next second; nobody waits for it.
        this.decideUnawaited(request).catch(() => memory.count(request));
      }
    }
  }

  #write(): void {
    if (this.#batchesUnderWay >= this.#options.batchesAtOnce) return;
    const batch = this.#waiting.slice(0, MAX_IN_A_BATCH);
    if (batch.length === 0) return;
    this.#waiting = this.#waiting.slice(batch.length);
    this.#batchesUnderWay += 1;
    const beganMs = performance.now();
    this.#decideBatch(batch).finally(() => {
      this.#batchesUnderWay -= 1;
      this.#options.onBatch?.(batch.length, performance.now() - beganMs);
      this.#write();
    });
    if (this.#waiting.length > 0) this.#schedule();
  }

  /** Resolves every caller of a batch. A request whose account is held does not keep the batch open. */
  async #decideBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const decisions = await this.#store.apply(batch.map(({ request }) => request));
      batch.forEach((waiting, index) => {
        const decision = decisions[index];
        if (decision === undefined)
          this.#reject(waiting, new Error("the state store left a request undecided"));
        else if ("outcome" in decision) this.#resolve(waiting, decision);
        else
          decision.then(
            (late) => this.#resolve(waiting, late),
            (error: unknown) => this.#reject(waiting, error),
          );
      });
    } catch (error) {
      for (const waiting of batch) this.#reject(waiting, error);
    }
  }

  #resolve(waiting: Waiting, decision: Decision): void {
    this.#undecided.delete(waiting);
    if ("balance" in decision) this.#reportTakenBack(decision.balance);
    if (decision.outcome === "rate") this.#refusals.remember(waiting.request, decision.balance);
    waiting.resolve(decision);
  }

  #reject(waiting: Waiting, error: unknown): void {
    this.#undecided.delete(waiting);
    waiting.reject(error);
  }

  #reportTakenBack({ clockSkewMs }: Balance): void {
    if (clockSkewMs === undefined) return;
    const nowMs = performance.now();
    if (nowMs - this.#reportedSkewMs < TELL_TAKEN_BACK_EVERY_MS) return;
    this.#reportedSkewMs = nowMs;
    this.#options.onTookBack?.(clockSkewMs);
  }
}
