/** Mails people about their monitors: a webhook was disabled, and once a week how many events there were. */
import type { Language } from "../contract/accountResources.ts";
import { PeriodicWrite } from "../lib/periodicWrite.ts";
import type { Mailer } from "./mails.ts";
import type { AddressHashes } from "./secrets.ts";

const NOTICES_EVERY_MS = 60_000;
const ACCOUNTS_AT_ONCE = 100;
const WEEK_MS = 7 * 86_400_000;
/** A Monday, 06:00 UTC. */
const FIRST_MONDAY_MS = (4 * 24 + 6) * 3_600_000;

/** An account that is due a mail. */
export interface MonitorNotice {
  readonly accountId: string;
  readonly email: string;
  readonly language: Language;
}

/** An account that wants weekly mail and had events in a week. */
export interface WeeklyNotice extends MonitorNotice {
  readonly events: number;
}

/** A week, Unix milliseconds. */
export interface Week {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The state store of notices about monitors. */
export interface MonitorNoticeStore {
  /** Returns some accounts with a webhook that was disabled in the last day and not reported to them. */
  disabledWebhooks(limit: number): Promise<readonly MonitorNotice[]>;
  /** Returns some accounts that had events in a week and have had no mail about it. */
  weeklyNotices(week: Week, limit: number): Promise<readonly WeeklyNotice[]>;
}

export interface MonitorNoticesParts {
  readonly store: MonitorNoticeStore;
  readonly mailer: Pick<Mailer, "sendOnce">;
  readonly addresses: Pick<AddressHashes, "of">;
  /** Called with each failure; the next round tries again. */
  readonly onError: (error: unknown) => void;
  readonly now: () => number;
  readonly lookEveryMs?: number;
}

/** Reads the state periodically, so a crash misses nothing. Any number of processes may run it: the store accepts each mail once. */
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
    const { store, mailer, addresses, onError, now } = this.#parts;
    if (this.#isClosed) return;
    try {
      for (const { email, ...notice } of await store.disabledWebhooks(ACCOUNTS_AT_ONCE)) {
        if (this.#isClosed) return;
        await mailer.sendOnce({ kind: "webhook-disabled", ...notice }, await addresses.of(email));
      }
      const week = lastWeek(now());
      for (const { email, ...notice } of await store.weeklyNotices(week, ACCOUNTS_AT_ONCE)) {
        if (this.#isClosed) return;
        const order = { kind: "weekly-changes", ...notice, untilMs: week.untilMs } as const;
        await mailer.sendOnce(order, await addresses.of(email));
      }
    } catch (error) {
      onError(error);
    }
  }
}

/** The last full week, from Monday 06:00 UTC. */
export function lastWeek(nowMs: number): Week {
  const untilMs = FIRST_MONDAY_MS + Math.floor((nowMs - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS;
  return { fromMs: untilMs - WEEK_MS, untilMs };
}
