import { POOLS } from "../../contract/pools.ts";
import { PeriodicWrite } from "../../lib/periodicWrite.ts";
import type { ClaimedMessage, JobStore } from "../store.ts";
import { signedHeaders } from "./message.ts";
import type { MessagePost } from "./post.ts";

/** Pauses between retries (exponential backoff). The last one repeats until the message's lifetime is over. */
const TRY_AGAIN_AFTER_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000, 10_800_000];
/** Deliveries at once of messages that failed before. */
const MAX_FAILED_AT_ONCE = POOLS.lookups.slots / 2;
const POLL_EVERY_MS = 1_000;
/** Longer than a delivery may take. */
const LEASE_MS = 60_000;

export interface MessageOutboxParts {
  readonly store: Pick<JobStore, "claimMessage" | "endMessage" | "deferMessage">;
  readonly post: MessagePost;
  /** Tiers whose accounts share part of the places. */
  readonly freeTiers: readonly string[];
  /** The secret that webhook secrets of accounts are derived from. */
  readonly serviceSecret: () => Promise<string>;
  /** Called when a message is dropped. The reason contains no address. */
  readonly onLost: (accountId: string, reason: string) => void;
  /** Called after each failed delivery. The reason contains no address. */
  readonly onFailed?: (accountId: string, url: string, reason: string) => void;
  readonly onError: (error: unknown) => void;
  readonly tryAgainAfterMs?: readonly number[];
  readonly lookEveryMs?: number;
}

/**
 * Delivers stored messages; any process may deliver any message. An account has one delivery at a time, so an unresponsive receiver delays only
 * its own account. Messages that failed before use at most half of the places, and so do accounts of free tiers.
 */
export class MessageOutbox {
  readonly #parts: MessageOutboxParts;
  /** By account. */
  readonly #inProgress = new Map<
    string,
    { readonly message: ClaimedMessage; readonly work: Promise<void> }
  >();
  #rounds: PeriodicWrite | undefined;
  #isClosed = false;

  constructor(parts: MessageOutboxParts) {
    this.#parts = parts;
  }

  start(): void {
    const { lookEveryMs = POLL_EVERY_MS } = this.#parts;
    this.#rounds = new PeriodicWrite(() => this.#reported(this.#claimAll()), lookEveryMs);
    void this.#rounds.now();
  }

  /** Aborts deliveries. Their messages are claimed again when the lease is over. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#parts.post.close();
    await this.#rounds?.close();
    await Promise.all([...this.#inProgress.values()].map(({ work }) => work));
  }

  /** Claims messages one after the other: two claims at once would not see each other's account. */
  async #claimAll(): Promise<void> {
    while (!this.#isClosed && this.#inProgress.size < POOLS.lookups.slots) {
      const message = await this.#claimNext();
      if (message === undefined) return;
      const work = this.#reported(this.#deliver(message)).finally(() => {
        this.#inProgress.delete(message.accountId);
        void this.#rounds?.now();
      });
      this.#inProgress.set(message.accountId, { message, work });
    }
  }

  async #reported(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!this.#isClosed) this.#parts.onError(error);
    }
  }

  /** Claims the next message that has a place. */
  #claimNext(): Promise<ClaimedMessage | undefined> {
    const { store, freeTiers } = this.#parts;
    const inProgress = [...this.#inProgress.values()].map(({ message }) => message);
    const ofFree = inProgress.filter(({ tierName }) => freeTiers.includes(tierName)).length;
    const failed = inProgress.filter(({ failures }) => failures > 0).length;
    return store.claimMessage(LEASE_MS, {
      accounts: [...this.#inProgress.keys()],
      tiers: ofFree >= POOLS.lookups.freeTiers ? freeTiers : [],
      failed: failed >= MAX_FAILED_AT_ONCE,
    });
  }

  async #deliver(message: ClaimedMessage): Promise<void> {
    const { store, post, serviceSecret, onFailed, onLost } = this.#parts;
    const headers = signedHeaders(message, await serviceSecret(), Math.floor(Date.now() / 1_000));
    const delivery = await post.deliver(message.url, headers, message.payload);
    if (delivery.isAccepted) await store.endMessage(message.id, message.claim);
    else {
      const pauseMs = this.#pauseMs(message.failures);
      const { id, claim, accountId, url } = message;
      if (!this.#isClosed) onFailed?.(accountId, url, delivery.reason);
      if (!(await store.deferMessage(id, claim, pauseMs, delivery.reason)))
        onLost(accountId, delivery.reason);
    }
  }

  /** Adds jitter of a quarter, so that messages that failed together are not retried together. */
  #pauseMs(failures: number): number {
    const { tryAgainAfterMs = TRY_AGAIN_AFTER_MS } = this.#parts;
    const averageMs = tryAgainAfterMs[failures] ?? tryAgainAfterMs.at(-1) ?? 0;
    return Math.round(averageMs * (0.75 + Math.random() / 2));
  }
}
