import type { TierTable } from "../contract/tiers.ts";
import { PeriodicWrite } from "../lib/periodicWrite.ts";
import type { AllowanceNoticeStore, DueNotice, TierTokens } from "./allowanceNoticeStore.ts";
import { ACCOUNTS_AT_ONCE, tiersWithTokens } from "./allowanceUse.ts";
import type { Mailer } from "./mails.ts";
import type { AddressHashes } from "./secrets.ts";

const LOOK_EVERY_MS = 60_000;

export interface AllowanceNoticesParts {
  readonly store: AllowanceNoticeStore;
  readonly mailer: Mailer;
  readonly addresses: AddressHashes;
  readonly tiers: TierTable;
  /** Told of each failure; the next look tries again. */
  readonly onError: (error: unknown) => void;
  readonly lookEveryMs?: number;
}

/**
 * Tells people by mail when their account has used most of a month's allowance, and when it has used all of it. What was used is looked up in
 * the state now and then, so that no call has any work with it and none that ended a process is missed. Any number of processes may do so: of a
 * month, an allowance and a percentage one mail is ever kept.
 */
export class AllowanceNotices {
  readonly #parts: AllowanceNoticesParts;
  readonly #tiers: readonly TierTokens[];
  readonly #looks: PeriodicWrite;
  #isClosed = false;

  constructor(parts: AllowanceNoticesParts) {
    this.#parts = parts;
    this.#tiers = tiersWithTokens(parts.tiers);
    this.#looks = new PeriodicWrite(() => this.#look(), parts.lookEveryMs ?? LOOK_EVERY_MS);
  }

  /** Tells whom it has to be told now, unless that is under way. Never rejects. */
  look(): Promise<void> {
    return this.#looks.now();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#looks.close();
  }

  async #look(): Promise<void> {
    const { store, onError } = this.#parts;
    try {
      for (let after: string | undefined = ""; after !== undefined && !this.#isClosed; ) {
        const { notices, next } = await store.dueNotices(this.#tiers, after, ACCOUNTS_AT_ONCE);
        for (const notice of notices) if (!this.#isClosed) await this.#tell(notice);
        after = next;
      }
    } catch (error) {
      onError(error);
    }
  }

  async #tell({ email, percent, ...told }: DueNotice): Promise<void> {
    const { mailer, addresses } = this.#parts;
    await mailer.sendOnce({ kind: `allowance-${percent}`, ...told }, await addresses.of(email));
  }
}
