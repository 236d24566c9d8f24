import { POOLS } from "../../contract/pools.ts";
import { PeriodicWrite } from "../../lib/periodicWrite.ts";
import type { ClaimedMessage, JobStore } from "../store.ts";
import { signedHeaders } from "./message.ts";
import type { MessagePost } from "./post.ts";

/** Waiting times before a message is tried again, the last of them again and again until a day is over (exponential backoff). */
const TRY_AGAIN_AFTER_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000, 10_800_000];
/** Places for messages that failed before. */
const MAX_FAILED_AT_ONCE = POOLS.lookups.places / 2;
const LOOK_EVERY_MS = 1_000;
/** Longer than a delivery may take. */
const LEASE_MS = 60_000;

export interface MessageOutboxParts {
  readonly store: Pick<JobStore, "claimMessage" | "endMessage" | "deferMessage">;
  readonly post: MessagePost;
  /** Tiers whose accounts share a part of the places. */
  readonly freeTiers: readonly string[];
  /** What secrets of accounts are made of. */
  readonly serviceSecret: () => Promise<string>;
  /** Told when a message was given up; it holds no address. */
  readonly onLost: (accountId: string, reason: string) => void;
  readonly onError: (error: unknown) => void;
  readonly tryAgainAfterMs?: readonly number[];
  readonly lookEveryMs?: number;
}

/**
 * Delivers the messages that wait in the state, until they are taken; any process may deliver any message. An account has one message under way at a
 * time, so that a receiver that does not answer delays the messages of its own account. Messages that failed before have half of the places at most, and
 * so have accounts of free tiers.
 */
export class MessageOutbox {
  readonly #parts: MessageOutboxParts;
  /** By account: it has one at a time. */
  readonly #underWay = new Map<string, { readonly message: ClaimedMessage; readonly work: Promise<void> }>();
  #looks: PeriodicWrite | undefined;
  #isClosed = false;

  constructor(parts: MessageOutboxParts) {
    this.#parts = parts;
  }

  start(): void {
    const { lookEveryMs = LOOK_EVERY_MS } = this.#parts;
    this.#looks = new PeriodicWrite(() => this.#reported(this.#claimAll()), lookEveryMs);
    void this.#looks.now();
  }

  /** What is on its way is claimed by another process, or after the next start, when its lease is over. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#parts.post.close();
    await this.#looks?.close();
    await Promise.all([...this.#underWay.values()].map(({ work }) => work));
  }

  /** One after another: two at once would not see whose message the other takes. */
  async #claimAll(): Promise<void> {
    while (!this.#isClosed && this.#underWay.size < POOLS.lookups.places) {
      const message = await this.#claimNext();
      if (message === undefined) return;
      const work = this.#reported(this.#deliver(message)).finally(() => {
        this.#underWay.delete(message.accountId);
        void this.#looks?.now();
      });
      this.#underWay.set(message.accountId, { message, work });
    }
  }

  async #reported(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!this.#isClosed) this.#parts.onError(error);
    }
  }

  /** The next message that has a place now. */
  #claimNext(): Promise<ClaimedMessage | undefined> {
    const { store, freeTiers } = this.#parts;
    const underWay = [...this.#underWay.values()].map(({ message }) => message);
    const ofFree = underWay.filter(({ tierName }) => freeTiers.includes(tierName)).length;
    const failed = underWay.filter(({ failures }) => failures > 0).length;
    return store.claimMessage(LEASE_MS, {
      accounts: [...this.#underWay.keys()],
      tiers: ofFree >= POOLS.lookups.freeTiers ? freeTiers : [],
      failed: failed >= MAX_FAILED_AT_ONCE,
    });
  }

  async #deliver(message: ClaimedMessage): Promise<void> {
    const { store, post, serviceSecret, onLost } = this.#parts;
    const headers = signedHeaders(message, await serviceSecret(), Math.floor(Date.now() / 1_000));
    const delivery = await post.deliver(message.url, headers, message.payload);
    if (delivery.isTaken) await store.endMessage(message.id, message.claim);
    else if (!(await store.deferMessage(message.id, message.claim, this.#pauseMs(message.failures)))) {
      onLost(message.accountId, delivery.reason);
    }
  }

  /** At least three quarters of what it is on average, so that messages that failed together are not tried together again. */
  #pauseMs(failures: number): number {
    const { tryAgainAfterMs = TRY_AGAIN_AFTER_MS } = this.#parts;
    const averageMs = tryAgainAfterMs[failures] ?? tryAgainAfterMs.at(-1) ?? 0;
    return Math.round(averageMs * (0.75 + Math.random() / 2));
  }
}
