import { POOLS } from "../contract/pools.ts";
import { LeasedLoop, type LeasedLoopOptions } from "../lib/leasedLoop.ts";
import type { AddressChange, ClaimedMessage } from "./claimed.ts";
import { signedHeaders } from "./message.ts";
import type { MessagePost, RefusedDelivery } from "./post.ts";
import type { WebhookQueries } from "./queries.ts";

/** Pauses between retries (exponential backoff). The last one repeats until the message's lifetime is over. */
const TRY_AGAIN_AFTER_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000, 10_800_000];
/** The longest pause that a receiver may ask for. */
const MAX_PAUSE_MS = 6 * 3_600_000;
/** Deliveries at once to addresses that failed last. */
const MAX_FAILING_AT_ONCE = POOLS.lookups.slots / 2;
/** Longer than a delivery may take. */
const LEASE_MS = 60_000;

export interface MessageOutboxParts extends Pick<LeasedLoopOptions, "pollEveryMs" | "onError"> {
  readonly store: Pick<WebhookQueries, "claimMessage" | "endMessage" | "deferMessage">;
  readonly post: MessagePost;
  /** Tiers whose accounts share part of the places. */
  readonly freeTiers: readonly string[];
  /** The secret that webhook secrets of accounts are derived from. */
  readonly serviceSecret: () => Promise<string>;
  /** Called when a message is dropped. The reason contains no address. */
  readonly onLost: (accountId: string, reason: string) => void;
  /** Called after each failed delivery. The reason contains no address. */
  readonly onFailed?: (accountId: string, url: string, reason: string) => void;
  readonly tryAgainAfterMs?: readonly number[];
}

/**
 * Delivers stored messages; any process may deliver any message. An address of an account has one delivery at a time,
 * so an unresponsive receiver delays no other address. Addresses whose last delivery failed use at most half of the
 * places, and all but one of the places of their account. Accounts of free tiers use at most half of the places.
 */
export class MessageOutbox extends LeasedLoop<ClaimedMessage> {
  readonly #parts: MessageOutboxParts;

  constructor(parts: MessageOutboxParts) {
    super({ ...parts, maxAtOnce: POOLS.lookups.slots });
    this.#parts = parts;
  }

  /** Aborts deliveries. Their messages are claimed again when the lease is over. */
  override async close(): Promise<void> {
    const closed = super.close();
    await this.#parts.post.close();
    await closed;
  }

  /** Claims the next message that has a place. */
  protected override claim(inProgress: readonly ClaimedMessage[]): Promise<ClaimedMessage | undefined> {
    const { store, freeTiers } = this.#parts;
    const { perAccount, freeTiers: freePlaces } = POOLS.lookups;
    const failing = inProgress.filter(({ addressFailures }) => addressFailures > 0);
    const ofFree = inProgress.filter(({ tierName }) => freeTiers.includes(tierName)).length;
    return store.claimMessage(LEASE_MS, {
      addresses: inProgress,
      accounts: accountsWith(inProgress, perAccount),
      tiers: ofFree >= freePlaces ? freeTiers : [],
      failing: failing.length >= MAX_FAILING_AT_ONCE ? "all" : accountsWith(failing, perAccount - 1),
    });
  }

  protected override async run(message: ClaimedMessage): Promise<void> {
    const { store, post, serviceSecret, onFailed, onLost } = this.#parts;
    const headers = signedHeaders(message, await serviceSecret(), Math.floor(Date.now() / 1_000));
    const delivery = await post.deliver(message.url, headers, message.payload);
    if (delivery.isAccepted) await store.endMessage(message.id, message.claim);
    else {
      const { id, claim, accountId, url } = message;
      const { reason } = delivery;
      const { afterMs, change } = this.#retryOf(message, delivery);
      if (!this.ending.aborted) onFailed?.(accountId, url, reason);
      if (!(await store.deferMessage(id, claim, afterMs, reason, change))) onLost(accountId, reason);
    }
  }

  /** When a refused message is tried again, and what changes for its address. */
  #retryOf(
    { failures, addressFailures }: ClaimedMessage,
    { answer, askAgainAfterMs }: RefusedDelivery,
  ): { readonly afterMs: number; readonly change?: AddressChange } {
    // A spread of a quarter, so that messages that failed together are not retried together.
    const spread = 0.75 + Math.random() / 2;
    const { tryAgainAfterMs = TRY_AGAIN_AFTER_MS } = this.#parts;
    const usualMs = (nth: number) =>
      Math.round((tryAgainAfterMs[nth] ?? tryAgainAfterMs.at(-1) ?? 0) * spread);
    if (answer === undefined) return { afterMs: usualMs(failures) };
    if (answer === "gone") return { afterMs: 0, change: "gone" };
    if (askAgainAfterMs !== undefined) {
      const afterMs = Math.min(Math.max(askAgainAfterMs, usualMs(0)), MAX_PAUSE_MS);
      return { afterMs, change: { pauseMs: afterMs } };
    }
    const pauseMs = usualMs(addressFailures);
    return { afterMs: Math.max(usualMs(failures), pauseMs), change: { pauseMs } };
  }
}

/** The accounts with at least this many messages. */
function accountsWith(messages: readonly ClaimedMessage[], count: number): readonly string[] {
  const byAccount = Map.groupBy(messages, ({ accountId }) => accountId);
  return [...byAccount].flatMap(([accountId, own]) => (own.length >= count ? [accountId] : []));
}
