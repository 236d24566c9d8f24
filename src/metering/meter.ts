import type { LedgerOperation } from "../contract/prices.ts";
import { RefusalMemory } from "./refusals.ts";
import type { Balance, ChargeRequest, Decision, MeteringStore, RefusalCount } from "./store.ts";

/** Groups charge requests into batches: group commit, see docs/decisions/0002-group-commit.md. */

/** Too many callers are waiting for the store. Nothing was charged. */
export class MeterOverloaded extends Error {
  constructor(message = "too many calls are waiting for the state store") {
    super(message);
    this.name = "MeterOverloaded";
  }
}

interface Waiting extends PromiseWithResolvers<Decision> {
  readonly request: ChargeRequest;
}

export interface MeterOptions {
  /** Requests that may wait at once, including those at the store. Further calls are refused. */
  readonly maxWaiting?: number;
  /** Batches that may be at the store at once. */
  readonly batchesAtOnce?: number;
  /** While a batch is running, another one starts only with this many requests. */
  readonly minBatchSize?: number;
  /** Whether that also holds when a batch has ended and others are running. Otherwise the next one starts at once. */
  readonly fillsBatches?: boolean;
  readonly now?: () => number;
  /**
   * Called when the store corrected a window or month that a wrong clock had begun; at most once an hour, because every
   * key may have one.
   */
  readonly onClockCorrected?: (aheadMs: number) => void;
  /** Called with each request before it joins a batch. */
  readonly onCallerRequest?: (request: ChargeRequest) => void;
  /** Called with each request of a caller. */
  readonly onCaller?: () => void;
  /** Called when a batch was decided or failed, with its size and the time that the store took. */
  readonly onBatch?: (requests: number, tookMs: number) => void;
}

const MAX_BATCH_SIZE = 512;
const DEFAULTS = { maxWaiting: 10_000, batchesAtOnce: 1, minBatchSize: 20, now: () => Date.now() };
/** Four full batches. */
const MIN_BUSY_REQUESTS = 2_048;
const WRITE_REFUSALS_EVERY_MS = 1_000;
const REPORT_CLOCK_EVERY_MS = 3_600_000;

/**
 * Sends requests to the store in batches, at most one per turn of the event loop. While the store is at its limit the
 * next batch fills, so many callers share one disk sync. A decision is returned only after its batch is durable.
 */
export class Meter {
  readonly #store: MeteringStore;
  readonly #options: MeterOptions & Required<Pick<MeterOptions, keyof typeof DEFAULTS>>;
  /** Keys that the store refused over their rate. */
  readonly #refusals: RefusalMemory;
  /** Clients that the process refused before it asked the store. */
  readonly #externalRefusals: RefusalMemory;
  readonly #refusalTimer: NodeJS.Timeout;
  #reportedSkewMs = Number.NEGATIVE_INFINITY;
  #waiting: Waiting[] = [];
  /** Those, and the requests that are at the store. */
  readonly #undecided = new Set<Waiting>();
  #batchesUnderWay = 0;
  #isScheduled = false;

  constructor(store: MeteringStore, options: MeterOptions = {}) {
    this.#store = store;
    this.#options = { ...DEFAULTS, ...options };
    this.#refusals = new RefusalMemory(this.#options.now);
    this.#externalRefusals = new RefusalMemory(this.#options.now);
    this.#refusalTimer = setInterval(() => this.#writeRefusals(), WRITE_REFUSALS_EVERY_MS).unref();
  }

  /**
   * Returns the store's decision about one request.
   * @throws {MeterOverloaded} (the promise) if too many wait, or the store's error. Nothing was charged.
   */
  decide(request: ChargeRequest): Promise<Decision> {
    this.#options.onCaller?.();
    return this.decideUnawaited(request);
  }

  /** Decides a request that no caller waits for. */
  decideUnawaited(request: ChargeRequest): Promise<Decision> {
    if (this.waitingRequests >= this.#options.maxWaiting) return Promise.reject(new MeterOverloaded());
    return this.#enqueue(request);
  }

  #enqueue(request: ChargeRequest): Promise<Decision> {
    this.#options.onCallerRequest?.(request);
    const waiting = { request, ...Promise.withResolvers<Decision>() };
    this.#undecided.add(waiting);
    this.#waiting.push(waiting);
    this.#schedule();
    return waiting.promise;
  }

  /** Writes after the I/O of this turn of the event loop, so that all requests of the turn share a batch. */
  #schedule(): void {
    const { batchesAtOnce, minBatchSize } = this.#options;
    const isWorthwhile = this.#batchesUnderWay === 0 || this.#waiting.length >= minBatchSize;
    if (this.#isScheduled || this.#batchesUnderWay >= batchesAtOnce || !isWorthwhile) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#write();
    });
  }

  /** Requests waiting for the store, including those at the store. */
  get waitingRequests(): number {
    return this.#undecided.size;
  }

  /** Whether so many requests are waiting that optional writes are postponed. */
  get isBusy(): boolean {
    return this.waitingRequests >= MIN_BUSY_REQUESTS;
  }

  /**
   * Refuses a call over the rate limit without asking the store, if the key was over its limit a moment ago and the
   * window has not ended. Counts the refusal and returns the balance.
   */
  refusedFromMemory(keyId: string, operation: LedgerOperation): Balance | undefined {
    return this.#refusals.refuse(keyId, operation);
  }

  /**
   * Counts a call that was refused before the store was asked, and returns a balance at most a second old, so that a
   * flood of refusals costs the store one request a second.
   */
  async countRefusal(call: Omit<RefusalCount, "kind" | "count">): Promise<Decision> {
    const balance = this.#externalRefusals.refuse(call.keyId, call.operation);
    if (balance !== undefined) return { outcome: "granted", charged: 0, balance };
    const decision = await this.decide({ kind: "refusals", ...call, count: 1 });
    if (decision.outcome === "granted") this.#externalRefusals.remember(call, decision.balance);
    return decision;
  }

  /** Waits for all decisions, then writes the refusals counted in memory. */
  async close(): Promise<void> {
    clearInterval(this.#refusalTimer);
    // A count that fails to be written comes back and is written with the last ones.
    while (this.#undecided.size > 0) {
      await Promise.allSettled([...this.#undecided].map(({ promise }) => promise));
    }
    const counts = [...this.#refusals.takeCounts(), ...this.#externalRefusals.takeCounts()];
    await Promise.allSettled(counts.map((request) => this.#enqueue(request)));
  }

  #writeRefusals(): void {
    for (const memory of [this.#refusals, this.#externalRefusals]) {
      for (const request of memory.takeCounts()) {
        // A count that could not be written is retried the next second.
        this.decideUnawaited(request).catch(() => memory.count(request));
      }
    }
  }

  #write(): void {
    if (this.#batchesUnderWay >= this.#options.batchesAtOnce) return;
    const batch = this.#waiting.slice(0, MAX_BATCH_SIZE);
    if (batch.length === 0) return;
    this.#waiting = this.#waiting.slice(batch.length);
    this.#batchesUnderWay += 1;
    const beganMs = performance.now();
    this.#decideBatch(batch).finally(() => {
      this.#batchesUnderWay -= 1;
      this.#options.onBatch?.(batch.length, performance.now() - beganMs);
      if (this.#options.fillsBatches === true) this.#schedule();
      else this.#write();
    });
    if (this.#waiting.length > 0) this.#schedule();
  }

  /** Resolves every request of a batch. A request whose account is locked elsewhere resolves later. */
  async #decideBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const decisions = await this.#store.apply(batch.map(({ request }) => request));
      for (const [index, waiting] of batch.entries()) {
        const decision = decisions[index];
        if (decision === undefined) {
          this.#reject(waiting, new Error("the state store did not decide a request"));
        } else if ("outcome" in decision) {
          this.#resolve(waiting, decision);
        } else {
          const onLate = (late: Decision) => this.#resolve(waiting, late);
          decision.then(onLate, (error: unknown) => this.#reject(waiting, error));
        }
      }
    } catch (error) {
      for (const waiting of batch) this.#reject(waiting, error);
    }
  }

  #resolve(waiting: Waiting, decision: Decision): void {
    this.#undecided.delete(waiting);
    if ("balance" in decision) this.#reportClockCorrection(decision.balance);
    if (decision.outcome === "rate") this.#refusals.remember(waiting.request, decision.balance);
    waiting.resolve(decision);
  }

  #reject(waiting: Waiting, error: unknown): void {
    this.#undecided.delete(waiting);
    waiting.reject(error);
  }

  #reportClockCorrection({ clockSkewMs }: Balance): void {
    if (clockSkewMs === undefined) return;
    const nowMs = performance.now();
    if (nowMs - this.#reportedSkewMs < REPORT_CLOCK_EVERY_MS) return;
    this.#reportedSkewMs = nowMs;
    this.#options.onClockCorrected?.(clockSkewMs);
  }
}
