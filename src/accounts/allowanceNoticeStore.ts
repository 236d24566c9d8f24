import type { Language } from "../contract/accountResources.ts";
import type { AllowancePercent } from "../contract/accountRules.ts";

/** A plan, and how many tokens it gives a month. */
export interface TierTokens {
  readonly name: string;
  readonly tokens: number;
}

/** An account that is to be told that it has used so much of its allowance. */
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

/** What telling of allowances needs of a state store. */
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
