import { POOLS } from "../../contract/pools.ts";
import type { ClaimedMessage, JobStore } from "../store.ts";
import type { MessagePost } from "./post.ts";
import { signedHeaders } from "./signing.ts";

/** Waiting times before a message is tried again, the last of them again and again until a day is over (exponential backoff). */
const TRY_AGAIN_AFTER_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000, 10_800_000];
/** Of the places for messages that may be held up: what was not taken before, and that of accounts whose last one was not, or took long. */
const MOST_DOUBTED_AT_ONCE = 2;
/** Together with those of accounts of which no delivery is remembered: the rest is for accounts whose last message was taken soon. */
const MOST_UNSURE_AT_ONCE = 3;
/** So many accounts are remembered for their last delivery, of those that went well and of the others: who is forgotten is unknown once more. */
const MOST_REMEMBERED = 100;
/** A receiver that takes longer holds a place as one does that is dead. */
const SLOW_MS = 2_000;
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
  readonly random?: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

type Thought = "trusted" | "unknown" | "doubted";

/**
 * Messages on their way: what waits is in the state, and any process delivers it, few at once, again until it is taken. One of an account at a time, so
 * that receivers which do not answer hold up the messages of their own account alone, and those that are doubted or not yet known only in some of the
 * places. An account that nothing is known of waits for others like it, for the time of one delivery each; one whose last message was taken soon waits for
 * none of them. Accounts of free tiers never have all places, whatever is thought of them.
 */
export class MessageOutbox {
  readonly #parts: MessageOutboxParts;
  readonly #underWay = new Set<Promise<void>>();
  /** That have a message under way, what was thought of it, and whether their tier is free. */
  readonly #accounts = new Map<string, { readonly thought: Thought; readonly isFree: boolean }>();
  /** Whose last message was taken soon, the latest of them last. */
  readonly #trusted = new Set<string>();
  /** Whose last message was not. */
  readonly #doubted = new Set<string>();
  #lastClaim: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: MessageOutboxParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.#look(), this.#parts.lookEveryMs ?? LOOK_EVERY_MS).unref();
    this.#look();
  }

  /** What is on its way is claimed by another process, or after the next start, when its lease is over. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#parts.post.close();
    await Promise.all(this.#underWay);
  }

  #look(): void {
    if (this.#isClosed || this.#underWay.size >= POOLS.lookups.places) return;
    const work = this.#deliverAll()
      .catch((error: unknown) => {
        if (!this.#isClosed) this.#parts.onError(error);
      })
      .finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  async #deliverAll(): Promise<void> {
    while (!this.#isClosed) {
      const message = await this.#claim();
      if (message === undefined) return;
      try {
        await this.#deliver(message);
      } finally {
        this.#accounts.delete(message.accountId);
      }
    }
  }

  /** One after another: two at once would not see whose message the other takes. */
  #claim(): Promise<ClaimedMessage | undefined> {
    const claim = this.#lastClaim.then(async () => {
      if (this.#isClosed) return undefined;
      const message = await this.#claimWhatMay();
      if (message !== undefined) {
        const isFree = this.#parts.freeTiers.includes(message.tierName);
        this.#accounts.set(message.accountId, { thought: this.#thoughtOf(message), isFree });
      }
      return message;
    });
    this.#lastClaim = claim.catch(() => undefined);
    return claim;
  }

  /** The next message that has a place now, by how many are under way that may be held up. */
  async #claimWhatMay(): Promise<ClaimedMessage | undefined> {
    const { store, freeTiers } = this.#parts;
    const underWay = [...this.#accounts.keys()];
    const all = [...this.#accounts.values()];
    const thoughts = all.map(({ thought }) => thought);
    const isShareTaken = all.filter(({ isFree }) => isFree).length >= POOLS.lookups.freeTiers;
    const passedOverTiers = isShareTaken ? freeTiers : [];
    if (thoughts.filter((thought) => thought !== "trusted").length >= MOST_UNSURE_AT_ONCE) {
      const waiting = [...this.#trusted].filter((accountId) => !this.#accounts.has(accountId));
      return waiting.length > 0 ? store.claimMessage(LEASE_MS, [], passedOverTiers, waiting) : undefined;
    }
    if (thoughts.filter((thought) => thought === "doubted").length >= MOST_DOUBTED_AT_ONCE) {
      return store.claimMessage(LEASE_MS, [...underWay, ...this.#doubted], passedOverTiers, "all");
    }
    return store.claimMessage(LEASE_MS, underWay, passedOverTiers);
  }

  #thoughtOf({ accountId, failures }: ClaimedMessage): Thought {
    if (failures > 0 || this.#doubted.has(accountId)) return "doubted";
    return this.#trusted.has(accountId) ? "trusted" : "unknown";
  }

  async #deliver(message: ClaimedMessage): Promise<void> {
    const { store, post, serviceSecret, onLost, now = () => performance.now() } = this.#parts;
    const headers = signedHeaders(message, await serviceSecret(), Math.floor(Date.now() / 1_000));
    const begunMs = now();
    const delivery = await post.deliver(message.url, headers, message.payload);
    this.#remember(message.accountId, delivery.isTaken && now() - begunMs <= SLOW_MS);
    if (delivery.isTaken) await store.endMessage(message.id, message.claim);
    else if (!(await store.deferMessage(message.id, message.claim, this.#pauseMs(message.failures)))) {
      onLost(message.accountId, delivery.reason);
    }
  }

  #remember(accountId: string, isTakenSoon: boolean): void {
    this.#doubted.delete(accountId);
    this.#trusted.delete(accountId);
    const latest = isTakenSoon ? this.#trusted : this.#doubted;
    latest.add(accountId);
    const [oldest] = latest;
    if (latest.size > MOST_REMEMBERED && oldest !== undefined) latest.delete(oldest);
  }

  #pauseMs(failures: number): number {
    const { tryAgainAfterMs = TRY_AGAIN_AFTER_MS, random = Math.random } = this.#parts;
    return jittered(tryAgainAfterMs[failures] ?? tryAgainAfterMs.at(-1) ?? 0, random());
  }
}

/** A pause of at least three quarters of what it is on average, so that those who failed together do not come together again. */
export function jittered(averageMs: number, random: number): number {
  return Math.round(averageMs * (0.75 + random / 2));
}
