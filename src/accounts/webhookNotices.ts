/** Mails people when a webhook of their monitors was disabled. */
import type { Language } from "../contract/accountResources.ts";
import { PeriodicWrite } from "../lib/periodicWrite.ts";
import type { Mailer } from "./mails.ts";
import type { AddressHashes } from "./secrets.ts";

const NOTICES_EVERY_MS = 60_000;
const ACCOUNTS_AT_ONCE = 100;

/** An account with a disabled webhook. */
export interface WebhookNotice {
  readonly accountId: string;
  readonly email: string;
  readonly language: Language;
}

/** The state store of notices about webhooks. */
export interface WebhookNoticeStore {
  /** Returns some accounts with a webhook that was disabled in the last day and not reported to them. */
  disabledWebhooks(limit: number): Promise<readonly WebhookNotice[]>;
}

export interface WebhookNoticesParts {
  readonly store: WebhookNoticeStore;
  readonly mailer: Pick<Mailer, "sendOnce">;
  readonly addresses: Pick<AddressHashes, "of">;
  /** Called with each failure; the next round tries again. */
  readonly onError: (error: unknown) => void;
  readonly lookEveryMs?: number;
}

/** Reads the state periodically, so a crash misses nothing. Any number of processes may run it: the store accepts one mail. */
export class WebhookNotices extends PeriodicWrite {
  readonly #parts: WebhookNoticesParts;
  #isClosed = false;

  constructor(parts: WebhookNoticesParts) {
    super(() => this.#sendAll(), parts.lookEveryMs ?? NOTICES_EVERY_MS);
    this.#parts = parts;
  }

  override close(): Promise<void> {
    this.#isClosed = true;
    return super.close();
  }

  async #sendAll(): Promise<void> {
    const { store, mailer, addresses, onError } = this.#parts;
    if (this.#isClosed) return;
    try {
      for (const { email, ...notice } of await store.disabledWebhooks(ACCOUNTS_AT_ONCE)) {
        if (this.#isClosed) return;
        await mailer.sendOnce({ kind: "webhook-disabled", ...notice }, await addresses.of(email));
      }
    } catch (error) {
      onError(error);
    }
  }
}
