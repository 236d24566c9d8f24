import { type ChargeRequest, type Decision, StoreUnavailable } from "../../metering/store.ts";
import type { DecidedBatch } from "../batch/decideBatch.ts";

/** The number of locked accounts to wait for at once, each with its own connection. */
export const MAX_WAITING_BATCHES = 3;
const MAX_IN_A_BATCH = 512;
/** As long as the server waits for a lock. */
const WAIT_MS = 3_000;

interface Waiting {
  readonly request: ChargeRequest;
  readonly resolve: (decision: Decision) => void;
  readonly reject: (error: unknown) => void;
  readonly sinceMs: number;
}

/**
 * Requests whose account another transaction has locked. They wait for the lock in their own batches, one account each, so
 * that requests of other accounts are not delayed.
 */
export class BusyAccounts {
  readonly #applyWaiting: (requests: readonly ChargeRequest[]) => Promise<DecidedBatch["outcomes"]>;
  /** By account, in the order of their batches. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** Accounts without a waiting batch. */
  #queue: string[] = [];
  #batches = 0;

  /** @param applyWaiting decides requests in a transaction that waits for locks */
  constructor(applyWaiting: (requests: readonly ChargeRequest[]) => Promise<DecidedBatch["outcomes"]>) {
    this.#applyWaiting = applyWaiting;
  }

  /** @throws {StoreUnavailable} if the account does not become free in time */
  decide(accountId: string, request: ChargeRequest): Promise<Decision> {
    const { promise, resolve, reject } = Promise.withResolvers<Decision>();
    // The caller may attach its handlers later.
    promise.catch(() => {});
    const waiting = { request, resolve, reject, sinceMs: performance.now() };
    const others = this.#waiting.get(accountId);
    if (others === undefined) {
      this.#waiting.set(accountId, [waiting]);
      this.#queue.push(accountId);
    } else others.push(waiting);
    this.#start();
    return promise;
  }

  #start(): void {
    while (this.#batches < MAX_WAITING_BATCHES) {
      const accountId = this.#queue.shift();
      if (accountId === undefined) return;
      this.#batches += 1;
      void this.#decideBatch(accountId).finally(() => {
        this.#batches -= 1;
        this.#rejectOnTimeout();
        if (this.#waiting.get(accountId)?.length === 0) this.#waiting.delete(accountId);
        else this.#queue.push(accountId);
        this.#start();
      });
    }
  }

  async #decideBatch(accountId: string): Promise<void> {
    const batch = this.#waiting.get(accountId)?.splice(0, MAX_IN_A_BATCH) ?? [];
    if (batch.length === 0) return;
    try {
      const outcomes = await this.#applyWaiting(batch.map(({ request }) => request));
      batch.forEach((waiting, index) => {
        const outcome = outcomes[index];
        if (outcome === undefined) waiting.reject(new Error("the state store did not decide a request"));
        else if ("lockedAccount" in outcome) this.#waiting.get(accountId)?.push(waiting);
        else waiting.resolve(outcome);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #rejectOnTimeout(): void {
    const beforeMs = performance.now() - WAIT_MS;
    for (const [accountId, waiting] of this.#waiting) {
      const late = waiting.filter(({ sinceMs }) => sinceMs < beforeMs);
      if (late.length === 0) continue;
      this.#waiting.set(
        accountId,
        waiting.filter(({ sinceMs }) => sinceMs >= beforeMs),
      );
      for (const { reject } of late) {
        reject(new StoreUnavailable("another database session has locked the account for too long"));
      }
    }
  }
}
