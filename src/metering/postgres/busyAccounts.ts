import { LOCK_WITHIN_MS } from "../../database/postgres/connect.ts";
import { StoreUnavailable } from "../../lib/storeErrors.ts";
import type { DecidedBatch } from "../batch/decideBatch.ts";
import type { ChargeRequest, Decision } from "../store.ts";

/** At most this many batches wait for locks at once, each on its own connection. */
export const MAX_WAITING_BATCHES = 3;
const MAX_IN_A_BATCH = 512;

interface PendingRequest {
  readonly request: ChargeRequest;
  readonly resolve: (decision: Decision) => void;
  readonly reject: (error: unknown) => void;
  readonly sinceMs: number;
}

/**
 * Requests whose account another transaction has locked. They wait for the lock in their own batches, one account each,
 * so that requests of other accounts are not delayed.
 */
export class BusyAccounts {
  readonly #applyWaiting: (requests: readonly ChargeRequest[]) => Promise<DecidedBatch["outcomes"]>;
  /** The undecided requests of each account, oldest first. An empty array means that its last batch is running. */
  readonly #waiting = new Map<string, PendingRequest[]>();
  /**
   * Accounts whose requests wait for a free connection. An account in `#waiting` is either here or has a running batch,
   * never both.
   */
  #queuedAccounts: string[] = [];
  #runningBatches = 0;

  /** @param applyWaiting decides requests in a transaction that waits for locks */
  constructor(applyWaiting: (requests: readonly ChargeRequest[]) => Promise<DecidedBatch["outcomes"]>) {
    this.#applyWaiting = applyWaiting;
  }

  /** @throws {StoreUnavailable} if the account does not become free in time */
  decide(accountId: string, request: ChargeRequest): Promise<Decision> {
    const { promise, resolve, reject } = Promise.withResolvers<Decision>();
    // The caller may attach its handlers later.
    promise.catch(() => {});
    const pending = { request, resolve, reject, sinceMs: performance.now() };
    const others = this.#waiting.get(accountId);
    if (others === undefined) {
      this.#waiting.set(accountId, [pending]);
      this.#queuedAccounts.push(accountId);
    } else others.push(pending);
    this.#start();
    return promise;
  }

  #start(): void {
    while (this.#runningBatches < MAX_WAITING_BATCHES) {
      const accountId = this.#queuedAccounts.shift();
      if (accountId === undefined) return;
      this.#runningBatches += 1;
      void this.#decideBatch(accountId).finally(() => {
        this.#runningBatches -= 1;
        this.#rejectOnTimeout();
        if (this.#waiting.get(accountId)?.length === 0) this.#waiting.delete(accountId);
        else this.#queuedAccounts.push(accountId);
        this.#start();
      });
    }
  }

  async #decideBatch(accountId: string): Promise<void> {
    const batch = this.#waiting.get(accountId)?.splice(0, MAX_IN_A_BATCH) ?? [];
    if (batch.length === 0) return;
    try {
      const outcomes = await this.#applyWaiting(batch.map(({ request }) => request));
      batch.forEach((pending, index) => {
        const outcome = outcomes[index];
        if (outcome === undefined) pending.reject(new Error("the state store did not decide a request"));
        // Its key exists but was not locked, as when it was added after the locking statement: try again.
        else if ("lockedAccount" in outcome) this.#waiting.get(accountId)?.push(pending);
        else pending.resolve(outcome);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /**
   * Runs when a batch ends: each pending request waits for the end of a batch. The server's timeouts end every batch.
   */
  #rejectOnTimeout(): void {
    const beforeMs = performance.now() - LOCK_WITHIN_MS;
    for (const [accountId, pending] of this.#waiting) {
      const { late = [], inTime = [] } = Object.groupBy(pending, ({ sinceMs }) =>
        sinceMs < beforeMs ? "late" : "inTime",
      );
      if (late.length === 0) continue;
      this.#waiting.set(accountId, inTime);
      for (const { reject } of late) {
        reject(new StoreUnavailable("another database session has locked the account for too long"));
      }
    }
  }
}
