/** Finds accounts that have used most or all of a month's allowance, for mail to people and counts for operators. */

import type { AllowancePercent } from "../contract/accountRules.ts";
import type { TierTable } from "../contract/tiers.ts";
import { PeriodicWrite } from "../lib/periodicWrite.ts";
import type { Mailer } from "./mail/mails.ts";
import type { AllowanceCount, AllowanceNoticeQueries, TierTokens } from "./queries/allowanceNotices.ts";
import type { AddressHashes } from "./secrets.ts";

const NOTICES_EVERY_MS = 60_000;
const COUNTS_EVERY_MS = 300_000;
/** Accounts checked in one step, so that charges do not wait long. */
const ACCOUNTS_AT_ONCE = 500;
const PERCENTAGES: readonly AllowancePercent[] = [80, 100];

/** Checks all accounts periodically, some at a time. */
abstract class AllowanceScan extends PeriodicWrite {
  protected readonly tiers: readonly TierTokens[];
  protected isClosed = false;

  constructor(tiers: TierTable, everyMs: number) {
    super(() => this.scanAll(), everyMs);
    this.tiers = Object.entries(tiers)
      .map(([name, { monthlyTokens }]) => ({ name, tokens: monthlyTokens }))
      .filter(({ tokens }) => tokens > 0);
  }

  override close(): Promise<void> {
    this.isClosed = true;
    return super.close();
  }

  /** Must not reject. */
  protected abstract scanAll(): Promise<void>;

  /** Steps over all accounts. @param step checks some accounts after one, and returns where to continue @returns false if closed in the meantime */
  protected async inSteps(step: (after: string) => Promise<string | undefined>): Promise<boolean> {
    for (let after: string | undefined = ""; after !== undefined; after = await step(after)) {
      if (this.isClosed) return false;
    }
    return true;
  }
}

export interface AllowanceNoticesParts {
  readonly store: AllowanceNoticeQueries;
  readonly mailer: Mailer;
  readonly addresses: AddressHashes;
  readonly tiers: TierTable;
  /** Called with each failure; the next round tries again. */
  readonly onError: (error: unknown) => void;
  readonly lookEveryMs?: number;
}

/**
 * Mails people when their account has used 80 % and 100 % of a month's allowance. It reads the state periodically, so calls have no extra work and
 * a crash misses nothing. Any number of processes may run it: the store accepts one mail per month, allowance and percentage.
 */
export class AllowanceNotices extends AllowanceScan {
  readonly #parts: AllowanceNoticesParts;

  constructor(parts: AllowanceNoticesParts) {
    super(parts.tiers, parts.lookEveryMs ?? NOTICES_EVERY_MS);
    this.#parts = parts;
  }

  protected async scanAll(): Promise<void> {
    const { store, mailer, addresses, onError } = this.#parts;
    try {
      await this.inSteps(async (after) => {
        const { notices, next } = await store.dueNotices(this.tiers, after, ACCOUNTS_AT_ONCE);
        for (const { email, percent, ...notice } of notices) {
          if (this.isClosed) break;
          await mailer.sendOnce({ kind: `allowance-${percent}`, ...notice }, await addresses.of(email));
        }
        return next;
      });
    } catch (error) {
      onError(error);
    }
  }
}

/** Counts periodically how many accounts of each tier have used 80 % and 100 % of a month's allowance. */
export class AllowanceUse extends AllowanceScan {
  readonly #store: AllowanceNoticeQueries;
  #counts: readonly AllowanceCount[] | undefined;

  constructor(store: AllowanceNoticeQueries, tiers: TierTable) {
    super(tiers, COUNTS_EVERY_MS);
    this.#store = store;
  }

  /** The latest counts per tier and percentage; undefined if the last round failed. */
  get counts(): readonly AllowanceCount[] | undefined {
    return this.#counts;
  }

  protected async scanAll(): Promise<void> {
    const sums = new Map<string, AllowanceCount>();
    for (const { name: tier } of this.tiers) {
      for (const percent of PERCENTAGES) sums.set(`${tier} ${percent}`, { tier, percent, accounts: 0 });
    }
    try {
      const hasAll = await this.inSteps(async (after) => {
        const { counts, next } = await this.#store.allowanceCounts(this.tiers, after, ACCOUNTS_AT_ONCE);
        for (const { tier, percent, accounts } of counts) {
          const before = sums.get(`${tier} ${percent}`)?.accounts ?? 0;
          sums.set(`${tier} ${percent}`, { tier, percent, accounts: before + accounts });
        }
        return next;
      });
      if (hasAll) this.#counts = [...sums.values()];
    } catch {
      // The state's own check reports the outage. Outdated counts are not shown as current.
      this.#counts = undefined;
    }
  }
}
