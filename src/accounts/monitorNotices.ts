/** Mails people about their monitors: a webhook that was disabled, changes that wait for tokens, and once a week the number of events. */

import { PeriodicWrite } from "../lib/periodicWrite.ts";
import type { Mailer, OnceOrder } from "./mail/mails.ts";
import type { MonitorNoticeQueries } from "./queries/monitorNotices.ts";
import type { AddressHashes } from "./secrets.ts";

const NOTICES_EVERY_MS = 60_000;
const ACCOUNTS_AT_ONCE = 100;

export interface MonitorNoticesParts {
  readonly store: MonitorNoticeQueries;
  readonly mailer: Pick<Mailer, "sendOnce">;
  readonly addresses: Pick<AddressHashes, "of">;
  /** Called with each failure; the next round tries again. */
  readonly onError: (error: unknown) => void;
  readonly lookEveryMs?: number;
}

/** Reads the state periodically, so a crash misses nothing. Any number of processes may run it: the store accepts one mail. */
export class MonitorNotices extends PeriodicWrite {
  readonly #parts: MonitorNoticesParts;
  #isClosed = false;

  constructor(parts: MonitorNoticesParts) {
    super(() => this.#sendAll(), parts.lookEveryMs ?? NOTICES_EVERY_MS);
    this.#parts = parts;
  }

  override close(): Promise<void> {
    this.#isClosed = true;
    return super.close();
  }

  async #sendAll(): Promise<void> {
    const { store, onError } = this.#parts;
    if (this.#isClosed) return;
    try {
      for (const { email, ...notice } of await store.disabledWebhooks(ACCOUNTS_AT_ONCE))
        await this.#send({ kind: "webhook-disabled", ...notice }, email);
      for (const { email, ...notice } of await store.waitingChanges(ACCOUNTS_AT_ONCE))
        await this.#send({ kind: "changes-wait", ...notice }, email);
      for (const { email, ...digest } of await store.dueDigests(ACCOUNTS_AT_ONCE))
        await this.#send({ kind: "monitor-digest", ...digest }, email);
    } catch (error) {
      onError(error);
    }
  }

  async #send(order: OnceOrder, email: string): Promise<void> {
    const { mailer, addresses } = this.#parts;
    if (!this.#isClosed) await mailer.sendOnce(order, await addresses.of(email));
  }
}
