import { boundedCache } from "../../lib/boundedCache.ts";
import type { DecidedBatch } from "../batch/decideBatch.ts";
import type { ChargeRequest } from "../store.ts";

export type Outcome = DecidedBatch["outcomes"][number];

const MAX_IN_A_BATCH = 512;
/** Keys whose account is known, 200 bytes each: 20 MB. */
const MAX_KEYS = 100_000;

interface PendingRequest extends PromiseWithResolvers<Outcome> {
  readonly request: ChargeRequest;
  outcome?: Outcome;
}

/**
 * Batches of one process that run at the same time. No two of them have a common account, so that they never wait for
 * each other's rows: requests of an account with a running batch wait for its end, then share a batch.
 */
export class SideBySide {
  readonly #apply: (requests: readonly ChargeRequest[]) => Promise<DecidedBatch["outcomes"]>;
  readonly #accounts = boundedCache<string, string>(MAX_KEYS);
  /** By account with a running batch: the requests that wait for its end. */
  readonly #waiting = new Map<string, PendingRequest[]>();
  readonly #running = new Set<Promise<void>>();

  /** @param apply decides requests in one transaction that does not wait for locks */
  constructor(apply: (requests: readonly ChargeRequest[]) => Promise<DecidedBatch["outcomes"]>) {
    this.#apply = apply;
  }

  /** Records the account of a key, which never changes. Until then the key counts as an account of its own. */
  learnAccount(keyId: string, accountId: string): void {
    if (!this.#accounts.has(keyId)) this.#accounts.set(keyId, accountId);
  }

  /**
   * Returns an outcome per request, or a promise of one if it waits for another batch while others of these requests do
   * not, or if its batch failed while another one did not.
   * @throws {StoreUnavailable} (also the promises) nothing was changed
   */
  async decide(requests: readonly ChargeRequest[]): Promise<readonly (Outcome | Promise<Outcome>)[]> {
    const pending = requests.map((request): PendingRequest => {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      promise.catch(() => {});
      return { request, promise, resolve, reject };
    });
    const started = this.#start(pending);
    const first = started.length === 0 ? pending : started;
    const ended = await Promise.allSettled(first.map(({ promise }) => promise));
    const failed = ended.filter((end) => end.status === "rejected");
    if (failed[0] !== undefined && failed.length === pending.length) throw failed[0].reason;
    return pending.map(({ outcome, promise }) => outcome ?? promise);
  }

  /** Resolves when all requests have been decided. Never rejects. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Starts a batch of the requests whose account has none. The others wait. @returns those that were started */
  #start(pending: readonly PendingRequest[]): readonly PendingRequest[] {
    const free = pending.filter((one) => this.#waiting.get(this.#accountOf(one))?.push(one) === undefined);
    const batch = free.slice(0, MAX_IN_A_BATCH);
    if (batch.length === 0) return batch;
    const accounts = new Set(batch.map((one) => this.#accountOf(one)));
    for (const account of accounts) this.#waiting.set(account, []);
    const running = this.#run(batch).finally(() => {
      this.#running.delete(running);
      const waiting = [...accounts].flatMap((account) => this.#waiting.get(account) ?? []);
      for (const account of accounts) this.#waiting.delete(account);
      this.#start(waiting);
    });
    this.#running.add(running);
    return [...batch, ...this.#start(free.slice(batch.length))];
  }

  async #run(batch: readonly PendingRequest[]): Promise<void> {
    try {
      const outcomes = await this.#apply(batch.map(({ request }) => request));
      for (const [index, one] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined) throw new RangeError("a request was not decided");
        if ("balance" in outcome) this.learnAccount(one.request.keyId, outcome.balance.accountId);
        one.outcome = outcome;
        one.resolve(outcome);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #accountOf({ request: { keyId } }: PendingRequest): string {
    return this.#accounts.get(keyId) ?? keyId;
  }
}
