/** How much of a month's allowance accounts have used: mailed to people, and counted for operators. */
import type { Language } from "../contract/accountResources.ts";
import type { AllowancePercent } from "../contract/accountRules.ts";
import type { TierTable } from "../contract/tiers.ts";
import { PeriodicWrite } from "../lib/periodicWrite.ts";
import type { Mailer } from "./mails.ts";
import type { AddressHashes } from "./secrets.ts";

const NOTICES_EVERY_MS = 60_000;
const COUNTS_EVERY_MS = 300_000;
/** Accounts that are looked at in one step, so that no charge waits for long. */
const ACCOUNTS_AT_ONCE = 500;
const PERCENTAGES: readonly AllowancePercent[] = [80, 100];

/** A plan, and how many tokens it gives a month. */
export interface TierTokens {
  readonly name: string;
  readonly tokens: number;
}

/** An account that must be mailed that it has used so much of its allowance. */
export interface DueNotice {
  readonly accountId: string;
  readonly email: string;
  readonly language: Language;
  /** As `periods.ts` counts. */
  readonly month: number;
  /** The month's allowance. */
  readonly tokens: number;
  readonly percent: AllowancePercent;
}

/** How many accounts of a tier have used so much of their allowance, or more. */
export interface AllowanceCount {
  readonly tier: string;
  readonly percent: AllowancePercent;
  readonly accounts: number;
}

/** The part of a state store that notices of allowances need. */
export interface AllowanceNoticeStore {
  /**
   * Looks at some of the accounts that used anything this month, in the order of their ids, for those that have used 80 % of their plan's
   * allowance or all of it, want to be told and were not. Of a plan that is not named nobody is.
   * @param after the last account of the look before, empty for the first
   * @returns `next`, what to look after next; absent when all were looked at
   */
  dueNotices(
    tiers: readonly TierTokens[],
    after: string,
    most: number,
  ): Promise<{ readonly notices: readonly DueNotice[]; readonly next?: string }>;
  /**
   * Looks at accounts in the same way, and counts those that have used so much, whether they want to be told or not; suspended ones too. A tier
   * of which there are none may be absent.
   */
  allowanceCounts(
    tiers: readonly TierTokens[],
    after: string,
    most: number,
  ): Promise<{ readonly counts: readonly AllowanceCount[]; readonly next?: string }>;
  /** Whether the account gets such mails. False when nobody can sign in to it. */
  setAllowanceMails(accountId: string, areWanted: boolean): Promise<boolean>;
}

/** Looks at all accounts of a state now and then, some at a time. */
abstract class AllowanceLooks extends PeriodicWrite {
  protected readonly tiers: readonly TierTokens[];
  protected isClosed = false;

  constructor(tiers: TierTable, everyMs: number) {
    super(() => this.lookAtAll(), everyMs);
    this.tiers = Object.entries(tiers)
      .map(([name, { monthlyTokens }]) => ({ name, tokens: monthlyTokens }))
      .filter(({ tokens }) => tokens > 0);
  }

  override close(): Promise<void> {
    this.isClosed = true;
    return super.close();
  }

  /** Must not reject. */
  protected abstract lookAtAll(): Promise<void>;

  /** Steps over all accounts. @param step looks at some after an account, and returns after which one to go on. @returns false when it was closed meanwhile */
  protected async inSteps(step: (after: string) => Promise<string | undefined>): Promise<boolean> {
    for (let after: string | undefined = ""; after !== undefined; after = await step(after)) {
      if (this.isClosed) return false;
    }
    return true;
  }
}

export interface AllowanceNoticesParts {
  readonly store: AllowanceNoticeStore;
  readonly mailer: Mailer;
  readonly addresses: AddressHashes;
  readonly tiers: TierTable;
  /** Called with each failure; the next look tries again. */
  readonly onError: (error: unknown) => void;
  readonly lookEveryMs?: number;
}

/**
 * Tells people by mail when their account has used most of a month's allowance, and when it has used all of it. What was used is looked up in
 * the state now and then, so that no call has any work with it and none that ended a process is missed. Any number of processes may do so: of a
 * month, an allowance and a percentage one mail is ever kept.
 */
export class AllowanceNotices extends AllowanceLooks {
  readonly #parts: AllowanceNoticesParts;

  constructor(parts: AllowanceNoticesParts) {
    super(parts.tiers, parts.lookEveryMs ?? NOTICES_EVERY_MS);
    this.#parts = parts;
  }

  protected async lookAtAll(): Promise<void> {
    const { store, mailer, addresses, onError } = this.#parts;
    try {
      await this.inSteps(async (after) => {
        const { notices, next } = await store.dueNotices(this.tiers, after, ACCOUNTS_AT_ONCE);
        for (const { email, percent, ...told } of notices) {
          if (this.isClosed) break;
          await mailer.sendOnce({ kind: `allowance-${percent}`, ...told }, await addresses.of(email));
        }
        return next;
      });
    } catch (error) {
      onError(error);
    }
  }
}

/** Counts now and then how many accounts of each tier have used most of a month's allowance, or all of it. */
export class AllowanceUse extends AllowanceLooks {
  readonly #store: Pick<AllowanceNoticeStore, "allowanceCounts">;
  #counts: readonly AllowanceCount[] | undefined;

  constructor(store: Pick<AllowanceNoticeStore, "allowanceCounts">, tiers: TierTable) {
    super(tiers, COUNTS_EVERY_MS);
    this.#store = store;
  }

  /** For each tier and percentage how many accounts have used so much or more; undefined while the last look has failed. */
  get counts(): readonly AllowanceCount[] | undefined {
    return this.#counts;
  }

  protected async lookAtAll(): Promise<void> {
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
      // The watcher of the state reports that it is away; counts of then are not shown as those of now.
      this.#counts = undefined;
    }
  }
}
