/**
 * Mails people about their account once: a used allowance, a disabled webhook, changes that wait for tokens, and the
 * week's events.
 */

import type { TierTable } from "../contract/tiers.ts";
import { PeriodicWrite } from "../lib/periodicWrite.ts";
import { ACCOUNTS_PER_STEP, tierTokens } from "./allowances.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { OnceOrder } from "./mail/mails.ts";
import type { PeopleQueries } from "./queries.ts";
import type { AddressHashes } from "./secrets.ts";

const NOTICES_EVERY_MS = 60_000;
const MAX_ABOUT_MONITORS = 100;

export interface NoticesParts {
  readonly store: PeopleQueries;
  readonly mailer: Mailer;
  readonly addresses: AddressHashes;
  readonly tiers: TierTable;
  /** Called with each failure; the next round tries again. */
  readonly onError: (error: unknown) => void;
  readonly pollEveryMs?: number;
}

/**
 * Reads the state periodically, so calls have no extra work and a crash misses nothing. Any number of processes may run
 * it: the store accepts each mail once.
 */
export class Notices extends PeriodicWrite {
  readonly #parts: NoticesParts;
  #isClosed = false;

  constructor(parts: NoticesParts) {
    super(() => this.#sendAll(), parts.pollEveryMs ?? NOTICES_EVERY_MS);
    this.#parts = parts;
  }

  override close(): Promise<void> {
    this.#isClosed = true;
    return super.close();
  }

  async #sendAll(): Promise<void> {
    const { mailer, addresses, onError } = this.#parts;
    try {
      for await (const { email, ...order } of this.#due()) {
        if (this.#isClosed) return;
        await mailer.sendOnce(order, await addresses.of(email));
      }
    } catch (error) {
      onError(error);
    }
  }

  async *#due(): AsyncGenerator<OnceOrder & { readonly email: string }> {
    const { store, tiers } = this.#parts;
    const limits = tierTokens(tiers);
    for (let after: string | undefined = ""; after !== undefined && !this.#isClosed; ) {
      const step = await store.dueNotices(limits, after, ACCOUNTS_PER_STEP);
      for (const { percent, ...notice } of step.notices) yield { kind: `allowance-${percent}`, ...notice };
      after = step.next;
    }
    if (this.#isClosed) return;
    for (const notice of await store.disabledWebhooks(MAX_ABOUT_MONITORS))
      yield { kind: "webhook-disabled", ...notice };
    for (const notice of await store.waitingChanges(MAX_ABOUT_MONITORS))
      yield { kind: "changes-wait", ...notice };
    for (const digest of await store.dueDigests(MAX_ABOUT_MONITORS))
      yield { kind: "monitor-digest", ...digest };
  }
}
